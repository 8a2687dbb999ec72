# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by commands that build: finds, or on Debian installs, what building and testing need.

readonly NEEDED_JAVA=17

if ((BASH_VERSINFO[0] < 5)); then
  echo "This needs bash 5.0 or later; this is ${BASH_VERSION}." >&2
  exit 1
fi

# Sets JAVA_HOME to a JDK that is new enough: the one it names, the one on the PATH, or one below /usr/lib/jvm.
find_jdk() {
  local candidate version
  for candidate in "${JAVA_HOME:-}" "$(readlink -f "$(command -v javac || echo /none)" | sed 's#/bin/javac$##')" /usr/lib/jvm/*; do
    [[ -n ${candidate} && -x ${candidate}/bin/javac ]] || continue
    version=$("${candidate}/bin/javac" -version 2>&1) || continue
    if [[ ${version} =~ ([0-9]+) ]] && ((BASH_REMATCH[1] >= NEEDED_JAVA)); then
      export JAVA_HOME=${candidate}
      return 0
    fi
  done
  return 1
}

# For a command that has nothing installed: ends it, by its name, where there is no such JDK.
need_jdk() {
  find_jdk || {
    echo "$1: no JDK ${NEEDED_JAVA} or later; set JAVA_HOME to one" >&2
    exit 1
  }
}

# Installs Debian packages.
install_packages() {
  local as_root=()
  if ! command -v apt-get >/dev/null; then
    echo "Missing: $* (Debian's names), and no apt-get to install it with." >&2
    return 1
  fi
  if ((EUID != 0)); then
    command -v sudo >/dev/null || {
      echo "Missing: $*. Install it as root, or install sudo." >&2
      return 1
    }
    as_root=(sudo)
  fi
  echo "Installing $*"
  "${as_root[@]}" apt-get -q update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends "$@"
}

# Installs the packages among the given PACKAGE=COMMAND pairs whose command is not there.
install_missing() {
  local pair missing=()
  for pair in "$@"; do
    command -v "${pair#*=}" >/dev/null || missing+=("${pair%%=*}")
  done
  ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

# A JDK and Maven. A Debian that has no JDK 17 any more has a later one as its default.
require_jdk_and_maven() {
  find_jdk || install_packages openjdk-17-jdk-headless || install_packages default-jdk-headless || return 1
  find_jdk || {
    echo "There is still no JDK ${NEEDED_JAVA} or later; set JAVA_HOME to one." >&2
    return 1
  }
  install_missing maven=mvn
}

# What builds the console's page. Where Debian's Node.js is too old for Vite, the page's build fetches one for itself.
require_node() { install_missing nodejs=node npm=npm; }

# The page is tested in Debian's Chromium; where there is none the build goes on, and says that the page was not tested.
want_browser() {
  [[ -x ${CHROMIUM:-/usr/bin/chromium} ]] || install_packages chromium || echo "No Chromium: the console's page is built, but not tested." >&2
}

require_build_tools() {
  require_jdk_and_maven && install_missing python3=python3 procps=ps iproute2=ip curl=curl && require_node && want_browser
}
