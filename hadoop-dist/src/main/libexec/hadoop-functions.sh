# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What every command of this release shares: options, environment, class path, JVM options, daemons.
# A command sources this file, fills the table of its subcommands and calls launcher_main "$@".
#
# Functions named hadoop_* are for profiles (shellprofile.d), hadoop-user-functions.sh and hadoop-env.sh;
# their names and arguments are the ones Hadoop's Unix Shell Guide documents. Functions named launcher_* are
# private. No function starts a process unless it must: a client command should reach its JVM in milliseconds. That is
# also why this is one long file: every command reads all of it, and each further file would be one more before its JVM.

if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
  printf 'ERROR: this needs bash 4.4 or later; this is %s\n' "${BASH_VERSION}" >&2
  exit 1
fi

# ---------------------------------------------------------------------------------------------------------------
# For profiles and for administrators
# ---------------------------------------------------------------------------------------------------------------

hadoop_error() { printf '%s\n' "$*" >&2; }

hadoop_debug() {
  if [[ -n ${HADOOP_SHELL_SCRIPT_DEBUG:-} ]]; then
    printf 'DEBUG: %s\n' "$*" >&2
  fi
}

# hadoop_array_contains NEEDLE WORD... : is NEEDLE one of the words?
hadoop_array_contains() {
  local needle=$1 word
  shift
  for word in "$@"; do
    [[ ${word} == "${needle}" ]] && return 0
  done
  return 1
}

# hadoop_add_array_param ARRAY WORD : append WORD to the named array unless it is there.
hadoop_add_array_param() {
  local -n launcher_array=$1
  hadoop_array_contains "$2" "${launcher_array[@]}" || launcher_array+=("$2")
}

# hadoop_verify_entry VARIABLE NAME : is NAME a word of the variable (words are separated by spaces)?
hadoop_verify_entry() { [[ " ${!1:-} " == *" $2 "* ]]; }

# hadoop_add_entry VARIABLE NAME : add the word unless it is there.
hadoop_add_entry() {
  hadoop_verify_entry "$1" "$2" || printf -v "$1" '%s %s ' "${!1:-}" "$2"
}

# hadoop_delete_entry VARIABLE NAME : remove the word.
hadoop_delete_entry() {
  local padded=" ${!1:-} "
  printf -v "$1" '%s' "${padded// $2 / }"
}

# hadoop_add_param VARIABLE KEY VALUE : append VALUE to a string of options unless KEY already occurs in it.
hadoop_add_param() {
  [[ ${!1:-} == *"$2"* ]] || printf -v "$1" '%s %s' "${!1:-}" "$3"
  export "${1?}"
}

# hadoop_add_profile NAME : make the functions _NAME_hadoop_{init,nativelib,classpath,finalize} take part.
hadoop_add_profile() { hadoop_add_array_param HADOOP_SHELL_PROFILES "$1"; }

# hadoop_add_subcommand NAME KIND TEXT : name a subcommand in the usage text. KIND: admin, client or daemon.
hadoop_add_subcommand() { launcher_extra_usage+=("$1|$2||$3"); }

# hadoop_add_option OPTION TEXT : name an option in the usage text.
hadoop_add_option() { launcher_extra_options+=("$1|$2"); }

# hadoop_add_classpath PATH [before] : add a file, a directory or DIR/* that exists; 1 if it does not or is there.
hadoop_add_classpath() {
  if [[ $1 == *'/*' ]]; then
    [[ -d ${1%'/*'} ]] || return 1
  else
    [[ -e $1 ]] || return 1
  fi
  hadoop_add_colonpath CLASSPATH "$1" "${2:-}"
}

# hadoop_add_colonpath VARIABLE PATH [before] : add PATH to a list separated by colons unless it is there.
hadoop_add_colonpath() {
  local now=${!1:-}
  [[ ":${now}:" == *":$2:"* ]] && return 1
  if [[ -z ${now} ]]; then
    printf -v "$1" '%s' "$2"
  elif [[ ${3:-} == before ]]; then
    printf -v "$1" '%s:%s' "$2" "${now}"
  else
    printf -v "$1" '%s:%s' "${now}" "$2"
  fi
}

# hadoop_add_javalibpath DIR [before] : where the JVM looks for native libraries.
hadoop_add_javalibpath() { [[ -d $1 ]] && hadoop_add_colonpath JAVA_LIBRARY_PATH "$1" "${2:-}"; }

# hadoop_add_ldlibpath DIR [before] : where the system looks for shared libraries.
hadoop_add_ldlibpath() {
  [[ -d $1 ]] && hadoop_add_colonpath LD_LIBRARY_PATH "$1" "${2:-}" && export LD_LIBRARY_PATH
}

# hadoop_add_to_classpath_tools NAME : the jars of share/hadoop/tools/lib, which stay off the class path otherwise.
hadoop_add_to_classpath_tools() {
  local jar
  for jar in "${HADOOP_TOOLS_HOME}/${HADOOP_TOOLS_LIB_JARS_DIR}/$1"-*.jar; do
    if [[ -e ${jar} ]]; then
      hadoop_add_classpath "${HADOOP_TOOLS_HOME}/${HADOOP_TOOLS_LIB_JARS_DIR}/*"
      return 0
    fi
  done
  hadoop_error "WARNING: no jar of ${1} in ${HADOOP_TOOLS_HOME}/${HADOOP_TOOLS_LIB_JARS_DIR}; see HADOOP_OPTIONAL_TOOLS in hadoop-env.sh"
  return 1
}

# What the programs of the test jars need beside them: JUnit and the mini cluster, which stay off the class path otherwise.
launcher_add_test_jars() {
  local jar
  for jar in "${HADOOP_YARN_HOME}/${YARN_DIR}"/test/*.jar "${HADOOP_TOOLS_HOME}/${HADOOP_TOOLS_LIB_JARS_DIR}"/{junit,hamcrest-core}-*.jar; do
    hadoop_add_classpath "${jar}"
  done
  return 0
}

# hadoop_deprecate_envvar OLD NEW : take over the value of a variable that has a new name.
hadoop_deprecate_envvar() {
  [[ -n ${!1+set} ]] || return 0
  if [[ -n ${!1} && ${!1} != "${!2:-}" ]]; then
    hadoop_error "WARNING: $1 has been replaced by $2. Using value of $1."
    printf -v "$2" '%s' "${!1}"
    export "${2?}"
  fi
  unset "$1"
}

# ---------------------------------------------------------------------------------------------------------------
# Usage
# ---------------------------------------------------------------------------------------------------------------

launcher_usage_group() {
  local kind=$1 title=$2 line name of summary lines=()
  while IFS='|' read -r name of _ summary; do
    [[ ${of} == "${kind}" ]] && lines+=("${name}|${summary}")
  done < <(printf '%s\n' "${launcher_table}" "${launcher_extra_usage[@]}" | LC_ALL=C sort -f -t '|' -k 1,1)
  ((${#lines[@]})) || return 0
  printf '\n    %s:\n\n' "${title}"
  for line in "${lines[@]}"; do
    printf '%-26s %s\n' "${line%%|*}" "${line#*|}"
  done
}

launcher_usage() {
  local option
  printf 'Usage: %s [OPTIONS] SUBCOMMAND [SUBCOMMAND OPTIONS]\n' "${launcher_program}"
  if [[ ${launcher_takes_class} == true ]]; then
    printf ' or    %s [OPTIONS] CLASSNAME [CLASSNAME OPTIONS]\n' "${launcher_program}"
    printf '  where CLASSNAME is a user-provided Java class\n'
  fi
  printf '\n  OPTIONS is none or any of:\n\n'
  for option in \
    '--config DIR|the configuration directory, instead of HADOOP_CONF_DIR' \
    '--daemon start|stop|status|start, stop or look at a daemon' \
    '--debug|say what the launcher does' \
    '--help|this text' \
    '--hostnames LIST|with --workers: these hosts, separated by commas' \
    '--hosts FILE|with --workers: the hosts of this file' \
    '--loglevel LEVEL|log4j level of this command' \
    '--workers|run the command on every worker' "${launcher_extra_options[@]}"; do
    printf '%-30s %s\n' "${option%|*}" "${option##*|}"
  done
  printf '\n  SUBCOMMAND is one of:\n'
  launcher_usage_group admin 'Admin Commands'
  launcher_usage_group client 'Client Commands'
  launcher_usage_group daemon 'Daemon Commands'
  printf '\nSUBCOMMAND may print help when invoked w/o parameters or with -h.\n'
  if [[ ${launcher_program} == mammoth ]]; then
    printf 'Documentation: share/doc/mammoth/docs/README.md\n'
  fi
}

launcher_exit_with_usage() {
  launcher_usage >&2
  exit "$1"
}

# ---------------------------------------------------------------------------------------------------------------
# Options and environment
# ---------------------------------------------------------------------------------------------------------------

launcher_need_value() {
  if (($1 < 2)); then
    hadoop_error "ERROR: $2 needs a value"
    launcher_exit_with_usage 1
  fi
}

# Reads the options before the subcommand; the rest is left in launcher_args.
launcher_parse_options() {
  while (($#)); do
    case $1 in
      --config)
        launcher_need_value "$#" "$1"
        if [[ ! -d $2 ]]; then
          hadoop_error "ERROR: No parameter provided for --config, or \"$2\" is not a directory"
          exit 1
        fi
        HADOOP_CONF_DIR=$(cd -P -- "$2" && pwd -P)
        shift 2
        ;;
      --daemon)
        launcher_need_value "$#" "$1"
        case $2 in
          start | stop | status) launcher_daemon_mode=$2 ;;
          *)
            hadoop_error "ERROR: --daemon must be followed by either \"start\", \"stop\", or \"status\"."
            launcher_exit_with_usage 1
            ;;
        esac
        shift 2
        ;;
      --loglevel)
        launcher_need_value "$#" "$1"
        HADOOP_LOGLEVEL=$2
        shift 2
        ;;
      --hosts)
        launcher_need_value "$#" "$1"
        HADOOP_WORKERS=$2
        [[ -f ${HADOOP_WORKERS} || ${HADOOP_WORKERS} == */* ]] || launcher_workers_in_conf=true
        shift 2
        ;;
      --hostnames)
        launcher_need_value "$#" "$1"
        HADOOP_WORKER_NAMES=${2//,/ }
        shift 2
        ;;
      --workers | --slaves)
        launcher_on_workers=true
        shift
        ;;
      --debug)
        HADOOP_SHELL_SCRIPT_DEBUG=true
        shift
        ;;
      --help | -help | -h | help | -\?)
        launcher_wants_help=true
        shift
        ;;
      --)
        shift
        break
        ;;
      *) break ;;
    esac
  done
  launcher_args=("$@")
}

launcher_source() {
  if [[ -f $1 ]]; then
    hadoop_debug "reading $1"
    # shellcheck source=/dev/null
    source "$1"
  fi
}

# Where things are. Everything a NodeManager may hand on to containers is exported.
launcher_homes() {
  hadoop_deprecate_envvar HADOOP_PREFIX HADOOP_HOME
  # Whose libexec is elsewhere has said so.
  if [[ -n ${HADOOP_HOME:-} && -z ${HADOOP_LIBEXEC_DIR:-} && ! -f ${HADOOP_HOME}/libexec/cds-functions.sh ]]; then
    hadoop_error "ERROR: HADOOP_HOME=${HADOOP_HOME} is another Hadoop; unset it, or set it to $(cd -P -- "${launcher_home}" && pwd -P)"
    exit 1
  fi
  HADOOP_HOME=$(cd -P -- "${HADOOP_HOME:-${launcher_home}}" && pwd -P) || exit 1
  : "${HADOOP_COMMON_HOME:=${HADOOP_HOME}}" "${HADOOP_HDFS_HOME:=${HADOOP_HOME}}"
  : "${HADOOP_YARN_HOME:=${HADOOP_HOME}}" "${HADOOP_MAPRED_HOME:=${HADOOP_HOME}}"
  : "${HADOOP_TOOLS_HOME:=${HADOOP_HOME}}" "${MAMMOTH_HOME:=${HADOOP_HOME}}"
  : "${HADOOP_CONF_DIR:=${HADOOP_HOME}/etc/hadoop}"
  : "${HADOOP_COMMON_DIR:=share/hadoop/common}" "${HADOOP_COMMON_LIB_JARS_DIR:=share/hadoop/common/lib}"
  : "${HADOOP_COMMON_LIB_NATIVE_DIR:=lib/native}"
  : "${HDFS_DIR:=share/hadoop/hdfs}" "${HDFS_LIB_JARS_DIR:=share/hadoop/hdfs/lib}"
  : "${YARN_DIR:=share/hadoop/yarn}" "${YARN_LIB_JARS_DIR:=share/hadoop/yarn/lib}"
  : "${MAPRED_DIR:=share/hadoop/mapreduce}" "${MAPRED_LIB_JARS_DIR:=share/hadoop/mapreduce/lib}"
  : "${HADOOP_TOOLS_DIR:=share/hadoop/tools}" "${HADOOP_TOOLS_LIB_JARS_DIR:=share/hadoop/tools/lib}"
  : "${MAMMOTH_DIR:=share/hadoop/mammoth}"
  export HADOOP_HOME HADOOP_COMMON_HOME HADOOP_HDFS_HOME HADOOP_YARN_HOME HADOOP_MAPRED_HOME HADOOP_TOOLS_HOME
  export MAMMOTH_HOME HADOOP_CONF_DIR
}

launcher_renamed='
HADOOP_SLAVES HADOOP_WORKERS
HADOOP_SLAVE_NAMES HADOOP_WORKER_NAMES
HADOOP_NAMENODE_OPTS HDFS_NAMENODE_OPTS
HADOOP_DATANODE_OPTS HDFS_DATANODE_OPTS
HADOOP_SECONDARYNAMENODE_OPTS HDFS_SECONDARYNAMENODE_OPTS
HADOOP_JOURNALNODE_OPTS HDFS_JOURNALNODE_OPTS
HADOOP_ZKFC_OPTS HDFS_ZKFC_OPTS
HADOOP_BALANCER_OPTS HDFS_BALANCER_OPTS
HADOOP_MOVER_OPTS HDFS_MOVER_OPTS
HADOOP_NFS3_OPTS HDFS_NFS3_OPTS
HADOOP_PORTMAP_OPTS HDFS_PORTMAP_OPTS
HADOOP_JOB_HISTORYSERVER_OPTS MAPRED_HISTORYSERVER_OPTS
HADOOP_MAPRED_LOG_DIR HADOOP_LOG_DIR
HADOOP_MAPRED_PID_DIR HADOOP_PID_DIR
HADOOP_MAPRED_IDENT_STRING HADOOP_IDENT_STRING
HADOOP_MAPRED_ROOT_LOGGER HADOOP_ROOT_LOGGER
HADOOP_HEAPSIZE HADOOP_HEAPSIZE_MAX
YARN_LOG_DIR HADOOP_LOG_DIR
YARN_PID_DIR HADOOP_PID_DIR
YARN_IDENT_STRING HADOOP_IDENT_STRING
YARN_NICENESS HADOOP_NICENESS
YARN_ROOT_LOGGER HADOOP_ROOT_LOGGER
YARN_LOGFILE HADOOP_LOGFILE
YARN_OPTS HADOOP_OPTS
YARN_SLAVES HADOOP_WORKERS
YARN_STOP_TIMEOUT HADOOP_STOP_TIMEOUT
YARN_HEAPSIZE HADOOP_HEAPSIZE_MAX
YARN_USER_CLASSPATH_FIRST HADOOP_USER_CLASSPATH_FIRST'

# YARN may have a configuration of its own, YARN_CONF_DIR, which hadoop-env.sh or yarn-env.sh may set as well. It goes before
# HADOOP_CONF_DIR and --config, as upstream has it; "mammoth" reads it, too, as it tells of NodeManagers.
launcher_conf_dir() {
  if [[ ${launcher_program} =~ ^(yarn|mammoth)$ && -n ${YARN_CONF_DIR:-} ]]; then
    hadoop_deprecate_envvar YARN_CONF_DIR HADOOP_CONF_DIR
    # For the command that follows as another user.
    export YARN_CONF_DIR=${HADOOP_CONF_DIR}
  fi
  if [[ ! -d ${HADOOP_CONF_DIR} ]]; then
    hadoop_error "ERROR: the configuration directory ${HADOOP_CONF_DIR} does not exist; set HADOOP_CONF_DIR or use --config"
    exit 1
  fi
}

launcher_environment() {
  local old new file conf=${HADOOP_CONF_DIR}
  launcher_source "${conf}/hadoop-env.sh"
  if [[ ${launcher_program} == yarn && -f ${YARN_CONF_DIR:-${conf}}/yarn-env.sh ]]; then
    launcher_source "${YARN_CONF_DIR:-${conf}}/yarn-env.sh"
  elif [[ ${launcher_program} != hadoop ]]; then
    launcher_source "${conf}/${launcher_program}-env.sh"
  fi
  launcher_source "${conf}/hadoop-user-functions.sh"
  launcher_source "${HOME:-/nonexistent}/.hadooprc"
  launcher_conf_dir
  while read -r old new; do
    [[ -n ${old} && -n ${!old+set} ]] || continue
    [[ ${old} == YARN_* && ${launcher_program} != yarn ]] && continue
    hadoop_deprecate_envvar "${old}" "${new}"
  done <<<"${launcher_renamed}"

  if [[ -n ${HADOOP_LOGLEVEL:-} ]]; then
    HADOOP_ROOT_LOGGER="${HADOOP_LOGLEVEL},console"
    HADOOP_DAEMON_ROOT_LOGGER="${HADOOP_LOGLEVEL},RFA"
  fi
  [[ -n ${HADOOP_IDENT_STRING:-} ]] || launcher_ident_of_user=true
  : "${HADOOP_IDENT_STRING:=${USER:-$(id -un)}}" "${HADOOP_LOG_DIR:=${HADOOP_HOME}/logs}" "${HADOOP_PID_DIR:=/tmp}"
  : "${HADOOP_LOGFILE:=hadoop.log}" "${HADOOP_ROOT_LOGGER:=INFO,console}" "${HADOOP_DAEMON_ROOT_LOGGER:=INFO,RFA}"
  : "${HADOOP_SECURITY_LOGGER:=INFO,NullAppender}" "${HADOOP_POLICYFILE:=hadoop-policy.xml}"
  : "${HADOOP_NICENESS:=0}" "${HADOOP_STOP_TIMEOUT:=5}"
  : "${HADOOP_SSH_OPTS=-o BatchMode=yes -o StrictHostKeyChecking=no -o ConnectTimeout=10s}" "${HADOOP_SSH_PARALLEL:=10}"
  : "${HADOOP_OPTS=-Djava.net.preferIPv4Stack=true}"
  export HADOOP_LOG_DIR HADOOP_PID_DIR HADOOP_IDENT_STRING
  if [[ ${launcher_workers_in_conf} == true ]]; then
    HADOOP_WORKERS=${HADOOP_CONF_DIR}/${HADOOP_WORKERS}
  fi

  for file in "${HADOOP_HOME}/libexec/shellprofile.d"/*.sh "${HADOOP_CONF_DIR}/shellprofile.d"/*.sh; do
    [[ -e ${file} ]] && launcher_source "${file}"
  done
  launcher_call_profiles init
}

# launcher_call_profiles STEP : call _NAME_hadoop_STEP of each profile, in the order they were added.
launcher_call_profiles() {
  local profile
  for profile in "${HADOOP_SHELL_PROFILES[@]}"; do
    if declare -F "_${profile}_hadoop_$1" >/dev/null; then
      hadoop_debug "profile ${profile}: $1"
      "_${profile}_hadoop_$1"
    fi
  done
}

# ---------------------------------------------------------------------------------------------------------------
# Java and its class path
# ---------------------------------------------------------------------------------------------------------------

launcher_java() {
  local java
  if [[ -z ${JAVA_HOME:-} ]] && java=$(command -v java); then
    java=$(readlink -f -- "${java}")
    JAVA_HOME=${java%/bin/java}
  fi
  if [[ -z ${JAVA_HOME:-} ]]; then
    hadoop_error "ERROR: JAVA_HOME is not set and could not be found. Install a Java 17, or set JAVA_HOME in ${HADOOP_CONF_DIR}/hadoop-env.sh"
    exit 1
  fi
  JAVA=${JAVA_HOME}/bin/java
  if [[ ! -x ${JAVA} ]]; then
    hadoop_error "ERROR: ${JAVA} is not there or not executable; set JAVA_HOME in ${HADOOP_CONF_DIR}/hadoop-env.sh"
    exit 1
  fi
  export JAVA_HOME
}

# Packages Hadoop reaches into by reflection; JDK 17 keeps them shut otherwise.
launcher_opens='java.base/java.io java.base/java.lang java.base/java.lang.reflect java.base/java.math java.base/java.net
java.base/java.text java.base/java.util java.base/java.util.concurrent java.base/java.util.zip
java.base/sun.security.util java.base/sun.security.x509'

# The major version of JAVA_HOME, read from its release file: asking the JVM would take longer than the launcher.
launcher_java_major() {
  local key value
  launcher_major=17
  [[ -r ${JAVA_HOME}/release ]] || return 0
  while IFS='=' read -r key value; do
    if [[ ${key} == JAVA_VERSION ]]; then
      value=${value//\"/}
      launcher_major=${value%%[.-]*}
      [[ ${launcher_major} == 1 ]] && launcher_major=8
    fi
  done <"${JAVA_HOME}/release"
}

# launcher_needs_java_17 WHAT : daemons and commands run on Java 11 as well, these do not.
launcher_needs_java_17() {
  launcher_java_major
  if ((launcher_major < 17)); then
    hadoop_error "ERROR: $1 needs Java 17 or later, and ${JAVA_HOME} has ${launcher_major}: set JAVA_HOME for it"
    exit 1
  fi
}

launcher_rooms() {
  launcher_jar_dirs=(
    "${HADOOP_COMMON_HOME}/${HADOOP_COMMON_LIB_JARS_DIR}" "${HADOOP_COMMON_HOME}/${HADOOP_COMMON_DIR}"
    "${HADOOP_HDFS_HOME}/${HDFS_LIB_JARS_DIR}" "${HADOOP_HDFS_HOME}/${HDFS_DIR}"
    "${HADOOP_YARN_HOME}/${YARN_LIB_JARS_DIR}" "${HADOOP_YARN_HOME}/${YARN_DIR}"
    "${HADOOP_YARN_HOME}/${YARN_DIR}/timelineservice"
    "${HADOOP_MAPRED_HOME}/${MAPRED_LIB_JARS_DIR}" "${HADOOP_MAPRED_HOME}/${MAPRED_DIR}"
    "${MAMMOTH_HOME}/${MAMMOTH_DIR}"
  )
}

# A release that was unpacked over another one leaves the other's jars: two of each would be loaded, in the file system's order.
launcher_one_release() {
  local jar name last=none
  for jar in "${MAMMOTH_HOME}/${MAMMOTH_DIR}"/{mammoth-,mpcache-}*.jar; do
    name=${jar%-[0-9]*}
    if [[ ${name} == "${last%-[0-9]*}" ]]; then
      hadoop_error "ERROR: two releases are in one folder: ${last} and ${jar##*/}. Unpack each release into a folder of its own"
      exit 1
    fi
    last=${jar}
  done
}

# The order is Hadoop's: configuration, the rooms, profiles, and the user's HADOOP_CLASSPATH last unless asked for.
launcher_classpath() {
  local dir tool
  CLASSPATH=${HADOOP_CONF_DIR}
  launcher_rooms
  launcher_one_release
  for dir in "${launcher_jar_dirs[@]}"; do
    # HDFS's web pages are files below this directory, and HttpServer2 looks for them on the class path.
    [[ ${dir} == "${HADOOP_HDFS_HOME}/${HDFS_LIB_JARS_DIR}" ]] && hadoop_add_classpath "${HADOOP_HDFS_HOME}/${HDFS_DIR}"
    hadoop_add_classpath "${dir}/*"
  done
  for tool in ${HADOOP_OPTIONAL_TOOLS//,/ }; do
    hadoop_add_to_classpath_tools "${tool}"
  done
  hadoop_add_javalibpath "${HADOOP_COMMON_HOME}/${HADOOP_COMMON_LIB_NATIVE_DIR}"
  launcher_call_profiles nativelib
  launcher_call_profiles classpath
  # RunJar's own client class loader takes HADOOP_CLASSPATH from the environment.
  if [[ -n ${HADOOP_CLASSPATH:-} && ${HADOOP_USE_CLIENT_CLASSLOADER:-} != true ]]; then
    launcher_user_classpath
  fi
}

# The console knows the daemons by HTTP and RPC only: it gets Hadoop's common jars, Jetty's client, the cache's simulator, what a key is, what
# it and the daemons declare once, its own jar, and httpcore, without which Hadoop's simple authentication cannot read an address that has a query.
launcher_console() {
  local jar
  launcher_needs_java_17 'the console'
  CLASSPATH=${HADOOP_CONF_DIR}
  hadoop_add_classpath "${MAMMOTH_HOME}/${MAMMOTH_DIR}/console/*"
  hadoop_add_classpath "${HADOOP_COMMON_HOME}/${HADOOP_COMMON_DIR}/*"
  hadoop_add_classpath "${HADOOP_COMMON_HOME}/${HADOOP_COMMON_LIB_JARS_DIR}/*"
  for jar in "${HADOOP_YARN_HOME}/${YARN_LIB_JARS_DIR}"/jetty-client-*.jar "${MAMMOTH_HOME}/${MAMMOTH_DIR}"/{mpcache,mammoth-config,mammoth-api}-*.jar \
    "${HADOOP_HDFS_HOME}/${HDFS_LIB_JARS_DIR}"/httpcore-*.jar; do
    hadoop_add_classpath "${jar}"
  done
  # An archive of classes fits the whole class path only.
  MAMMOTH_CDS=off
}

# Each entry of HADOOP_CLASSPATH as it stands, in its order, whether it exists or not.
launcher_user_classpath() {
  if [[ -n ${HADOOP_USER_CLASSPATH_FIRST:-} ]]; then
    CLASSPATH=${HADOOP_CLASSPATH}:${CLASSPATH}
  else
    CLASSPATH=${CLASSPATH}:${HADOOP_CLASSPATH}
  fi
}

# launcher_heap VALUE FLAG : -Xmx or -Xms, unless an option string has one already. Plain numbers are MiB.
launcher_heap() {
  local value=$1
  [[ -n ${value} && " ${launcher_words[*]} " != *" $2"* ]] || return 0
  [[ ${value} =~ ^[0-9]+$ ]] && value+=m
  launcher_jvm+=("$2${value}")
}

# The JVM's options: what others set (split at blanks, no globbing), then ours, which may hold blanks.
launcher_jvm_options() {
  local opens line
  local options_variable=${launcher_program^^}_${launcher_subcommand^^}_OPTS
  options_variable=${options_variable//-/_}
  launcher_words=()
  launcher_jvm=()
  launcher_split "${HADOOP_OPTS}"
  [[ ${launcher_kind} == daemon ]] || launcher_split "${HADOOP_CLIENT_OPTS:-}"
  if [[ ${options_variable} =~ ^[A-Z_][A-Z0-9_]*$ ]]; then
    launcher_split "${!options_variable:-}"
  fi
  launcher_default_words
  local heap_variable=${options_variable%_OPTS}_HEAPSIZE
  [[ ${heap_variable} =~ ^[A-Z_][A-Z0-9_]*$ ]] && launcher_heap "${!heap_variable:-}" -Xmx
  [[ " ${launcher_jvm[*]}" == *" -Xmx"* ]] || launcher_heap "${HADOOP_HEAPSIZE_MAX:-}" -Xmx
  launcher_heap "${HADOOP_HEAPSIZE_MIN:-}" -Xms
  launcher_java_major
  if ((launcher_major >= 9)); then
    for opens in ${launcher_opens}; do
      launcher_jvm+=("--add-opens=${opens}=ALL-UNNAMED")
    done
    launcher_jvm+=(--add-exports=java.base/sun.net.dns=ALL-UNNAMED --add-exports=java.base/sun.net.util=ALL-UNNAMED)
  fi
  launcher_jvm+=("${launcher_words[@]}")
  for line in \
    "yarn.log.dir=${HADOOP_LOG_DIR}" "yarn.log.file=${HADOOP_LOGFILE}" \
    "yarn.home.dir=${HADOOP_YARN_HOME}" "yarn.root.logger=${HADOOP_ROOT_LOGGER}" \
    "hadoop.log.dir=${HADOOP_LOG_DIR}" "hadoop.log.file=${HADOOP_LOGFILE}" \
    "hadoop.home.dir=${HADOOP_HOME}" "hadoop.id.str=${HADOOP_IDENT_STRING}" \
    "hadoop.root.logger=${HADOOP_ROOT_LOGGER}" "hadoop.policy.file=${HADOOP_POLICYFILE}" \
    "hadoop.security.logger=${HADOOP_SECURITY_LOGGER}"; do
    # What the administrator wrote in an *_OPTS variable stands.
    [[ " ${launcher_words[*]} " == *" -D${line%%=*}="* ]] || launcher_jvm+=("-D${line}")
  done
  [[ -n ${JAVA_LIBRARY_PATH:-} ]] && launcher_jvm+=("-Djava.library.path=${JAVA_LIBRARY_PATH}")
  return 0
}

launcher_split() {
  local words
  read -r -d '' -a words <<<"$1"
  launcher_words+=("${words[@]}")
}

# A subcommand's own defaults give way to what the administrator set for the same -D key.
launcher_default_words() {
  local word
  for word in "${launcher_default_options[@]}"; do
    [[ " ${launcher_words[*]} " == *" ${word%%=*}="* ]] || launcher_words+=("${word}")
  done
}

# ---------------------------------------------------------------------------------------------------------------
# Class-data sharing
# ---------------------------------------------------------------------------------------------------------------

# The jars of the rooms one by one, in a fixed order: an archive is good for exactly this list, as the start of a class path.
# What engines do not share among tasks stays out, as they start from the archive, too: test jars and what an administrator has put
# beside the release's jars. It comes behind the configuration (launcher_other_list).
launcher_cds_jars() {
  local dir jar name LC_ALL=C
  local -A shared=()
  launcher_cds_dir=${MAMMOTH_CDS_DIR:-${HADOOP_HOME}/var/cds}
  launcher_jar_list=
  launcher_other_list=
  launcher_shared_jars
  for dir in "${launcher_jar_dirs[@]}"; do
    for jar in "${dir}"/*.jar; do
      name=${jar##*/}
      name=${name%.jar}
      if [[ ${name} == *-tests || -z ${shared[${name%%-[0-9]*}]:-} ]]; then
        [[ ! -e ${jar} ]] || launcher_other_list+=:${jar}
      else
        launcher_jar_list+=:${jar}
      fi
    done
  done
  launcher_jar_list=${launcher_jar_list#:}
}

# Fills "shared" with the names of the jars that engines share among tasks.
launcher_shared_jars() {
  local name words
  while read -r -a words; do
    [[ ${words[0]:-} == '#'* ]] && continue
    for name in "${words[@]}"; do
      shared[${name}]=yes
    done
  done <"${MAMMOTH_HOME}/${MAMMOTH_DIR}/shared-jars.txt"
}

# Made for these jars? The JVM itself compares their sizes and times, but all jars of a release carry the same time, so the release's
# BUILD, a digest of its jars, is compared too.
launcher_cds_fits() {
  local jars build
  [[ -r ${launcher_cds_dir}/client.classpath ]] || return 1
  { IFS= read -r jars && IFS= read -r build; } <"${launcher_cds_dir}/client.classpath"
  launcher_cds_build
  [[ ${jars} == "${launcher_jar_list}" && ${build} == "${launcher_build}" ]]
}

launcher_cds_build() {
  launcher_build=none
  [[ -r ${MAMMOTH_HOME}/${MAMMOTH_DIR}/BUILD ]] && read -r launcher_build <"${MAMMOTH_HOME}/${MAMMOTH_DIR}/BUILD"
}

# Lets a command or a daemon start from the archive "mammoth cds" made. The JVM wants the archive's jars first on the class path and
# no directory before them, so the configuration directory moves behind them; no jar of ours has a file named like one there.
launcher_cds() {
  local entry rest='' entries
  [[ ${MAMMOTH_CDS:-on} != off ]] || return 0
  [[ -f ${MAMMOTH_CDS_DIR:-${HADOOP_HOME}/var/cds}/client.jsa && ${CLASSPATH} == "${HADOOP_CONF_DIR}:"* ]] || return 0
  launcher_cds_jars
  launcher_cds_fits || return 0
  IFS=: read -r -a entries <<<"${CLASSPATH}"
  for entry in "${entries[@]}"; do
    hadoop_array_contains "${entry%'/*'}" "${launcher_jar_dirs[@]}" && [[ ${entry} == *'/*' ]] || rest+=:${entry}
  done
  CLASSPATH=${launcher_jar_list}${rest}${launcher_other_list}
  launcher_jvm+=("-XX:SharedArchiveFile=${launcher_cds_dir}/client.jsa" -Xshare:auto -Xlog:disable -Xlog:all=error:stderr)
}

# Most clients end before a method is worth the second compiler's time, which is half of theirs. MAMMOTH_QUICK_CLIENTS=off, or a
# -XX:TieredStopAtLevel in HADOOP_CLIENT_OPTS, is for programs that compute much in the client itself.
launcher_quick() {
  [[ ${launcher_kind} != daemon && ${MAMMOTH_QUICK_CLIENTS:-on} != off ]] || return 0
  case ${launcher_subcommand} in
    oiv | oiv_legacy | oev | gridmix | rumen* | fsImageValidation | class) return 0 ;;
  esac
  [[ " ${launcher_words[*]}" == *" -XX:TieredStopAtLevel="* || " ${launcher_words[*]}" == *" -XX:"[-+]Tiered* ]] \
    || launcher_jvm+=(-XX:TieredStopAtLevel=1)
}

# ---------------------------------------------------------------------------------------------------------------
# Subcommands
# ---------------------------------------------------------------------------------------------------------------

# Finds the subcommand's kind and class in the table; 1 if it is not there.
launcher_look_up() {
  local name kind class
  while IFS='|' read -r name kind class _; do
    if [[ ${name} == "$1" ]]; then
      launcher_kind=${kind}
      HADOOP_CLASSNAME=${class}
      return 0
    fi
  done <<<"${launcher_table}"
  return 1
}

# What any command can do without a class of its own.
launcher_builtin() {
  case ${HADOOP_CLASSNAME} in
    @classpath)
      if ((${#launcher_args[@]})); then
        HADOOP_CLASSNAME=org.apache.hadoop.util.Classpath
      else
        printf '%s\n' "${CLASSPATH}"
        exit 0
      fi
      ;;
    @envvars)
      launcher_envvars
      exit 0
      ;;
    @absent)
      hadoop_error "ERROR: ${launcher_program} ${launcher_subcommand} is not part of this release: ${launcher_absent_reason}"
      exit 1
      ;;
  esac
}

launcher_envvars() {
  local name names=(JAVA_HOME)
  case ${launcher_program} in
    hadoop) names+=(HADOOP_COMMON_HOME HADOOP_COMMON_DIR HADOOP_COMMON_LIB_JARS_DIR HADOOP_COMMON_LIB_NATIVE_DIR) ;;
    hdfs) names+=(HADOOP_HDFS_HOME HDFS_DIR HDFS_LIB_JARS_DIR) ;;
    yarn) names+=(HADOOP_YARN_HOME YARN_DIR YARN_LIB_JARS_DIR) ;;
    mapred) names+=(HADOOP_MAPRED_HOME MAPRED_DIR MAPRED_LIB_JARS_DIR) ;;
    *) names+=(MAMMOTH_HOME MAMMOTH_DIR) ;;
  esac
  names+=(HADOOP_HOME HADOOP_CONF_DIR HADOOP_TOOLS_HOME HADOOP_TOOLS_DIR HADOOP_TOOLS_LIB_JARS_DIR HADOOP_LOG_DIR)
  for name in "${names[@]}"; do
    printf "%s='%s'\n" "${name}" "${!name:-}"
  done
}

# PROGRAM_SUBCOMMAND_USER names who may run a subcommand; root changes to that user, anyone else is refused. The scripts that start
# whole clusters say so where that leaves a daemon to root; upstream's refuse it, which costs every first try in a container its time.
launcher_right_user() {
  local variable=${launcher_program^^}_${launcher_subcommand^^}_USER user
  [[ ${variable} =~ ^[A-Z_][A-Z0-9_]*$ ]] || return 0
  user=${!variable:-}
  if [[ -z ${user} && -n ${MAMMOTH_OF_CLUSTER:-} && ${launcher_daemon_mode} == start ]] && ((EUID == 0)); then
    hadoop_error "WARNING: ${launcher_subcommand} runs as root; name another user in ${variable} (${HADOOP_CONF_DIR}/hadoop-env.sh)"
  fi
  if [[ -z ${user} || ${user} == "$(id -un)" ]]; then
    return 0
  fi
  if ((EUID == 0)); then
    local again
    # Pid file and log are called after who runs the daemon.
    [[ ${launcher_ident_of_user} != true ]] || unset HADOOP_IDENT_STRING
    printf -v again '%q ' "${HADOOP_HOME}/bin/${launcher_program}" --config "${HADOOP_CONF_DIR}" "${launcher_given[@]}"
    exec su -s /bin/bash "${user}" -c "${again}"
  fi
  hadoop_error "ERROR: ${launcher_program} ${launcher_subcommand} can only be executed by ${user} (${variable})."
  exit 1
}

launcher_main() {
  launcher_given=("$@")
  launcher_parse_options "$@"
  launcher_homes
  launcher_environment
  if [[ ${launcher_wants_help} == true ]]; then
    launcher_usage
    exit 0
  fi
  ((${#launcher_args[@]})) || launcher_exit_with_usage 1
  launcher_subcommand=${launcher_args[0]}
  launcher_args=("${launcher_args[@]:1}")
  # For profiles, under upstream's names: which subcommand, of which command.
  # shellcheck disable=SC2034
  HADOOP_SUBCMD=${launcher_subcommand}

  launcher_resolve
  # Before the workers are asked: they are reached by ssh as that user.
  launcher_right_user
  if [[ ${launcher_on_workers} == true ]]; then
    launcher_run_on_workers
    exit $?
  fi
  launcher_java
  launcher_classpath
  if declare -F "${launcher_program}_before_launch" >/dev/null; then
    "${launcher_program}_before_launch"
  fi
  launcher_builtin
  launcher_call_profiles finalize
  if [[ -n ${launcher_daemon_mode} ]]; then
    launcher_daemon
  else
    launcher_jvm_options
    launcher_quick
    launcher_cds
    launcher_run
  fi
}

# From a subcommand's name to HADOOP_CLASSNAME and launcher_kind.
launcher_resolve() {
  local own=${launcher_program}_subcommand_${launcher_subcommand}
  if declare -F "${own}" >/dev/null; then
    launcher_kind=client
    HADOOP_SUBCMD_SUPPORTDAEMONIZATION=false
    "${own}" "${launcher_args[@]}"
    [[ ${HADOOP_SUBCMD_SUPPORTDAEMONIZATION} == true ]] && launcher_kind=daemon
  elif ! launcher_look_up "${launcher_subcommand}"; then
    if [[ ${launcher_takes_class} != true || ${launcher_subcommand} != *.* || ${launcher_subcommand} == -* ]]; then
      hadoop_error "ERROR: ${launcher_subcommand} is not COMMAND nor fully qualified CLASSNAME."
      launcher_exit_with_usage 1
    fi
    HADOOP_CLASSNAME=${launcher_subcommand}
    launcher_kind=client
    launcher_subcommand=class
  fi
  if [[ -n ${launcher_daemon_mode} && ${launcher_kind} != daemon ]]; then
    hadoop_error "ERROR: ${launcher_program} ${launcher_subcommand} is not a daemon: --daemon ${launcher_daemon_mode} does not apply"
    exit 1
  fi
}

launcher_run() {
  hadoop_debug "${JAVA} ${launcher_jvm[*]} ${HADOOP_CLASSNAME} ${launcher_args[*]}"
  export CLASSPATH
  exec "${JAVA}" "-Dproc_${launcher_subcommand}" "${launcher_jvm[@]}" "${HADOOP_CLASSNAME}" "${launcher_args[@]}"
}

# ---------------------------------------------------------------------------------------------------------------
# Daemons
# ---------------------------------------------------------------------------------------------------------------

launcher_daemon() {
  local name=hadoop-${HADOOP_IDENT_STRING}-${launcher_subcommand}
  local host=${HOSTNAME:-$(hostname)}
  launcher_pid_file=${HADOOP_PID_DIR}/${name}.pid
  launcher_out_file=${HADOOP_LOG_DIR}/${name}-${host}.out
  HADOOP_LOGFILE=${name}-${host}.log
  HADOOP_ROOT_LOGGER=${HADOOP_DAEMON_ROOT_LOGGER}
  if [[ -e ${launcher_pid_file} && ! -r ${launcher_pid_file} ]]; then
    hadoop_error "ERROR: ${launcher_pid_file} cannot be read by $(id -un); run this as its owner, $(stat -c %U -- "${launcher_pid_file}")"
    exit 1
  fi
  case ${launcher_daemon_mode} in
    status) launcher_daemon_status ;;
    stop) launcher_daemon_stop ;;
    start) launcher_daemon_start ;;
  esac
}

# Is there such a process, whoever's? Where /proc hides other users' processes, the kernel's refusal tells.
launcher_lives() { [[ -d /proc/$1 || $(LC_ALL=C kill -0 "$1" 2>&1) == *permitted* ]]; }

# The pid in the pid file, if that process lives and is this daemon: pids are reused after a reboot.
launcher_daemon_pid() {
  local words
  launcher_pid=
  [[ -f ${launcher_pid_file} ]] && read -r launcher_pid <"${launcher_pid_file}"
  [[ ${launcher_pid} =~ ^[0-9]+$ ]] && launcher_lives "${launcher_pid}" || return 1
  if [[ -r /proc/${launcher_pid}/cmdline ]]; then
    mapfile -d '' -t words <"/proc/${launcher_pid}/cmdline"
    hadoop_array_contains "-Dproc_${launcher_subcommand}" "${words[@]}" || return 1
  fi
}

# 0: it runs. 1: a pid file without its process. 3: it does not run. (Linux Standard Base)
launcher_daemon_status() {
  if launcher_daemon_pid; then
    printf '%s is running as process %s.\n' "${launcher_subcommand}" "${launcher_pid}"
    exit 0
  elif [[ -f ${launcher_pid_file} ]]; then
    printf '%s is stopped, but its pid file %s is still there.\n' "${launcher_subcommand}" "${launcher_pid_file}"
    exit 1
  fi
  printf '%s is stopped.\n' "${launcher_subcommand}"
  exit 3
}

launcher_daemon_stop() {
  local waited=0
  if ! launcher_daemon_pid; then
    hadoop_error "${launcher_subcommand} is not running, says ${launcher_pid_file}"
    rm -f -- "${launcher_pid_file}"
    exit 0
  fi
  if ! kill "${launcher_pid}" 2>/dev/null && launcher_lives "${launcher_pid}"; then
    hadoop_error "ERROR: ${launcher_subcommand} is process ${launcher_pid} of $(stat -c %U "/proc/${launcher_pid}" 2>/dev/null || echo 'another user'), which $(id -un) cannot end; run this as that user"
    exit 1
  fi
  while kill -0 "${launcher_pid}" 2>/dev/null; do
    if ((waited >= HADOOP_STOP_TIMEOUT * 10)); then
      hadoop_error "WARNING: ${launcher_subcommand} did not stop gracefully after ${HADOOP_STOP_TIMEOUT} seconds (HADOOP_STOP_TIMEOUT): Killing with kill -9"
      kill -9 "${launcher_pid}" 2>/dev/null
      break
    fi
    ((++waited))
    sleep 0.1
  done
  rm -f -- "${launcher_pid_file}"
  exit 0
}

launcher_need_directory() {
  if ! mkdir -p -- "$1" || [[ ! -w $1 ]]; then
    hadoop_error "ERROR: Unable to write in $1 ($2). Aborting."
    exit 1
  fi
}

launcher_daemon_start() {
  if launcher_daemon_pid; then
    hadoop_error "${launcher_subcommand} is running as process ${launcher_pid}.  Stop it first and ensure ${launcher_pid_file} file is empty before retry."
    exit 1
  fi
  launcher_need_directory "${HADOOP_PID_DIR}" HADOOP_PID_DIR
  launcher_need_directory "${HADOOP_LOG_DIR}" HADOOP_LOG_DIR
  launcher_rotate "${launcher_out_file}" 5
  launcher_jvm_options
  launcher_cds
  hadoop_debug "${JAVA} ${launcher_jvm[*]} ${HADOOP_CLASSNAME} ${launcher_args[*]}"
  export CLASSPATH
  # The subshell becomes the JVM, so its pid is the daemon's; a session of its own keeps the terminal's signals away.
  (
    trap '' HUP
    ulimit -a
    exec nice -n "${HADOOP_NICENESS}" setsid "${JAVA}" "-Dproc_${launcher_subcommand}" "${launcher_jvm[@]}" \
      "${HADOOP_CLASSNAME}" "${launcher_args[@]}"
  ) >"${launcher_out_file}" 2>&1 </dev/null &
  launcher_pid=$!
  if ! printf '%s\n' "${launcher_pid}" >"${launcher_pid_file}"; then
    hadoop_error "ERROR: Cannot write ${launcher_subcommand} pid ${launcher_pid} to ${launcher_pid_file}."
  fi
  disown "${launcher_pid}" 2>/dev/null
  launcher_watch_start
}

# A wrong JVM option or a missing class shows within half a second; later failures are in the log.
launcher_watch_start() {
  local looks
  for ((looks = 0; looks < 5; looks++)); do
    sleep 0.1
    if ! kill -0 "${launcher_pid}" 2>/dev/null; then
      hadoop_error "ERROR: ${launcher_subcommand} ended at once. The end of ${launcher_out_file}:"
      tail -n 10 -- "${launcher_out_file}" >&2
      rm -f -- "${launcher_pid_file}"
      exit 1
    fi
  done
  exit 0
}

launcher_rotate() {
  local n
  [[ -f $1 ]] || return 0
  for ((n = $2 - 1; n >= 1; n--)); do
    [[ -f $1.${n} ]] && mv -f -- "$1.${n}" "$1.$((n + 1))"
  done
  mv -f -- "$1" "$1.1"
}

# ---------------------------------------------------------------------------------------------------------------
# Workers
# ---------------------------------------------------------------------------------------------------------------

# The hosts to work on, in launcher_hosts: HADOOP_WORKER_NAMES, or the file HADOOP_WORKERS without its comments.
launcher_read_hosts() {
  local line
  launcher_hosts=()
  if [[ -n ${HADOOP_WORKER_NAMES:-} ]]; then
    read -r -a launcher_hosts <<<"${HADOOP_WORKER_NAMES}"
    return
  fi
  local file=${HADOOP_WORKERS:-${HADOOP_CONF_DIR}/workers}
  if [[ ! -f ${file} ]]; then
    hadoop_error "ERROR: the list of workers ${file} is not there; write one host per line, or set HADOOP_WORKERS"
    exit 1
  fi
  while read -r line || [[ -n ${line} ]]; do
    line=${line%%#*}
    line=${line//[[:space:]]/}
    [[ -n ${line} ]] && launcher_hosts+=("${line}")
  done <"${file}"
}

launcher_is_local() {
  case $1 in
    localhost | localhost.* | 127.* | ::1 | 0.0.0.0 | "${HOSTNAME}") return 0 ;;
  esac
  if [[ -z ${launcher_local_names+set} ]]; then
    launcher_local_names=" $(hostname -f 2>/dev/null) $(hostname -I 2>/dev/null) "
  fi
  [[ ${launcher_local_names} == *" $1 "* ]]
}

# Runs this very command on every host: here without ssh, elsewhere through it, at most HADOOP_SSH_PARALLEL at once.
launcher_run_on_workers() {
  local host command=("${HADOOP_HOME}/bin/${launcher_program}" --config "${HADOOP_CONF_DIR}") running=0 failed=0
  [[ -n ${launcher_daemon_mode} ]] && command+=(--daemon "${launcher_daemon_mode}")
  [[ -n ${HADOOP_LOGLEVEL:-} ]] && command+=(--loglevel "${HADOOP_LOGLEVEL}")
  command+=("${launcher_subcommand}" "${launcher_args[@]}")
  launcher_read_hosts
  # The children must not go round again.
  unset HADOOP_WORKER_NAMES
  for host in "${launcher_hosts[@]}"; do
    launcher_run_on "${host}" "${command[@]}" &
    ((++running))
    if ((running >= HADOOP_SSH_PARALLEL)); then
      wait -n || failed=1
      ((--running))
    fi
  done
  while ((running-- > 0)); do
    wait -n || failed=1
  done
  return "${failed}"
}

launcher_run_on() {
  local host=$1 status
  shift
  if launcher_is_local "${host}"; then
    "$@" 2> >(sed "s/^/${host}: /" >&2)
    return
  fi
  # shellcheck disable=SC2086 # the options are words
  ssh ${HADOOP_SSH_OPTS} "${host}" -- "$(printf '%q ' "$@")" 2>&1 | sed "s/^/${host}: /"
  status=${PIPESTATUS[0]}
  return "${status}"
}

# ---------------------------------------------------------------------------------------------------------------
# State, once
# ---------------------------------------------------------------------------------------------------------------

launcher_program=${launcher_program:-hadoop}
# Where the command that reads this file is.
launcher_home=${launcher_home:-}
# shellcheck disable=SC2034 # for profiles
HADOOP_SHELL_EXECNAME=${launcher_program}
launcher_args=()
launcher_extra_usage=()
launcher_extra_options=()
launcher_daemon_mode=
launcher_default_options=()
launcher_absent_reason=
launcher_wants_help=false
launcher_on_workers=false
launcher_ident_of_user=false
launcher_workers_in_conf=false
launcher_takes_class=true
launcher_table=
HADOOP_SHELL_PROFILES=()
