# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# Written by mammoth-upgrade, which also removes it. It does nothing but for NodeManagers, "yarn mammoth" and "hdfs mpcache", and nothing
# at all unless the link HADOOP_HOME/mammoth/current is there.

mammoth_own=${BASH_SOURCE[0]%/*}/../../mammoth

# The folder of the release, without links: a daemon stays with its jars when the link is switched. 1 if there is none for this Hadoop.
_mammoth_find() {
  local version=
  mammoth_release=$(readlink -f -- "${mammoth_own}/current")
  [[ -d ${mammoth_release}/jars ]] || return 1
  read -r version <"${mammoth_release}/hadoop"
  if [[ ! -e ${HADOOP_COMMON_HOME:-${HADOOP_HOME}}/share/hadoop/common/hadoop-common-${version}.jar ]]; then
    hadoop_error "WARNING: Mammoth is off: it was added to Hadoop ${version}, and this is another version. See mammoth-upgrade check."
    return 1
  fi
}

# Ours includes one yarn-site.xml by its path: with the configuration of another NodeManager that would be the wrong one.
_mammoth_is_for_conf() {
  local folder=
  [[ -e ${mammoth_release}/for-conf ]] || return 0
  read -r folder <"${mammoth_release}/for-conf"
  [[ ${HADOOP_CONF_DIR}/yarn-site.xml -ef ${folder}/yarn-site.xml ]] && return 0
  hadoop_error "WARNING: Mammoth is off: it was added for the configuration in ${folder}, and this is ${HADOOP_CONF_DIR}. Run mammoth-upgrade apply."
  return 1
}

# Hooks named finalize are the first that know the subcommand. The configuration folder is added after them unless it is there; a folder
# that should go before it has to see to that.
_mammoth_hadoop_finalize() {
  case ${HADOOP_SHELL_EXECNAME:-}.${HADOOP_SUBCMD:-} in
    yarn.nodemanager)
      _mammoth_find && _mammoth_is_for_conf || return 0
      hadoop_add_classpath "${HADOOP_CONF_DIR}" before
      hadoop_add_classpath "${mammoth_release}/conf" before
      hadoop_add_classpath "${mammoth_release}/jars/*"
      ;;
    yarn.mammoth | hdfs.mpcache)
      _mammoth_find && hadoop_add_classpath "${mammoth_release}/jars/*"
      ;;
  esac
  return 0
}

if [[ -L ${mammoth_own}/current ]]; then
  hadoop_add_profile mammoth
  case ${HADOOP_SHELL_EXECNAME:-} in
    yarn)
      hadoop_add_subcommand mammoth admin "look at the engines of this cluster: engine -status, -memory, -disks or -decisions [-follow], [-node HOST] [-json]"
      yarn_subcommand_mammoth() {
        HADOOP_CLASSNAME=org.mammoth.mapreduce.cli.MammothCli
      }
      ;;
    hdfs)
      hadoop_add_subcommand mpcache admin "look at the SSD cache and steer it: -report, -datasets, -policy, -evict, -warm, -pin, -unpin, -trace, -simulate, each with -json"
      hdfs_subcommand_mpcache() {
        HADOOP_CLASSNAME=org.mammoth.hdfs.tool.MpCacheCommand
      }
      ;;
  esac
fi
