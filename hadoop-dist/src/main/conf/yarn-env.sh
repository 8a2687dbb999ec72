# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# Read by the yarn command after hadoop-env.sh. What is commented out is an example.

# The largest heap of a NodeManager, whose size decides what it offers to YARN (yarn-site.xml). HADOOP_HEAPSIZE_MAX goes before it.
export YARN_NODEMANAGER_HEAPSIZE=${YARN_NODEMANAGER_HEAPSIZE:-${HADOOP_HEAPSIZE_MAX:-${YARN_HEAPSIZE:-${HADOOP_HEAPSIZE:-1g}}}}

# export YARN_RESOURCEMANAGER_OPTS="-Xmx4g"
# export YARN_NODEMANAGER_OPTS="-Xmx2g"
# export YARN_TIMELINESERVER_OPTS=""
# export YARN_PROXYSERVER_OPTS=""
