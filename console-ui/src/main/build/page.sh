#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0; see LICENSE at the top of this release.
#
# page.sh WEB TARGET SKIP_TESTS : builds the console's page from the sources in WEB into TARGET/page. Does nothing if no source is
# younger than the page. With SKIP_TESTS=true the page's unit tests are left out.
set -euo pipefail

web=$1 target=$2 skip_tests=$3
stamp=${target}/page.built

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  printf 'page.sh: the page of the console is built with Node.js 20 or later and npm; neither may be missing. On Debian:\n' >&2
  printf '  apt-get install nodejs npm\n' >&2
  exit 1
fi
major=$(node -p 'process.versions.node.split(".")[0]')
if ((major < 20)); then
  printf 'page.sh: Node.js 20 or later is needed; this is %s\n' "$(node -v)" >&2
  exit 1
fi
if [[ -f ${stamp} && -f ${target}/page/index.html && $(<"${stamp}") == tests-skipped=* ]]; then
  newer=$(find "${web}" -path "${web}/node_modules" -prune -o -type f -newer "${stamp}" -print -quit)
  [[ -z ${newer} && ($(<"${stamp}") == tests-skipped=false || ${skip_tests} == true) ]] && exit 0
fi

cd "${web}"
lock=$(sha256sum package-lock.json)
if [[ ! -f node_modules/.lock || $(<node_modules/.lock) != "${lock}" ]]; then
  npm ci --no-audit --no-fund --loglevel=error
  printf '%s' "${lock}" >node_modules/.lock
fi
npm run --silent types
[[ ${skip_tests} == true ]] || npm run --silent test
MAMMOTH_PAGE="${target}/page" npm run --silent build
printf 'tests-skipped=%s' "${skip_tests}" >"${stamp}"
