#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# page.sh WEB TARGET SKIP_TESTS : builds the console's page from the sources in WEB into TARGET/page. Does nothing if no source is
# younger than the page. With SKIP_TESTS=true the page's unit tests are left out.
set -euo pipefail

web=$1 target=$2 skip_tests=$3
stamp=${target}/page.built

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  printf 'page.sh: the page of the console is built with Node.js and npm; neither may be missing. On Debian:\n' >&2
  printf '  apt-get install nodejs npm\n' >&2
  exit 1
fi
if [[ -f ${stamp} && -f ${target}/page/index.html && $(<"${stamp}") == tests-skipped=* ]]; then
  newer=$(find "${web}" -path "${web}/node_modules" -prune -o -type f -newer "${stamp}" -print -quit)
  [[ -z ${newer} && ($(<"${stamp}") == tests-skipped=false || ${skip_tests} == true) ]] && exit 0
fi

# Debian 12 has Node.js 18, for which Vite has no release any more. The registry that has Vite has Node.js and npm too; npm 9
# leaves out native parts of what it installs.
fits='const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'
if ! node -e "${fits}"; then
  if [[ ! -x ${target}/node/node_modules/.bin/node ]]; then
    printf 'page.sh: Node.js 20.19 or later is needed; this is %s. Fetching one into the build folder.\n' "$(node -v)" >&2
    mkdir -p "${target}/node"
    npm install --no-audit --no-fund --no-save --loglevel=error --prefix "${target}/node" node@22 npm@10
  fi
  PATH=${target}/node/node_modules/.bin:${PATH}
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
