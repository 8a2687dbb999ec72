#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# mr-jobhistory-daemon.sh start|stop|status [historyserver] : kept for scripts; it is mapred --daemon.
self=${BASH_SOURCE[0]}
[[ -L ${self} ]] && self=$(readlink -f -- "${self}")
[[ ${self} == */* ]] || self=./${self}
# shellcheck source=../libexec/cluster-functions.sh
source "${self%/*}/../libexec/cluster-functions.sh" || exit 1
cluster_begin "${self}"
cluster_parse "$@"
mode=${cluster_arguments[0]:-}
case ${mode} in
  start | stop | status) cluster_run mapred --daemon "${mode}" historyserver ;;
  *)
    printf 'Usage: mr-jobhistory-daemon.sh [--config DIR] (start|stop|status) historyserver\n' >&2
    exit 1
    ;;
esac
exit "${cluster_failed}"
