# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# Puts Mammoth's jars on the class path of every command and daemon of an Apache Hadoop, and adds "yarn mammoth" and
# "hdfs mpcache".
# Removing this file takes all of it away again.

hadoop_add_profile mammoth

_mammoth_hadoop_classpath() {
  hadoop_add_classpath "${HADOOP_HOME:-${HADOOP_COMMON_HOME}}/share/hadoop/mammoth/*"
}

if [[ ${HADOOP_SHELL_EXECNAME:-yarn} == yarn ]]; then
  hadoop_add_subcommand mammoth admin "look at the engines of this cluster: engine -status, -memory, -disks or -decisions [-follow], [-node HOST] [-json]"
elif [[ ${HADOOP_SHELL_EXECNAME} == hdfs ]]; then
  hadoop_add_subcommand mpcache admin "look at the SSD cache and steer it: -report, -datasets, -policy, -evict, -warm, -pin, -unpin, -trace, -simulate, each with -json"
fi

hdfs_subcommand_mpcache() {
  HADOOP_CLASSNAME=org.mammoth.hdfs.tool.MpCacheCommand
}

yarn_subcommand_mammoth() {
  HADOOP_CLASSNAME=org.mammoth.mapreduce.cli.MammothCli
}
