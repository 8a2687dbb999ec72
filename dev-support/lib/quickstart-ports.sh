# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# Sourced by quickstart and doctor: which ports the quick start's daemons take.

# A line for each: the daemon, the port as the release has it, and the key that moves it.
quickstart_ports='namenode 9000 fs.defaultFS
namenode 9870 dfs.namenode.http-address
namenode 9853 mammoth.mpcache.master.port
datanode 9866 dfs.datanode.address
datanode 9864 dfs.datanode.http.address
datanode 9867 dfs.datanode.ipc.address
resourcemanager 8032 yarn.resourcemanager.address
resourcemanager 8030 yarn.resourcemanager.scheduler.address
resourcemanager 8031 yarn.resourcemanager.resource-tracker.address
resourcemanager 8033 yarn.resourcemanager.admin.address
resourcemanager 8088 yarn.resourcemanager.webapp.address
nodemanager 8041 yarn.nodemanager.address
nodemanager 8040 yarn.nodemanager.localizer.address
nodemanager 8042 yarn.nodemanager.webapp.address
nodemanager 13562 mapreduce.shuffle.port
nodemanager 13563 mammoth.shuffle.port
historyserver 10020 mapreduce.jobhistory.address
historyserver 19888 mapreduce.jobhistory.webapp.address
historyserver 10033 mapreduce.jobhistory.admin.address
console 8288 mammoth.console.port'

port_is_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# port_in FOLDER KEY DEFAULT : the port of a key in the site files of a folder; of "host:port" and "hdfs://host:port" the number.
port_in() {
  local value
  value=$(cat -- "$1"/{core,hdfs,yarn,mapred}-site.xml 2>/dev/null | tr '\n' ' ' \
    | grep -oE "<name>[[:space:]]*${2//./\\.}[[:space:]]*</name>[[:space:]]*<value>[^<]*" | tail -n 1)
  value=${value##*<value>}
  value=${value##*:}
  value=${value//[[:space:]\/]/}
  if [[ ${value} =~ ^[0-9]+$ ]]; then printf '%s' "${value}"; else printf '%s' "$3"; fi
}
