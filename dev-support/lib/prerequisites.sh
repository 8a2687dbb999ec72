# shellcheck shell=bash
# Sourced by commands that build: installs, on Debian, what building and testing need.

# Installs the packages among the given PACKAGE=COMMAND pairs whose command is not there.
install_missing() {
  local pair missing=() as_root=()
  for pair in "$@"; do
    command -v "${pair#*=}" >/dev/null || missing+=("${pair%%=*}")
  done
  ((${#missing[@]})) || return 0
  if ! command -v apt-get >/dev/null; then
    echo "Missing: ${missing[*]} (Debian's names), and no apt-get to install it with." >&2
    return 1
  fi
  ((EUID == 0)) || as_root=(sudo)
  echo "Installing ${missing[*]}"
  "${as_root[@]}" apt-get -q update
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get -q -y install --no-install-recommends "${missing[@]}"
}

require_build_tools() {
  install_missing openjdk-17-jdk-headless=javac maven=mvn python3=python3 procps=ps
}
