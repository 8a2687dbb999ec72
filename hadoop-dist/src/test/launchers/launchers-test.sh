#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# launchers-test.sh RELEASE ADDON WORK : unpacks the two archives below WORK and tries the commands. Exits with the number of failures.
#
# Most cases run with a java that only writes down how it was called; the last ones run the real one.
# shellcheck disable=SC2317 # check calls them by name
# shellcheck disable=SC2016 # an inner shell expands what is quoted
set -uo pipefail

tarball=$1
addon=$2
work=$3/launchers
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
failures=0
cases=0

# --- The smallest harness that does -------------------------------------------------------------------------------------

check() {
  local what=$1
  shift
  ((++cases))
  if "$@"; then
    printf 'ok    %s\n' "${what}"
  else
    ((++failures))
    printf 'FAIL  %s\n' "${what}"
    printf '      status %s\n' "${status:-}"
    sed 's/^/      out: /' "${work}/out" | head -n 12
    sed 's/^/      err: /' "${work}/err" | head -n 12
  fi
}

# run COMMAND... : its output in out and err, its exit status in status.
run() {
  rm -f -- "${work}"/args*
  "$@" >"${work}/out" 2>"${work}/err" </dev/null
  status=$?
}

exited() { [[ ${status} == "$1" ]]; }
out_has() { grep -qF -- "$1" "${work}/out"; }
err_has() { grep -qF -- "$1" "${work}/err"; }
err_empty() { [[ ! -s ${work}/err ]]; }
# The fake java's call, one word a line.
arg() { grep -qxF -- "$1" "${work}/args"; }
no_arg() { [[ -s ${work}/args ]] && ! grep -qF -- "$1" "${work}/args"; }
# soon COMMAND... : does it succeed within ten seconds?
soon() {
  local looks
  for ((looks = 0; looks < 50; looks++)); do
    "$@" && return 0
    sleep 0.2
  done
  return 1
}
# before A B : does A come before B among the words?
before() { (($(grep -nxF -- "$1" "${work}/args" | cut -d: -f1 | head -n 1) < $(grep -nxF -- "$2" "${work}/args" | cut -d: -f1 | head -n 1))); }

# --- The release, in a folder with a blank in its name -----------------------------------------------------------------

set_up() {
  umask 022
  rm -rf -- "${work}"
  mkdir -p "${work}/in stall" "${work}/fake jdk/bin" "${work}/conf" "${work}/pid" "${work}/log"
  tar -xzf "${tarball}" -C "${work}/in stall" --strip-components=1 || exit 1
  home="${work}/in stall"
  real_java_home=${JAVA_HOME:-$(readlink -f "$(command -v java)" | sed 's#/bin/java$##')}
  cat >"${work}/fake jdk/bin/java" <<'JAVA'
#!/usr/bin/env bash
printf '%s\n' "$@" >"${ARGS_FILE}"
printf '%s\n' "${CLASSPATH}" >"${ARGS_FILE}.classpath"
JAVA
  chmod 755 "${work}/fake jdk/bin/java"
  printf 'JAVA_VERSION="17.0.1"\n' >"${work}/fake jdk/release"
  cp "${home}"/etc/hadoop/* "${work}/conf/"
  unset HADOOP_HOME HADOOP_CONF_DIR HADOOP_OPTS HADOOP_CLIENT_OPTS HADOOP_CLASSPATH HADOOP_LIBEXEC_DIR HADOOP_HEAPSIZE_MAX
  unset HADOOP_COMMON_HOME HADOOP_HDFS_HOME HADOOP_YARN_HOME HADOOP_MAPRED_HOME
  export HADOOP_PID_DIR=${work}/pid HADOOP_LOG_DIR="${work}/log" HADOOP_IDENT_STRING=test HOME=${work}
  export ARGS_FILE=${work}/args JAVA_HOME="${work}/fake jdk"
}

commands=(hadoop hdfs yarn mapred mammoth)

# The rows of a command's table: name|kind|class|text.
table_of() { sed -n "/^launcher_table='/,/'\$/p" "${home}/bin/$1" | sed "s/^launcher_table='//; s/'\$//"; }

test_usage() {
  local command name
  for command in "${commands[@]}"; do
    run "${home}/bin/${command}" --help
    check "${command} --help succeeds" exited 0
    while IFS='|' read -r name _; do
      grep -qE "^${name} +[^ ]" "${work}/out" || check "${command} --help explains ${name}" false
    done < <(table_of "${command}")
    run "${home}/bin/${command}"
    check "${command} alone fails" exited 1
    check "${command} alone says how it is used" err_has "Usage: ${command} [OPTIONS] SUBCOMMAND"
    run "${home}/bin/${command}" nonsense
    check "${command} nonsense fails" exited 1
    check "${command} nonsense is named" err_has 'ERROR: nonsense is not COMMAND'
    run "${home}/bin/${command}" --nonsense
    check "${command} --nonsense fails" exited 1
  done
  run "${home}/bin/hadoop" trace
  check "what is not in the release says so" err_has 'is not part of this release'
  run "${home}/bin/hdfs" --daemon start dfs
  check "a client is no daemon" exited 1
  run "${home}/bin/hdfs" --daemon begin namenode
  check "--daemon begin is refused" exited 1
}

test_classes() {
  local names
  names=$(for command in "${commands[@]}"; do table_of "${command}" | cut -d'|' -f3 | grep -v '^@'; done | sort -u)
  # shellcheck disable=SC2086 # one word per class
  run "${real_java_home}/bin/java" -cp "$(all_jars):$(test_jars)" "${here}/LookUp.java" class ${names}
  check "LookUp runs" exited 0
  check "every subcommand's class is in the release" [ ! -s "${work}/out" ]
  # shellcheck disable=SC2046 # one word per file
  run "${real_java_home}/bin/java" -cp "$(all_jars)" "${here}/LookUp.java" resource $(ls "${home}/etc/hadoop") core-site.xml
  check "no jar hides a file of the configuration directory" [ ! -s "${work}/out" ]
}

test_jars() { find "${home}/share/hadoop" -name '*-tests.jar' | sort | paste -sd:; }

all_jars() { find "${home}/share/hadoop" -name '*.jar' ! -name '*-tests.jar' ! -path '*/workloads/*' | sort | paste -sd:; }

test_config() {
  run "${home}/bin/hadoop" --config "${work}/conf" fs -ls /
  check "--config leads to that directory" grep -q "^${work}/conf:" "${work}/args.classpath"
  run "${home}/bin/hadoop" --config "${work}/absent" fs
  check "an absent --config is refused" exited 1
  check "an absent --config is named" err_has "${work}/absent"
  run env HADOOP_CONF_DIR="${work}/conf" "${home}/bin/yarn" node -list
  check "HADOOP_CONF_DIR leads to that directory" grep -q "^${work}/conf:" "${work}/args.classpath"
  check "the class is the subcommand's" arg org.apache.hadoop.yarn.client.cli.NodeCLI
  check "arguments are handed on" arg -list
  run "${home}/bin/yarn" application -list
  check "yarn application names itself to its class" before application -list
  run "${home}/bin/hadoop" com.example.Main 'two words' '*'
  check "a class name is a command" arg com.example.Main
  check "blanks in arguments survive" arg 'two words'
  check "stars in arguments survive" arg '*'
  run "${home}/bin/hadoop" --loglevel WARN fs
  check "--loglevel sets the logger" arg -Dhadoop.root.logger=WARN,console
  run "${home}/bin/mammoth" engine -status -json
  check "mammoth engine hands on its own name" before engine -status
  run env JAVA_HOME="${real_java_home}" "${home}/bin/mammoth" doctor
  check "mammoth doctor finds nothing wrong with the release as it is" exited 0
  check "it looks at the release's own configuration" out_has "container-executor: MammothContainerExecutor"
  run "${home}/bin/hdfs" mpcache -datasets -json
  check "hdfs mpcache hands on its arguments" before -datasets -json
  ln -sfn "${home}/bin/hdfs" "${work}/link"
  run "${work}/link" dfs -ls
  check "a symbolic link finds its release" arg "-Dhadoop.home.dir=${home}"
  run env HADOOP_HOME="${home}" bash -c 'cp "$0/bin/hdfs" "$1/copy" && "$1/copy" dfs' "${home}" "${work}"
  check "HADOOP_HOME leads to the release" arg "-Dhadoop.home.dir=${home}"
  run env HADOOP_PREFIX="${home}" "${home}/bin/hdfs" dfs
  check "an old name is understood" arg "-Dhadoop.home.dir=${home}"
  check "an old name is mentioned" err_has 'HADOOP_PREFIX has been replaced by HADOOP_HOME'
}

# A cluster is made of the release's own configuration, wherever this shell's commands look.
test_configure() {
  local name client=(env "JAVA_HOME=${real_java_home}" "HADOOP_CONF_DIR=${work}/client" "YARN_CONF_DIR=${work}/client")
  local plan=(--master m1 --workers "w1,w2" --disks /data1)
  mkdir -p "${work}/client"
  for name in core hdfs yarn mapred; do
    printf '<configuration/>\n' >"${work}/client/${name}-site.xml"
  done
  run "${client[@]}" "${home}/bin/mammoth" configure "${plan[@]}" --to "${work}/cluster"
  check "mammoth configure makes a cluster of the release's configuration" exited 0
  check "with Mammoth's executor" grep -q MammothContainerExecutor "${work}/cluster/yarn-site.xml"
  check "which is copied over the release's" out_has "over its ${home}/etc/hadoop"
  run "${client[@]}" "${home}/bin/mammoth" configure "${plan[@]}" --to "${work}/of-client" --conf-dir "${work}/client"
  check "a client's configuration is refused" exited 1
  check "and named" err_has "${work}/client/yarn-site.xml has no executor of Mammoth's"
  run env "JAVA_HOME=${real_java_home}" "HADOOP_CONF_DIR=${work}/client" "${home}/bin/mammoth" --config "${work}/conf" configure "${plan[@]}" --to "${work}/of-config"
  check "--config leads to another one" out_has "over its ${work}/conf"
}

# A Java that only the cluster knows of.
test_java_of_cluster() {
  local name
  mkdir -p "${work}/few" "${work}/old/share/hadoop/common" "${work}/old/etc/hadoop"
  for name in bash env grep readlink sed stat tail; do
    ln -s "$(command -v "${name}")" "${work}/few/${name}"
  done
  ln -s "${work}/fake jdk" "${work}/jdk-of-cluster"
  printf '# export JAVA_HOME=/not/this\n  export JAVA_HOME="%s" # here\n' "${work}/jdk-of-cluster" >"${work}/old/etc/hadoop/hadoop-env.sh"
  run env -u JAVA_HOME "PATH=${work}/few" "${home}/bin/mammoth-upgrade" check --hadoop-home "${work}/old"
  check "mammoth-upgrade runs on the Java of the cluster's hadoop-env.sh" arg org.mammoth.upgrade.cli.UpgradeCli
  test_java_of_stranger
}

# Root runs no program that another user can exchange, whoever names it.
test_java_of_stranger() {
  local stranger="${work}/java of nobody" pid
  ((EUID == 0)) || return 0
  cp -r "${work}/fake jdk" "${stranger}"
  chown -R nobody "${stranger}"
  ln -s "${stranger}" "${work}/jdk-of-nobody"
  printf 'export JAVA_HOME="%s"\n' "${work}/jdk-of-nobody" >"${work}/old/etc/hadoop/hadoop-env.sh"
  run env -u JAVA_HOME "PATH=${work}/few" "${home}/bin/mammoth-upgrade" check --hadoop-home "${work}/old"
  check "root does not run another user's Java that hadoop-env.sh names" [ ! -e "${work}/args" ]
  : >"${work}/old/etc/hadoop/hadoop-env.sh"
  # What runs has the name of a NodeManager, and the program of whoever started it.
  cp -- "$(command -v sleep)" "${stranger}/bin/java"
  setpriv --reuid=nobody --clear-groups bash -c 'exec -a -Dproc_nodemanager "$0" 300' "${stranger}/bin/java" &
  pid=$!
  soon grep -qzx -e -Dproc_nodemanager "/proc/${pid}/cmdline"
  run env -u JAVA_HOME "PATH=${work}/few" bash -x "${home}/bin/mammoth-upgrade" check --hadoop-home "${work}/old"
  check "nor that of a process that calls itself a NodeManager" bash -c "! grep -qE '^\++ exec .*java of nobody' '${work}/err'"
  kill "${pid}"
}

# YARN with a configuration of its own, whatever the other commands have.
test_yarn_config() {
  local both=(env "HADOOP_CONF_DIR=${work}/conf" "YARN_CONF_DIR=${work}/yarn conf")
  mkdir -p "${work}/yarn conf"
  cp "${home}"/etc/hadoop/* "${work}/yarn conf/"
  printf 'export YARN_TOP_OPTS=-Dfrom.own.yarn.env=1\n' >>"${work}/yarn conf/yarn-env.sh"
  run "${both[@]}" "${home}/bin/yarn" top
  check "YARN_CONF_DIR is where yarn has its configuration" grep -q "^${work}/yarn conf:" "${work}/args.classpath"
  check "with a warning" err_has 'YARN_CONF_DIR has been replaced by HADOOP_CONF_DIR'
  check "its yarn-env.sh is read" arg -Dfrom.own.yarn.env=1
  run "${both[@]}" "${home}/bin/mammoth" engine -status
  check "and where mammoth looks" grep -q "^${work}/yarn conf:" "${work}/args.classpath"
  run "${both[@]}" "${home}/bin/hdfs" dfs
  check "and no other command" grep -q "^${work}/conf:" "${work}/args.classpath"
  run env YARN_CONF_DIR="${work}/yarn conf" "${home}/bin/hdfs" dfs
  check "not even without HADOOP_CONF_DIR" grep -q "^${home}/etc/hadoop:" "${work}/args.classpath"
  run env HADOOP_CONF_DIR="${work}/conf" YARN_CONF_DIR="${work}/conf" "${home}/bin/yarn" top
  check "two names of one folder are nothing to warn of" err_empty
  run env YARN_CONF_DIR="${work}/absent" "${home}/bin/yarn" top
  check "an absent YARN_CONF_DIR is named" err_has "${work}/absent does not exist"
  run env YARN_USER_CLASSPATH_FIRST=yes HADOOP_CLASSPATH=/mine.jar "${home}/bin/yarn" classpath
  check "YARN_USER_CLASSPATH_FIRST is understood" grep -q '^/mine.jar:' "${work}/out"
}

# The scripts of sbin, with a java that writes down each call and lives on where a daemon would.
test_cluster() {
  local daemon named=() started
  # As root these scripts run daemons of named users only.
  for daemon in HDFS_{NAMENODE,DATANODE,SECONDARYNAMENODE,JOURNALNODE} YARN_{RESOURCEMANAGER,NODEMANAGER}; do
    named+=("${daemon}_USER=$(id -un)")
  done
  started=(env "JAVA_HOME=${work}/cluster jdk" "HADOOP_CONF_DIR=${work}/conf" "${named[@]}")
  mkdir -p "${work}/cluster jdk/bin"
  cp "${work}/fake jdk/release" "${work}/cluster jdk/"
  cat >"${work}/cluster jdk/bin/java" <<'JAVA'
#!/usr/bin/env bash
[[ " $*" =~ \ org\.apache\.hadoop\.[A-Za-z.]*\.([A-Za-z]+)(\ .*)?$ ]] || exit 1
name=${BASH_REMATCH[1]}
printf '%s%s of %s\n' "${name}" "${BASH_REMATCH[2]}" "${CLASSPATH%%:*}" >>"${ARGS_FILE}.calls"
if [[ ${name} == GetConf ]]; then
  [[ $* != *' -namenodes' ]] || printf 'localhost\n'
  [[ -f ${ARGS_FILE%/*}/getconf-values ]] || exit 0
  # As upstream's, which prints a key that has no value and fails.
  sed -n "s|^${!#}=||p" "${ARGS_FILE%/*}/getconf-values" | grep . && exit 0
  printf 'Configuration %s is missing.\n' "${!#}" >&2
  exit 255
fi
sleep 60 &
trap 'kill $!; exit' TERM
wait
JAVA
  chmod 755 "${work}/cluster jdk/bin/java"
  called() { grep -qxF -- "$1" "${work}/args.calls"; }
  run "${started[@]}" "${home}/sbin/start-dfs.sh"
  check "start-dfs.sh starts a NameNode" called "NameNode of ${work}/conf"
  check "and DataNodes" called "DataNode of ${work}/conf"
  check "and succeeds" exited 0
  run "${started[@]}" "${home}/sbin/stop-dfs.sh"
  check "stop-dfs.sh stops them" exited 0
  run "${started[@]}" "${home}/sbin/start-dfs.sh" -upgrade -clusterId cluster
  check "start-dfs.sh -upgrade is for the NameNode" called "NameNode -upgrade -clusterId cluster of ${work}/conf"
  check "and not for DataNodes" called "DataNode of ${work}/conf"
  run "${started[@]}" "${home}/sbin/stop-dfs.sh"
  run "${started[@]}" "${home}/sbin/start-dfs.sh" -rollback
  check "start-dfs.sh -rollback is for DataNodes" called "DataNode -rollback of ${work}/conf"
  check "and not for the NameNode, which would ask for ever" called "NameNode of ${work}/conf"
  run "${started[@]}" "${home}/sbin/stop-dfs.sh"
  run "${started[@]}" "${home}/sbin/start-dfs.sh" -upgrade -rollback
  check "both at once are refused" exited 1
  run "${started[@]}" "${home}/sbin/start-dfs.sh" -format
  check "start-dfs.sh -format is refused" exited 1
  check "and says what it takes" err_has 'Usage: start-dfs.sh [--config DIR] [-upgrade|-rollback] [-clusterId ID]'
  check "and starts nothing" [ ! -e "${work}/args.calls" ]
  run "${started[@]}" "YARN_CONF_DIR=${work}/yarn conf" "${home}/sbin/start-yarn.sh"
  check "start-yarn.sh reads YARN's own configuration" called "GetConf -confKey yarn.resourcemanager.ha.enabled of ${work}/yarn conf"
  check "for its daemons, too" called "NodeManager of ${work}/yarn conf"
  run "${started[@]}" "YARN_CONF_DIR=${work}/yarn conf" "${home}/sbin/stop-yarn.sh"
  check "stop-yarn.sh stops them" exited 0
  test_resource_managers
}

# Several ResourceManagers have host names in the configuration, or addresses.
test_resource_managers() {
  local values=${work}/getconf-values
  printf '%s\n' yarn.resourcemanager.ha.enabled=true yarn.resourcemanager.ha.rm-ids=rm1 yarn.resourcemanager.address.rm1=localhost:8032 >"${values}"
  run "${started[@]}" "${home}/sbin/start-yarn.sh"
  check "start-yarn.sh knows a ResourceManager by its address" called "ResourceManager of ${work}/conf"
  check "and starts NodeManagers" called "NodeManager of ${work}/conf"
  run "${started[@]}" "${home}/sbin/stop-yarn.sh"
  check "stop-yarn.sh stops them all" exited 0
  printf '%s\n' yarn.resourcemanager.ha.enabled=true yarn.resourcemanager.ha.rm-ids=rm1 >"${values}"
  run "${started[@]}" "${home}/sbin/start-yarn.sh"
  check "start-yarn.sh names the key of one that is nowhere" err_has 'set yarn.resourcemanager.hostname.rm1'
  check "and starts NodeManagers" called "NodeManager of ${work}/conf"
  check "and fails" exited 1
  run "${started[@]}" "${home}/sbin/stop-yarn.sh"
  rm "${values}"
}

# What leads astray or stands in the way is named, with what to do.
test_cluster_refusals() {
  local name
  run env JAVA_HOME="${work}/no jdk" "${home}/sbin/start-dfs.sh"
  check "start-dfs.sh shows why there is no NameNode" err_has "${work}/no jdk"
  check "and starts nothing" exited 1
  run env JAVA_HOME="${work}/no jdk" "${home}/sbin/start-yarn.sh"
  check "start-yarn.sh does not take that for an answer" exited 1
  check "and starts nothing either" bash -c "! grep -q Starting '${work}/out'"
  mkdir -p "${work}/apache/libexec" "${work}/apache/bin"
  printf 'hadoop_error() { :; }\n' >"${work}/apache/libexec/hadoop-functions.sh"
  for name in "${commands[@]}"; do
    run env HADOOP_HOME="${work}/apache" "${home}/bin/${name}" version
    check "${name}: another HADOOP_HOME is refused" exited 1
    check "${name}: it is named, and what to set" err_has "leads to another Hadoop, in ${work}/apache; unset it, or set HADOOP_HOME to ${home}"
  done
  run env HADOOP_LIBEXEC_DIR="${work}/apache/libexec" "${home}/bin/hdfs" version
  check "so is another HADOOP_LIBEXEC_DIR" err_has "leads to another Hadoop, in ${work}/apache/libexec"
  mkdir -p "${work}/moved/bin"
  cp "${home}/bin/hdfs" "${work}/moved/bin"
  run env HADOOP_HOME="${home}" HADOOP_LIBEXEC_DIR="${home}/libexec" "${work}/moved/bin/hdfs" dfs
  check "a command may lie elsewhere than what it is made of" arg org.apache.hadoop.fs.FsShell
  for name in "${commands[@]}"; do
    cp "${home}/bin/${name}" "${work}/moved/bin"
    run env -u HADOOP_HOME -u HADOOP_LIBEXEC_DIR "${work}/moved/bin/${name}" version
    check "${name}: which lies elsewhere says what to set" err_has "set HADOOP_HOME to the release's folder"
  done
  run env HADOOP_PREFIX="${work}/apache" "${home}/bin/hdfs" dfs
  check "so is another HADOOP_PREFIX" err_has "HADOOP_HOME=${work}/apache is another Hadoop"
  run env HADOOP_HOME="${work}/apache" "${home}/sbin/start-dfs.sh"
  check "so it is by start-dfs.sh" err_has "HADOOP_HOME=${work}/apache is another Hadoop"
  run bash -c 'old=(4 2); source <(sed "s/BASH_VERSINFO/old/g" "$0/libexec/hadoop-functions.sh")' "${home}"
  check "an old bash is named" err_has 'this needs bash 4.4 or later'
  touch "${home}/share/hadoop/mammoth/mammoth-engine-99.1.jar"
  run "${home}/bin/hdfs" dfs
  check "two releases in one folder are refused" exited 1
  check "and named" err_has 'mammoth-engine-99.1.jar'
  rm "${home}/share/hadoop/mammoth/mammoth-engine-99.1.jar"
  printf 'localhost\r\n\tlocalhost\t# twice\n' >"${work}/hosts"
  run "${home}/bin/hdfs" --workers --hosts "${work}/hosts" dfs
  check "hosts may stand between tabs and before carriage returns" arg org.apache.hadoop.fs.FsShell
}

# What root does for other users, and they do to each other's daemons.
test_users() {
  local pid as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  if ((EUID != 0)) || ! "${as_nobody[@]}" test -x "${home}/bin/hdfs" 2>/dev/null; then
    printf 'skip  other users: this is not root, or others cannot read %s\n' "${work}"
    return
  fi
  mkdir -p "${work}/users jdk/bin" "${work}/shared/pid" "${work}/shared/log"
  cp "${work}/fake jdk/release" "${work}/users jdk/"
  # A JVM's command line has the word by which a daemon is known.
  printf '#!/usr/bin/env bash\nread -r -t 120 line <>"%s/shared/fifo"\n' "${work}" >"${work}/users jdk/bin/java"
  chmod 755 "${work}/users jdk/bin/java"
  mkfifo "${work}/shared/fifo"
  chmod -R a+rwX "${work}/shared"
  local hdfs=(env "JAVA_HOME=${work}/users jdk" "HADOOP_PID_DIR=${work}/shared/pid" "HADOOP_LOG_DIR=${work}/shared/log" "${home}/bin/hdfs")
  run "${hdfs[@]}" --daemon start namenode
  check "root starts a daemon" exited 0
  pid=$(<"${work}/shared/pid/hadoop-test-namenode.pid")
  run "${as_nobody[@]}" "${hdfs[@]}" --daemon status namenode
  check "another user sees that it runs" exited 0
  run "${as_nobody[@]}" "${hdfs[@]}" --daemon stop namenode
  check "he cannot stop it" exited 1
  check "and hears whose it is" err_has "namenode is process ${pid} of root, which nobody cannot end"
  check "its pid file stays" [ -s "${work}/shared/pid/hadoop-test-namenode.pid" ]
  run "${as_nobody[@]}" "${hdfs[@]}" --daemon start namenode
  check "and he starts no second one" err_has "namenode is running as process ${pid}"
  run "${hdfs[@]}" --daemon stop namenode
  check "its owner stops it" exited 0
  check "it is gone" bash -c "! kill -0 ${pid} 2>/dev/null"
  run "${hdfs[@]}" --daemon stop namenode
  check "to stop what does not run is no error" exited 0
  check "but is told" err_has "namenode is not running, says ${work}/shared/pid/hadoop-test-namenode.pid"

  printf 'localhost\n' >"${work}/conf/workers"
  cat >"${work}/users jdk/bin/java" <<JAVA
#!/usr/bin/env bash
[[ "\$*" != *GetConf* ]] || { [[ "\$*" != *-namenodes* ]] || echo localhost; exit 0; }
id -un >"${work}/shared/who"
read -r -t 120 line <>"${work}/shared/fifo"
JAVA
  run env "JAVA_HOME=${work}/users jdk" "${home}/sbin/start-dfs.sh" --config "${work}/conf"
  check "root starts a cluster" exited 0
  check "and hears that it is root's" err_has 'namenode runs as root; name another user in HDFS_NAMENODE_USER'
  run env "JAVA_HOME=${work}/users jdk" "${home}/sbin/stop-dfs.sh" --config "${work}/conf"
  check "and stops it" exited 0
  rm -f -- "${work}/shared/who"
  local of_nobody=(env -u HADOOP_IDENT_STRING USER=root HDFS_NAMENODE_USER=nobody HDFS_DATANODE_USER=nobody HDFS_SECONDARYNAMENODE_USER=nobody)
  run "${of_nobody[@]}" "${hdfs[@]}" --workers --hostnames localhost --daemon start namenode
  check "root starts a daemon for a named user" exited 0
  check "which is that user's" soon grep -qx nobody "${work}/shared/who"
  check "and is called after him" [ -s "${work}/shared/pid/hadoop-nobody-namenode.pid" ]
  run "${as_nobody[@]}" "${of_nobody[@]}" USER=nobody "${hdfs[@]}" --daemon stop namenode
  check "so that he can stop it" exited 0
  check "and has" [ ! -e "${work}/shared/pid/hadoop-nobody-namenode.pid" ]
  cat >"${work}/fake jdk/bin/ssh" <<SSH
#!/usr/bin/env bash
id -un >"${work}/shared/of-ssh"
SSH
  chmod 755 "${work}/fake jdk/bin/ssh"
  run "${of_nobody[@]}" PATH="${work}/fake jdk/bin:${PATH}" "${hdfs[@]}" --workers --hostnames away --daemon stop namenode
  check "ssh is that user's, too" [ "$(cat "${work}/shared/of-ssh" 2>/dev/null)" = nobody ]
}

test_options() {
  printf 'export HDFS_NAMENODE_OPTS="-Dnn=1 -Xmx77m"\nexport YARN_NODEMANAGER_OPTS=-Dnm=1\nexport HADOOP_HEAPSIZE_MAX=99\n' \
    >>"${work}/conf/hadoop-env.sh"
  printf 'export YARN_TOP_OPTS=-Dfrom.yarn.env=1\n' >>"${work}/conf/yarn-env.sh"
  printf 'export MAPRED_HISTORYSERVER_OPTS=-Dhs=1\n' >>"${work}/conf/mapred-env.sh"
  run "${home}/bin/hdfs" --config "${work}/conf" namenode
  check "HDFS_NAMENODE_OPTS reach the NameNode" arg -Dnn=1
  check "its -Xmx stands" arg -Xmx77m
  check "and is the only one" no_arg -Xmx99m
  check "the NameNode gets a security log" arg -Dhadoop.security.logger=INFO,RFAS
  check "the JDK is opened" arg --add-opens=java.base/java.lang=ALL-UNNAMED
  check "the process can be told from others" arg -Dproc_namenode
  run "${home}/bin/yarn" --config "${work}/conf" nodemanager
  check "YARN_NODEMANAGER_OPTS reach the NodeManager" arg -Dnm=1
  check "HADOOP_HEAPSIZE_MAX is in MiB" arg -Xmx99m
  run "${home}/bin/yarn" nodemanager
  check "a NodeManager has 1 GiB by default, of which its offer is computed" arg -Xmx1g
  run env YARN_NODEMANAGER_OPTS=-Xmx2g HADOOP_HEAPSIZE_MAX=99 "${home}/bin/yarn" nodemanager
  check "its options go before" arg -Xmx2g
  check "and are the only ones" no_arg -Xmx99m
  run "${home}/bin/yarn" --config "${work}/conf" top
  check "yarn-env.sh is read" arg -Dfrom.yarn.env=1
  run "${home}/bin/mapred" --config "${work}/conf" historyserver
  check "mapred-env.sh is read" arg -Dhs=1
  run env HADOOP_CLIENT_OPTS=-Dclient=1 HADOOP_OPTS=-Dall=1 "${home}/bin/hdfs" datanode
  check "HADOOP_OPTS reach daemons" arg -Dall=1
  check "HADOOP_CLIENT_OPTS do not" no_arg -Dclient=1
  check "daemons keep both compilers" no_arg -XX:TieredStopAtLevel
  run env HADOOP_CLIENT_OPTS=-Dclient=1 HADOOP_OPTS='-Dall=1 -Dhadoop.id.str=mine' HDFS_DFS_OPTS=-Dlast=1 "${home}/bin/hdfs" dfs
  check "HADOOP_CLIENT_OPTS reach clients" arg -Dclient=1
  check "a subcommand's options come last" before -Dclient=1 -Dlast=1
  check "what an administrator set is not set again" no_arg -Dhadoop.id.str=test
  check "clients compile quickly" arg -XX:TieredStopAtLevel=1
  run env MAMMOTH_QUICK_CLIENTS=off "${home}/bin/hdfs" dfs
  check "unless that is switched off" no_arg -XX:TieredStopAtLevel
  run env HADOOP_NAMENODE_OPTS=-Dold=1 "${home}/bin/hdfs" namenode
  check "HADOOP_NAMENODE_OPTS still work" arg -Dold=1
  check "with a warning" err_has 'HADOOP_NAMENODE_OPTS has been replaced by HDFS_NAMENODE_OPTS'
  run env HDFS_DATANODE_USER=somebody-else "${home}/bin/hdfs" datanode
  check "HDFS_DATANODE_USER keeps others out" [ "${status}" != 0 ]
}

test_classpath() {
  local entry missing='' jars
  run "${home}/bin/hadoop" classpath
  while IFS= read -r -d: entry; do
    [[ -e ${entry%'/*'} ]] || missing+=" ${entry}"
  done <"${work}/out"
  check "each entry of the class path exists" [ -z "${missing}" ]
  check "our jars are on it" grep -qF 'share/hadoop/mammoth/*' "${work}/out"
  run env HADOOP_CLASSPATH=/mine/*:/and/that.jar "${home}/bin/hadoop" classpath
  check "HADOOP_CLASSPATH comes last" grep -q ':/mine/\*:/and/that.jar$' "${work}/out"
  run env HADOOP_CLASSPATH=/mine.jar HADOOP_USER_CLASSPATH_FIRST=true "${home}/bin/hadoop" classpath
  check "or first, if wanted" grep -q '^/mine.jar:' "${work}/out"
  run env HADOOP_CLASSPATH=/mine.jar HADOOP_USE_CLIENT_CLASSLOADER=true "${home}/bin/hadoop" jar x.jar
  check "or not at all, for RunJar's own loader" bash -c "! grep -qF /mine.jar '${work}/args.classpath'"
  run "${home}/bin/mapred" streaming
  check "streaming has its tools" grep -qF 'share/hadoop/tools/lib/*' "${work}/args.classpath"
  run env HADOOP_OPTIONAL_TOOLS=hadoop-distcp "${home}/bin/hadoop" fs
  check "HADOOP_OPTIONAL_TOOLS adds tools" grep -qF 'share/hadoop/tools/lib/*' "${work}/args.classpath"
  for entry in hadoop yarn; do
    run "${home}/bin/${entry}" jar "${home}"/share/hadoop/mapreduce/hadoop-mapreduce-client-jobclient-*-tests.jar
    check "${entry} jar has JUnit for the programs of the test jar" grep -q ':[^:]*/tools/lib/junit-[^:]*\.jar:' "${work}/args.classpath"
    run "${home}/bin/${entry}" jar "${home}"/share/hadoop/mapreduce/hadoop-mapreduce-examples-*.jar
    check "${entry} jar has none for other jars" bash -c "! grep -q 'junit\|yarn/test' '${work}/args.classpath'"
  done
  run "${home}/bin/mapred" minicluster
  check "the mini cluster has its jar" grep -q '/yarn/test/hadoop-yarn-server-tests-' "${work}/args.classpath"
  run env JAVA_HOME="${real_java_home}" "${home}/bin/hadoop" classpath --glob
  jars=$(find "${home}/share/hadoop" -name '*.jar' ! -path '*/tools/*' ! -path '*/workloads/*' ! -path '*/console/*' ! -path '*/upgrade/*' ! -path '*/yarn/test/*' | wc -l)
  check "hadoop classpath --glob has every jar" [ "$(tr ':' '\n' <"${work}/out" | grep -c '\.jar$')" = "${jars}" ]
  jars='/(mammoth-defaults|hadoop-(common|hdfs|yarn-api|yarn-common|mapreduce-client-core))-[0-9][0-9.]*jar$'
  check "defaults without descriptions come before those with them" bash -c "tr ':' '\n' <'${work}/out' | grep -E '${jars}' | head -n 1 | grep -q /mammoth-defaults-"
  run bash -c "find '${home}/share/hadoop' -name '*.jar' -printf '%f\n' | sort | uniq -d"
  check "each jar is there once" [ ! -s "${work}/out" ]
}

test_profiles() {
  mkdir -p "${work}/conf/shellprofile.d" "${work}/plug"
  cat >"${work}/conf/shellprofile.d/plug.sh" <<PROFILE
hadoop_add_profile plug
_plug_hadoop_init() { PLUG_STEPS=init; }
_plug_hadoop_nativelib() { PLUG_STEPS+=-nativelib; hadoop_add_javalibpath "${work}/plug"; }
_plug_hadoop_classpath() { PLUG_STEPS+=-classpath; hadoop_add_classpath "${work}/plug"; hadoop_add_classpath "${work}/conf/workers" before; hadoop_add_classpath /absent; }
_plug_hadoop_finalize() { hadoop_add_param HADOOP_OPTS plug.steps "-Dplug.steps=\${PLUG_STEPS}-finalize"; }
hdfs_subcommand_plugged() { HADOOP_CLASSNAME=com.example.Plugged; }
hadoop_add_subcommand plugged client 'comes from a profile'
PROFILE
  run "${home}/bin/hdfs" --config "${work}/conf" dfs
  check "a profile's functions are called in order" arg -Dplug.steps=init-nativelib-classpath-finalize
  check "a profile adds to the class path" grep -qF ":${work}/plug" "${work}/args.classpath"
  check "also in front" grep -q "^${work}/conf/workers:" "${work}/args.classpath"
  check "but nothing that is not there" bash -c "! grep -q /absent '${work}/args.classpath'"
  check "and to the library path" arg "-Djava.library.path=${home}/lib/native:${work}/plug"
  run "${home}/bin/hdfs" --config "${work}/conf" plugged
  check "a profile brings subcommands" arg com.example.Plugged
  run "${home}/bin/hdfs" --config "${work}/conf" --help
  check "and names them" out_has 'comes from a profile'
  rm -r "${work}/conf/shellprofile.d"
}

# An archive that does not fit must not be noticed; the order of the class path is what an archive needs.
test_native() {
  [[ $(uname -m) == x86_64 ]] || return 0
  run env JAVA_HOME="${real_java_home}" "${home}/bin/hadoop" checknative
  check "Hadoop's native library is found" grep -qE '^hadoop: +true .*/lib/native/libhadoop' "${work}/out"
  check "and can be used for Zstandard" grep -qE '^zstd *: +true' "${work}/out"
}

test_class_archive() {
  run "${home}/bin/mammoth" cds -status
  check "there is no class archive at first" exited 1
  mkdir -p "${home}/var/cds"
  printf 'no archive' >"${home}/var/cds/client.jsa"
  run bash -c "cd '${home}' && LC_ALL=C && printf '%s\n' share/hadoop/{common/lib,common,hdfs/lib,hdfs,yarn/lib,yarn,yarn/timelineservice,mapreduce/lib,mapreduce,mammoth}/*.jar | grep -v -e '-tests.jar' -e '[*]' | sed \"s#^#\${PWD}/#\" | paste -sd:"
  cp "${work}/out" "${work}/list"
  cat "${work}/list" "${home}/share/hadoop/mammoth/BUILD" >"${home}/var/cds/client.classpath"
  run "${home}/bin/hadoop" fs -ls
  check "an archive is used" arg "-XX:SharedArchiveFile=${home}/var/cds/client.jsa"
  check "its jars come first" grep -qE "^${home}/share/hadoop/common/lib/[^:]*\.jar:" "${work}/args.classpath"
  check "and the configuration behind them" grep -qF ":${home}/etc/hadoop:" "${work}/args.classpath"
  check "and the test jars last, whose log4j.properties must not be found" grep -q ":${home}/etc/hadoop:.*hadoop-common-[^:]*-tests\.jar" "${work}/args.classpath"
  run "${home}/bin/hdfs" namenode
  check "also by daemons" arg "-XX:SharedArchiveFile=${home}/var/cds/client.jsa"
  run "${home}/bin/mammoth" cds -status
  check "which -status finds" out_has "commands and daemons start from ${home}/var/cds/client.jsa"
  check "and says that no classes are rewritten ahead" out_has 'engines rewrite their classes as they load'
  touch "${home}/var/cds/rewritten-1"
  run "${home}/bin/mammoth" cds -status
  check "or which" out_has "engines take their rewritten classes from ${home}/var/cds/rewritten-1"
  rm "${home}/var/cds/rewritten-1"
  run env MAMMOTH_CDS=off "${home}/bin/hdfs" namenode
  check "unless that is switched off" no_arg SharedArchiveFile
  run env JAVA_HOME="${real_java_home}" "${home}/bin/hadoop" version
  check "a broken archive does no harm" exited 0
  check "and is not mentioned" err_empty
  run env HADOOP_USER_CLASSPATH_FIRST=1 HADOOP_CLASSPATH=/mine.jar "${home}/bin/hadoop" fs
  check "a user's class path first means no archive" no_arg SharedArchiveFile
  sed -i '2s/.*/another build/' "${home}/var/cds/client.classpath"
  run "${home}/bin/hadoop" fs
  check "nor is there one for another build" no_arg SharedArchiveFile
  cat "${work}/list" "${home}/share/hadoop/mammoth/BUILD" >"${home}/var/cds/client.classpath"
  touch "${home}/share/hadoop/common/lib/added.jar"
  run "${home}/bin/hadoop" fs
  check "a jar that an administrator adds is no part of it" arg "-XX:SharedArchiveFile=${home}/var/cds/client.jsa"
  check "and comes behind the configuration" grep -q ":${home}/etc/hadoop:.*:${home}/share/hadoop/common/lib/added.jar" "${work}/args.classpath"
  touch "${home}/share/hadoop/common/lib/guava-99.jar"
  run "${home}/bin/hadoop" fs
  check "there is none after jars of Hadoop's changed" no_arg SharedArchiveFile
  rm -r "${home}"/share/hadoop/common/lib/{added,guava-99}.jar "${home:?}/var"
}

# What "mammoth cds" does for engines: from an archive with classes that Java 17 keeps unlinked, each engine crashed at its start.
test_engines_archive() {
  local java="${real_java_home}/bin/java" jars of=org.mammoth.mapreduce.nodemanager.classes
  # The JVM archives no class of a jar with a blank in its path.
  cp -al "${home}" "${work}/archived"
  jars=$(sed "s#${home}#${work}/archived#g" "${work}/list")
  mkdir "${work}/ahead"
  echo org/apache/hadoop/util/Shell >"${work}/names"
  run "${java}" "-XX:DumpLoadedClassList=${work}/loaded" -cp "${jars}" "${of}.RewriteAhead" "${work}/ahead" "${work}/names"
  check "classes are rewritten ahead" out_has '1 classes are rewritten'
  check "by a library of Java 5" grep -qx org/objectweb/asm/MethodVisitor "${work}/loaded"
  run "${java}" -cp "${jars}" "${of}.ArchiveClasses" "${work}/loaded" "${work}/chosen"
  check "which is not archived" bash -c "! grep -qx org/objectweb/asm/MethodVisitor '${work}/chosen'"
  run "${java}" -Xshare:dump "-XX:SharedClassListFile=${work}/chosen" "-XX:SharedArchiveFile=${work}/client.jsa" -cp "${jars}"
  check "an archive is made of the others" exited 0
  run "${java}" -cp "${jars}" "${of}.ArchiveTrial" "${work}/client.jsa" "${work}/loaded"
  check "from which an engine can start" out_has 'classes are loaded as engines load them'
  check "without a crash" exited 0
}

# The add-on over a release from which ours was taken away: as near as we get to an Apache installation here.
test_addon() {
  local bare="${work}/bare"
  cp -al "${home}" "${bare}"
  rm -r "${bare:?}/share/hadoop/mammoth"
  run "${bare}/bin/yarn" mammoth engine
  check "without the add-on there is no yarn mammoth" exited 1
  tar -xzf "${addon}" -C "${bare}" --strip-components=1
  run "${bare}/bin/yarn" classpath
  check "the add-on's profile puts its jars on the class path" out_has "${bare}/share/hadoop/mammoth/*"
  run "${bare}/bin/yarn" mammoth engine -status
  check "yarn mammoth runs our class" before org.mammoth.mapreduce.cli.MammothCli engine
  run "${bare}/bin/hdfs" mpcache -report
  check "hdfs mpcache runs our class" before org.mammoth.hdfs.tool.MpCacheCommand -report
  run bash -c "cd '${home}/share/hadoop/mammoth' && for jar in *.jar; do cmp \"\${jar}\" '${bare}/share/hadoop/mammoth/'\"\${jar}\" || exit 1; done"
  check "the add-on has the jars of the release" exited 0
  run grep -r '\${project\|\${hadoop' "${bare}/share/hadoop/mammoth/README.txt" "${bare}/share/hadoop/mammoth/VERSION" "${home}/README.txt"
  check "versions are filled in" exited 1
  run bash -c "cd '${home}' && grep -oE '(bin|sbin|share)/[A-Za-z0-9./-]+[A-Za-z0-9]' README.txt | xargs ls -d"
  check "the README names files that are there" exited 0
  run env JAVA_HOME="${real_java_home}" "${bare}/bin/hadoop" conftest -conffile "${bare}/share/hadoop/mammoth/etc"
  check "the add-on's configuration is well formed" exited 0
  run env JAVA_HOME="${real_java_home}" "${home}/bin/hadoop" conftest
  check "so is the release's" exited 0
}

# mammoth-upgrade on an installation without ours and without a NodeManager: what the next one would start with.
test_upgrade() {
  local plain="${work}/plain" tool="${work}/tool/bin/mammoth-upgrade" release
  cp -al "${home}" "${plain}"
  rm -r "${plain:?}/share/hadoop/mammoth" "${plain:?}/etc/hadoop"
  mkdir -p "${plain}/etc/hadoop" "${work}/tool"
  tar -xzf "${addon}" -C "${work}/tool" --strip-components=1
  printf '<configuration>%s%s%s%s</configuration>' \
    '<property><name>yarn.nodemanager.aux-services</name><value>mapreduce_shuffle,spark_shuffle</value></property>' \
    '<property><name>yarn.nodemanager.recovery.enabled</name><value>true</value></property>' \
    '<property><name>yarn.nodemanager.recovery.supervised</name><value>true</value></property>' \
    '<property><name>mammoth.shuffle.port</name><value>0</value></property>' >"${plain}/etc/hadoop/yarn-site.xml"
  (cd "${plain}" && find . -printf '%p %y %m %s %l\n' | LC_ALL=C sort) >"${work}/tree-before"
  run env JAVA_HOME="${real_java_home}" "${tool}" check --hadoop-home "${plain}"
  check "mammoth-upgrade check finds nothing in the way" exited 0
  run env JAVA_HOME="${real_java_home}" "${tool}" apply --hadoop-home "${plain}" --dry-run
  check "a dry run names what would be written" out_has "${plain}/libexec/shellprofile.d/mammoth.sh"
  check "and writes nothing" [ ! -e "${plain}/mammoth" ]
  run env JAVA_HOME="${real_java_home}" "${tool}" apply --hadoop-home "${plain}"
  check "mammoth-upgrade apply succeeds" exited 0
  release=$(readlink -f "${plain}/mammoth/current")
  run "${plain}/bin/yarn" nodemanager
  check "a NodeManager finds our configuration first" grep -q "^${release}/conf:${plain}/etc/hadoop:" "${work}/args.classpath"
  check "and our jars last" grep -q ":${release}/jars/\*$" "${work}/args.classpath"
  mkdir -p "${work}/conf of today"
  cp "${plain}/etc/hadoop/yarn-site.xml" "${work}/conf of today/"
  run "${plain}/bin/yarn" --config "${work}/conf of today" nodemanager
  check "one with another configuration starts without ours" bash -c "! grep -q '/mammoth/' '${work}/args.classpath'"
  check "and says for which it was added" err_has "it was added for the configuration in ${plain}/etc/hadoop"
  ln -s "${plain}/etc/hadoop" "${work}/link to conf"
  run "${plain}/bin/yarn" --config "${work}/link to conf" nodemanager
  check "the same one by another name is the same" grep -q "${release}/jars/\*" "${work}/args.classpath"
  run "${plain}/bin/yarn" resourcemanager
  check "a ResourceManager finds nothing of ours" bash -c "! grep -q '/mammoth/' '${work}/args.classpath'"
  run "${plain}/bin/hdfs" dfs
  check "nor does a client" bash -c "! grep -q '/mammoth/' '${work}/args.classpath'"
  run "${plain}/bin/yarn" mammoth engine -status
  check "yarn mammoth is there" before org.mammoth.mapreduce.cli.MammothCli engine
  printf '3.9.9\n' >"${release}/hadoop"
  run "${plain}/bin/yarn" nodemanager
  check "another version of Hadoop starts without ours" bash -c "! grep -q '/mammoth/' '${work}/args.classpath'"
  check "and says so" err_has 'Mammoth is off: it was added to Hadoop 3.9.9'
  run env JAVA_HOME="${real_java_home}" "${tool}" rollback --hadoop-home "${plain}"
  check "mammoth-upgrade rollback succeeds" exited 0
  (cd "${plain}" && find . -printf '%p %y %m %s %l\n' | LC_ALL=C sort) >"${work}/tree-after"
  check "and leaves nothing" cmp -s "${work}/tree-before" "${work}/tree-after"
}

# A quick start that is stopped ends what runs in its folders, but nobody's shell.
test_quickstart_stop() {
  local start="${here}/../../../../dev-support/bin/quickstart" data="${work}/quick" program shell left
  [[ -f ${start} ]] && command -v script >/dev/null || return 0
  mkdir -p "${data}/mammoth-0.0.0/bin" "${data}/var/logs"
  : >"${data}/.quickstart"
  : >"${data}/mammoth-0.0.0/.complete"
  for program in hdfs yarn mapred; do
    printf '#!/bin/sh\n' >"${data}/mammoth-0.0.0/bin/${program}"
    chmod 755 "${data}/mammoth-0.0.0/bin/${program}"
  done
  script -qc "cd '${data}/var/logs' && echo \$\$ >'${work}/shell-pid' && exec sleep 300" /dev/null >/dev/null 2>&1 </dev/null &
  (cd "${data}/var/logs" && exec setsid sleep 301) &
  left=$!
  soon [ -s "${work}/shell-pid" ]
  shell=$(<"${work}/shell-pid")
  (cd "${data}/var/logs" && "${start}" --stop --dir "${data}" && echo survived) >"${work}/out" 2>"${work}/err"
  check "quickstart --stop leaves the shell that it is called from" out_has survived
  check "and one on another terminal" kill -0 "${shell}"
  check "and ends what has none" soon bash -c "! kill -0 ${left} 2>/dev/null"
  kill "${shell}"
}

# The programs administrators try a cluster with, on the local job runner: each starts, those that need nothing run.
test_programs() {
  local jar program local_hadoop=("${home}/bin/hadoop" --config "${work}/local")
  export JAVA_HOME=${real_java_home}
  mkdir -p "${work}/local"
  cp "${home}/etc/hadoop/log4j.properties" "${work}/local/"
  cat >"${work}/local/core-site.xml" <<XML
<configuration>
  <property><name>fs.defaultFS</name><value>file:///</value></property>
  <property><name>hadoop.tmp.dir</name><value>${work}/tmp</value></property>
  <property><name>mapreduce.framework.name</name><value>local</value></property>
  <property><name>mapreduce.task.io.sort.mb</name><value>16</value></property>
</configuration>
XML
  export HADOOP_CLIENT_OPTS="-Dtest.build.data=${work}/programs"
  jar=("${home}"/share/hadoop/mapreduce/hadoop-mapreduce-client-jobclient-*-tests.jar)
  run "${local_hadoop[@]}" jar "${jar[0]}"
  cp "${work}/out" "${work}/list"
  check "the test jar lists its programs" [ "$(grep -c '^  [A-Za-z]*: ' "${work}/list")" = 29 ]
  check "and misses nothing" bash -c "! grep -q 'Exception\|Error' '${work}/err'"
  while IFS=: read -r program _; do
    case ${program} in
      # These run whatever their arguments are; below with small ones.
      gsleep | largesorter | sleep | testfilesystem | testsequencefile | testsequencefileinputformat | testtextinputformat | filebench) continue ;;
    esac
    run timeout 60 "${local_hadoop[@]}" jar "${jar[0]}" "${program}" -help
    check "${program} starts" bash -c "! grep -q 'NoClassDefFoundError\|ClassNotFoundException\|NoSuchMethodError' '${work}/out' '${work}/err'"
  done < <(sed -n 's/^  \([A-Za-z]*\): .*/\1:/p' "${work}/list")
  while IFS= read -r program; do
    # shellcheck disable=SC2086 # a line holds words
    run timeout 120 env -C "${work}" "${local_hadoop[@]}" jar "${jar[0]}" ${program}
    check "${program}" exited 0
  done <<'PROGRAMS'
TestDFSIO -write -nrFiles 2 -size 1MB
TestDFSIO -read -nrFiles 2 -size 1MB
DistributedFSCheck -root conf
sleep -m 1 -r 1 -mt 10 -rt 10
gsleep -m 1 -r 0 -mt 10
mrbench -numRuns 1 -maps 1 -reduces 1 -inputLines 5 -baseDir mrbench
loadgen -m 1 -r 1 -keepmap 50 -keepred 50 -indir conf -outdir loadgen
nnbench -operation create_write -maps 1 -reduces 1 -numberOfFiles 2 -blockSize 512 -bytesToWrite 0 -startTime 1 -baseDir nnbench
testsequencefile -count 100 sequence
mapredtest 2 5
testfilesystem -files 2 -megaBytes 1
threadedmapbench -dataSizePerMap 1 -numSpillsPerMap 2 -numMapsPerHost 1
PROGRAMS
  printf 'squeezed words\n' >"${work}/words"
  run "${local_hadoop[@]}" jar "${home}"/share/hadoop/mapreduce/hadoop-mapreduce-examples-*.jar wordcount \
    -Dmapreduce.map.output.compress=true -Dmapreduce.map.output.compress.codec=org.apache.hadoop.io.compress.Lz4Codec \
    -Dmapreduce.output.fileoutputformat.compress=true \
    -Dmapreduce.output.fileoutputformat.compress.codec=org.apache.hadoop.io.compress.Lz4Codec "${work}/words" "${work}/lz4"
  check "a job writes with Lz4Codec" exited 0
  run "${local_hadoop[@]}" fs -text "${work}/lz4/part-r-00000.lz4"
  check "and what it wrote can be read" out_has squeezed
  unset HADOOP_CLIENT_OPTS
}

test_daemons() {
  export JAVA_HOME=${real_java_home}
  cat >"${work}/conf/core-site.xml" <<XML
<configuration><property><name>fs.defaultFS</name><value>hdfs://localhost:0</value></property></configuration>
XML
  cat >"${work}/conf/hdfs-site.xml" <<XML
<configuration>
  <property><name>dfs.namenode.name.dir</name><value>${work}/name</value></property>
  <property><name>dfs.namenode.rpc-address</name><value>localhost:0</value></property>
  <property><name>dfs.namenode.http-address</name><value>localhost:0</value></property>
</configuration>
XML
  local name hdfs=("${home}/bin/hdfs" --config "${work}/conf")
  run "${hdfs[@]}" --daemon status namenode
  check "status of a daemon that never ran is 3" exited 3
  run "${hdfs[@]}" namenode -format -nonInteractive
  check "hdfs namenode -format succeeds" exited 0
  run "${hdfs[@]}" --daemon start namenode
  check "--daemon start succeeds" exited 0
  check "there is a pid file" [ -s "${work}/pid/hadoop-test-namenode.pid" ]
  check "there is the output of the process" [ -s "${work}/log/hadoop-test-namenode-${HOSTNAME}.out" ]
  check "and soon a log" soon [ -s "${work}/log/hadoop-test-namenode-${HOSTNAME}.log" ]
  run "${hdfs[@]}" --daemon status namenode
  check "status of a running daemon is 0" exited 0
  run "${hdfs[@]}" --daemon start namenode
  check "a second start is refused" exited 1
  run "${hdfs[@]}" --workers --hostnames localhost --daemon status namenode
  check "--workers reaches this host without ssh" exited 0
  for name in hadoop-daemon.sh hadoop-daemons.sh yarn-daemon.sh yarn-daemons.sh mr-jobhistory-daemon.sh; do
    run "${home}/sbin/${name}" --config "${work}/conf" restart
    check "${name} says what it takes" err_has "Usage: ${name} [--config DIR] (start|stop|status)"
  done
  printf 'localhost\n' >"${work}/conf/workers"
  run "${home}/sbin/hadoop-daemons.sh" --config "${work}/conf" status namenode
  check "the old hadoop-daemons.sh asks the workers" out_has 'namenode is running as process'
  run "${home}/sbin/hadoop-daemon.sh" --config "${work}/conf" stop namenode
  check "the old hadoop-daemon.sh stops it" exited 0
  run "${hdfs[@]}" --daemon status namenode
  check "afterwards it is stopped" exited 3
  printf '%s\n' "$$" >"${work}/pid/hadoop-test-namenode.pid"
  run "${hdfs[@]}" --daemon status namenode
  check "a pid file of another process is not believed" exited 1
  run "${hdfs[@]}" --daemon stop namenode
  check "nor is that process stopped" kill -0 "$$"
  run env HDFS_NAMENODE_OPTS=-XX:NoSuchOption "${home}/bin/hdfs" --daemon start namenode
  check "a daemon that dies at once is noticed" exited 1
  check "and its last words are shown" err_has NoSuchOption
}

# Daemons that are told folders, class path and log settings by the launcher, each in a network of its own: their ports are fixed.
test_servers() {
  local apart=(unshare --net)
  ((EUID == 0)) || apart=(unshare --user --map-root-user --net)
  if ! "${apart[@]}" true 2>/dev/null; then
    printf 'skip  the servers: this user may not make a network namespace (unshare --net)\n'
    return
  fi
  if ! command -v curl >/dev/null || ! command -v ip >/dev/null; then
    printf 'skip  the servers: curl and ip (iproute2) are needed\n'
    return
  fi
  export JAVA_HOME=${real_java_home} HADOOP_HEAPSIZE_MAX=300m
  cp "${home}"/etc/hadoop/* "${work}/conf/"
  cat >"${work}/conf/core-site.xml" <<XML
<configuration><property><name>hadoop.tmp.dir</name><value>${work}/tmp</value></property></configuration>
XML
  # A router keeps its state on the disk here, not in ZooKeeper; no NameNode is there.
  cat >"${work}/conf/hdfs-rbf-site.xml" <<XML
<configuration>
  <property><name>dfs.federation.router.store.driver.class</name>
    <value>org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreFileImpl</value></property>
  <property><name>dfs.federation.router.store.driver.file.directory</name><value>${work}/router</value></property>
</configuration>
XML
  cat >"${work}/servers.sh" <<'SH'
# servers.sh HOME CONF: starts them all, asks each for a page, and stops them.
servers=("hadoop kms 9600 /kms/v1/keys/names?user.name=test" "hdfs httpfs 14000 /webhdfs/v1/?op=GETHOMEDIRECTORY&user.name=test"
  "hdfs dfsrouter 50071 /federationhealth.html")
ip link set lo up
for server in "${servers[@]}"; do
  read -r program name _ <<<"${server}"
  "$1/bin/${program}" --config "$2" --daemon start "${name}"
done
for server in "${servers[@]}"; do
  read -r program name port page <<<"${server}"
  curl -s -S -f --retry 240 --retry-delay 1 --retry-connrefused "http://localhost:${port}${page}" >/dev/null && echo "${name} answers"
  "$1/bin/${program}" --config "$2" --daemon stop "${name}"
done
SH
  run "${apart[@]}" bash "${work}/servers.sh" "${home}" "${work}/conf"
  local name
  for name in kms httpfs dfsrouter; do
    check "${name} starts and answers" out_has "${name} answers"
  done
  check "httpfs has a log of its own" [ -s "${work}/log/httpfs.log" ]
  unset HADOOP_HEAPSIZE_MAX
}

test_scripts() {
  command -v shellcheck >/dev/null || return 0
  run shellcheck -x -P "${home}/libexec:${home}/sbin:${here}/../../../../dev-support/bin" "${home}"/bin/* "${home}"/sbin/* "${home}"/libexec/*.sh "${here}"/../../main/addon/shellprofile.d/*.sh \
    "${home}"/etc/hadoop/*.sh "${here}"/*.sh "${here}"/../../main/build/*.sh "${here}"/../../../../dev-support/bin/quickstart
  check "shellcheck has nothing to say" exited 0
  run bash -c 'cd "$0/../../../.." && grep -lE "^#!/usr/bin/env bash|shellcheck shell=bash" dev-support/bin/* dev-support/lib/*.sh .ci/run \
    console-ui/src/main/build/*.sh hadoop-dist/src/main/upgrade/*.sh | grep -v "/quickstart$" | xargs shellcheck -x -P .' "${here}"
  check "nor of the scripts for developers" exited 0
}

set_up
test_scripts
test_usage
test_classes
test_config
test_configure
test_java_of_cluster
test_yarn_config
test_cluster
test_cluster_refusals
test_users
test_options
test_classpath
test_profiles
test_native
test_class_archive
test_engines_archive
test_addon
test_upgrade
test_quickstart_stop
test_programs
test_daemons
test_servers
printf '%d cases, %d failures\n' "${cases}" "${failures}"
((failures == 0)) && rm -rf -- "${work}"
exit "${failures}"
