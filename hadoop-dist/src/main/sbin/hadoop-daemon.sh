#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0; see LICENSE at the top of this release.
#
# hadoop-daemon.sh start|stop|status DAEMON : kept for scripts; it is hdfs --daemon.
self=${BASH_SOURCE[0]}
[[ -L ${self} ]] && self=$(readlink -f -- "${self}")
[[ ${self} == */* ]] || self=./${self}
# shellcheck source=../libexec/cluster-functions.sh
source "${self%/*}/../libexec/cluster-functions.sh" || exit 1
cluster_begin "${self}"
cluster_parse "$@"
mode=${cluster_arguments[0]:-}
case ${mode} in
  start | stop | status) ;;
  *) mode= ;;
esac
if [[ -z ${mode} || ${#cluster_arguments[@]} -lt 2 ]]; then
  printf 'Usage: hadoop-daemon.sh [--config DIR] (start|stop|status) DAEMON [ARGUMENTS]\n' >&2
  exit 1
fi
cluster_run hdfs --daemon "${mode}" "${cluster_arguments[@]:1}"
exit "${cluster_failed}"
