#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Stops HDFS.
self=${BASH_SOURCE[0]}
[[ -L ${self} ]] && self=$(readlink -f -- "${self}")
[[ ${self} == */* ]] || self=./${self}
# shellcheck source=../libexec/cluster-functions.sh
source "${self%/*}/../libexec/cluster-functions.sh" || exit 1
cluster_begin "${self}"
cluster_parse "$@"
cluster_hdfs stop
exit "${cluster_failed}"
