# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# Read by the mapred command after hadoop-env.sh. What is commented out is an example.

# export MAPRED_HISTORYSERVER_OPTS="-Xmx1g"
# export HADOOP_JHS_LOGGER=INFO,RFA
