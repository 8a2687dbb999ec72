# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What the scripts in sbin share: which daemons a cluster has, and in which order they start and stop.

# cluster_begin SCRIPT : find the release; the rest of the arguments are options for the commands.
cluster_begin() {
  local self=$1
  [[ -L ${self} ]] && self=$(readlink -f -- "${self}")
  [[ ${self} == */* ]] || self=./${self}
  cluster_home=$(cd -P -- "${HADOOP_HOME:-${self%/*}/..}" && pwd -P) || exit 1
  # Apache Hadoop has no such file.
  if [[ ! -f ${cluster_home}/libexec/cluster-functions.sh ]]; then
    printf 'ERROR: HADOOP_HOME=%s is another Hadoop; unset it, or set it to %s\n' "${cluster_home}" "$(cd -P -- "${self%/*}/.." && pwd -P)" >&2
    exit 1
  fi
  export HADOOP_HOME=${cluster_home}
  cluster_options=()
  cluster_failed=0
  # As root, daemons of a cluster should be run by users that hadoop-env.sh names (launcher_right_user).
  unset MAMMOTH_OF_CLUSTER
}

# cluster_parse ARG... : options of the commands go to cluster_options, the others to cluster_arguments.
cluster_parse() {
  cluster_arguments=()
  while (($#)); do
    case $1 in
      --config | --loglevel)
        if (($# < 2)); then
          printf 'ERROR: %s needs a value\n' "$1" >&2
          exit 1
        fi
        cluster_options+=("$1" "$2")
        shift 2
        ;;
      --debug)
        cluster_options+=("$1")
        shift
        ;;
      *)
        cluster_arguments+=("$1")
        shift
        ;;
    esac
  done
}

# Runs a command; what fails is remembered in cluster_failed, which the script exits with.
cluster_run() {
  local program=$1
  shift
  "${cluster_home}/bin/${program}" "${cluster_options[@]}" "$@" || export cluster_failed=1
}

# cluster_old_daemon_script PROGRAM [OPTION] -- ARG... : what the scripts named *-daemon.sh do, and with --workers *-daemons.sh.
cluster_old_daemon_script() {
  local program=$1 mode options=()
  shift
  while [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  shift
  cluster_parse "$@"
  mode=${cluster_arguments[0]:-}
  if [[ ! ${mode} =~ ^(start|stop|status)$ || ${#cluster_arguments[@]} -lt 2 ]]; then
    printf 'Usage: %s [--config DIR] (start|stop|status) DAEMON [ARGUMENTS]\n' "${0##*/}" >&2
    exit 1
  fi
  cluster_run "${program}" "${options[@]}" --daemon "${mode}" "${cluster_arguments[@]:1}"
  exit "${cluster_failed}"
}

# A value of HDFS's configuration, of YARN's, which may be in a folder of its own (YARN_CONF_DIR), or what getconf says else.
cluster_conf() { "${cluster_home}/bin/hdfs" "${cluster_options[@]}" getconf "$@"; }
cluster_yarn_conf() { "${cluster_home}/bin/yarn" "${cluster_options[@]}" org.apache.hadoop.hdfs.tools.GetConf -confKey "$1"; }

# cluster_asked PART WHAT REMEDY : ends the script after a question about HDFS or YARN that has failed, and has said why.
cluster_asked() {
  printf 'ERROR: %s could not be read from the configuration, see above; no daemon of %s was touched%s\n' "$2" "$1" "${3:+. $3}" >&2
  exit 1
}

# cluster_on HOSTS PROGRAM start|stop DAEMON ARG... : the daemon on each of these hosts.
cluster_on() {
  local hosts=$1 program=$2 mode=$3 daemon=$4
  shift 4
  [[ -n ${hosts// /} ]] || return 0
  cluster_say "${mode}" "${daemon}" "${hosts}"
  cluster_run "${program}" --workers --hostnames "${hosts}" --daemon "${mode}" "${daemon}" "$@"
}

# cluster_on_workers PROGRAM start|stop DAEMON ARG... : the daemon on each host of the workers file.
cluster_on_workers() {
  local program=$1 mode=$2 daemon=$3
  shift 3
  cluster_say "${mode}" "${daemon}" workers
  cluster_run "${program}" --workers --daemon "${mode}" "${daemon}" "$@"
}

cluster_say() {
  if [[ $1 == start ]]; then
    printf 'Starting %s on [%s]\n' "$2" "$3"
  else
    printf 'Stopping %s on [%s]\n' "$2" "$3"
  fi
}

# cluster_hdfs_options ARG... : which daemons the arguments of a start are for. A NameNode goes back in a command of its own
# ("hdfs namenode -rollback"), which asks; as a daemon it would ask for ever. So -rollback is for DataNodes only, as upstream has it.
cluster_hdfs_options() {
  cluster_namenode_options=()
  cluster_datanode_options=()
  case ${1:-} in
    '') return 0 ;;
    -upgrade) cluster_namenode_options=("$@") ;;
    -rollback)
      cluster_datanode_options=("$1")
      cluster_namenode_options=("${@:2}")
      ;;
    *)
      printf 'Usage: %s [--config DIR] [-upgrade|-rollback] [-clusterId ID]\n' "${0##*/}" >&2
      exit 1
      ;;
  esac
  if [[ " ${cluster_namenode_options[*]} " == *' -rollback '* ]]; then
    printf 'ERROR: -rollback is for DataNodes here; roll the NameNode back first with "hdfs namenode -rollback"\n' >&2
    exit 1
  fi
}

# cluster_hdfs start|stop ARG... : the arguments of a start are -upgrade or -rollback, and more for the NameNode.
cluster_hdfs() {
  local mode=$1 namenodes secondaries journalnodes
  shift
  export MAMMOTH_OF_CLUSTER=true
  cluster_hdfs_options "$@"
  namenodes=$(cluster_conf -namenodes) || cluster_asked HDFS 'the NameNode' 'It is fs.defaultFS in core-site.xml'
  secondaries=$(cluster_conf -secondaryNameNodes 2>/dev/null) || secondaries=
  journalnodes=$(cluster_conf -journalNodes 2>/dev/null) || journalnodes=
  # 0.0.0.0 is the default's way to say "this host".
  secondaries=${secondaries//0.0.0.0/localhost}

  [[ ${mode} == start ]] && cluster_on "${journalnodes}" hdfs start journalnode
  cluster_on "${namenodes}" hdfs "${mode}" namenode "${cluster_namenode_options[@]}"
  cluster_on_workers hdfs "${mode}" datanode "${cluster_datanode_options[@]}"
  cluster_on "${secondaries}" hdfs "${mode}" secondarynamenode
  [[ ${mode} == stop ]] && cluster_on "${journalnodes}" hdfs stop journalnode
  if [[ $(cluster_conf -confKey dfs.ha.automatic-failover.enabled 2>/dev/null) == true ]]; then
    cluster_on "${namenodes}" hdfs "${mode}" zkfc
  fi
  return 0
}

# cluster_rm_host ID : the host of one of several ResourceManagers, which has a name or addresses in the configuration; nothing if neither.
cluster_rm_host() {
  local host address
  host=$(cluster_yarn_conf "yarn.resourcemanager.hostname.$1" 2>/dev/null) || host=
  if [[ -z ${host} ]]; then
    address=$(cluster_yarn_conf "yarn.resourcemanager.address.$1" 2>/dev/null) || address=
    host=${address%:*}
  fi
  printf '%s' "${host}"
}

cluster_yarn() {
  local mode=$1 hosts='' id proxy ha
  export MAMMOTH_OF_CLUSTER=true
  ha=$(cluster_yarn_conf yarn.resourcemanager.ha.enabled) || cluster_asked YARN yarn.resourcemanager.ha.enabled ''
  if [[ ${ha} == true ]]; then
    local ids host
    ids=$(cluster_yarn_conf yarn.resourcemanager.ha.rm-ids) || cluster_asked YARN yarn.resourcemanager.ha.rm-ids ''
    for id in ${ids//,/ }; do
      host=$(cluster_rm_host "${id}")
      if [[ -z ${host} ]]; then
        printf 'ERROR: the configuration does not say where ResourceManager %s is, which is left out; set yarn.resourcemanager.hostname.%s\n' "${id}" "${id}" >&2
        export cluster_failed=1
      fi
      hosts+=" ${host}"
    done
    cluster_on "${hosts}" yarn "${mode}" resourcemanager
  else
    cluster_say "${mode}" resourcemanager localhost
    cluster_run yarn --daemon "${mode}" resourcemanager
  fi
  cluster_on_workers yarn "${mode}" nodemanager
  proxy=$(cluster_yarn_conf yarn.web-proxy.address 2>/dev/null) || proxy=
  # Without an address of its own the proxy is part of the ResourceManager.
  [[ -n ${proxy} ]] && cluster_on "${proxy%%:*}" yarn "${mode}" proxyserver
  return 0
}
