# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# Licensed under the Apache License, Version 2.0; see LICENSE at the top of this release.
#
# Read by the mapred command after hadoop-env.sh. What is commented out is an example.

# export MAPRED_HISTORYSERVER_OPTS="-Xmx1g"
# export HADOOP_JHS_LOGGER=INFO,RFA
