# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# Read by the yarn command after hadoop-env.sh. What is commented out is an example.

# export YARN_RESOURCEMANAGER_OPTS="-Xmx4g"
# export YARN_NODEMANAGER_OPTS="-Xmx2g"
# export YARN_TIMELINESERVER_OPTS=""
# export YARN_PROXYSERVER_OPTS=""
