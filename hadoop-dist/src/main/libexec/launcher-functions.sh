# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Sourced by each command of bin from its own release, with launcher_home set to that: reads what commands are made of, hadoop-functions.sh,
# from where the shell's variables say, and refuses those of another Hadoop.

# shellcheck source=hadoop-functions.sh
source "${HADOOP_LIBEXEC_DIR:-${HADOOP_HOME:-${launcher_home}}/libexec}/hadoop-functions.sh"
# Apache Hadoop has a file of that name as well.
if ! declare -F launcher_main >/dev/null; then
  printf 'ERROR: HADOOP_HOME or HADOOP_LIBEXEC_DIR leads to another Hadoop, in %s; unset it, or set HADOOP_HOME to %s\n' \
    "${HADOOP_LIBEXEC_DIR:-${HADOOP_HOME:-}}" "$(cd -P -- "${launcher_home}" && pwd -P)" >&2
  exit 1
fi
