# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Class-data sharing: "mammoth cds" writes an archive of the classes that client commands and running daemons load, parsed and
# verified, and launcher_cds (hadoop-functions.sh) hands it to the JVM. Variables named launcher_* come from there. An archive that no longer fits - another JDK, changed jars - is
# ignored by the JVM without a word, so nothing depends on it.

: "${launcher_cds_dir=}" "${launcher_jar_list=}" "${launcher_other_list=}" "${launcher_build=}"

cds_usage() {
  cat <<'TEXT'
Usage: mammoth cds [-create | -delete | -status]

  -create   train with client commands and with what runs here, and write the archive (default)
  -delete   remove it
  -status   say whether there is one and whether it fits the jars; 0 if so

Client commands, daemons and engines start from it. Make it while the daemons and an engine are up, so that it holds their classes too.
Beside it lie the classes of engines in the form that engines want (docs/isolation.md), so that the first ones need not make it.
The archive is for this host's JDK and this folder: make it once after unpacking and after each change of jars or JDK.
It lies in MAMMOTH_CDS_DIR (default: var/cds of the release). MAMMOTH_CDS=off switches its use off.
TEXT
}

cds_main() {
  launcher_cds_jars
  case ${1:--create} in
    -create) cds_create ;;
    -delete) rm -f -- "${launcher_cds_dir}/client.jsa" "${launcher_cds_dir}/client.classpath" "${launcher_cds_dir}"/rewritten-* ;;
    -status) cds_status ;;
    *)
      cds_usage >&2
      exit 1
      ;;
  esac
}

cds_status() {
  if [[ ! -f ${launcher_cds_dir}/client.jsa ]]; then
    printf 'There is no archive in %s\n' "${launcher_cds_dir}"
    exit 1
  elif ! launcher_cds_fits; then
    printf 'The archive in %s was made for other jars; "mammoth cds" makes a new one\n' "${launcher_cds_dir}"
    exit 1
  fi
  printf 'commands and daemons start from %s\n' "${launcher_cds_dir}/client.jsa"
  local rewritten=("${launcher_cds_dir}"/rewritten-*)
  if [[ -f ${rewritten[0]} ]]; then
    printf 'engines take their rewritten classes from %s\n' "${rewritten[@]}"
  else
    printf 'engines rewrite their classes as they load, which takes the first ones longer; "mammoth cds" does it ahead\n'
  fi
}

# cds_train NAME CLASS ARG... : run a command as a client would, and note which classes it loads. Its result does not matter:
# the ones that talk to a cluster talk to a port where nobody listens.
cds_train() {
  local name=$1
  shift
  CLASSPATH=${launcher_jar_list}:${cds_work}/conf HADOOP_CONF_DIR=${cds_work}/conf \
    timeout -s TERM 20 "${JAVA}" "${launcher_jvm[@]}" -XX:TieredStopAtLevel=1 "-Djava.io.tmpdir=${cds_work}" "-XX:DumpLoadedClassList=${cds_work}/${name}.classes" \
    "$@" >"${cds_work}/${name}.out" 2>&1 </dev/null
}

# Adds the classes that this release's daemons, and engines, of this user have loaded by now.
cds_train_live() {
  local process pid words kind
  [[ -x ${JAVA_HOME}/bin/jcmd ]] || return 0
  for process in /proc/[0-9]*; do
    [[ -O ${process} && -r ${process}/cmdline ]] || continue
    mapfile -d '' -t words 2>/dev/null <"${process}/cmdline"
    if hadoop_array_contains org.mammoth.mapreduce.engine.EngineMain "${words[@]}"; then
      kind=engine
    elif hadoop_array_contains "-Dhadoop.home.dir=${HADOOP_HOME}" "${words[@]}"; then
      kind=live
    else
      continue
    fi
    pid=${process#/proc/}
    # A line: the depth in dashes, the name, the loader's address. Classes made at run time have more after the name.
    timeout 20 "${JAVA_HOME}/bin/jcmd" "${pid}" VM.class_hierarchy 2>/dev/null \
      | sed -nE 's#^[| -]*([[:alpha:]_$][[:alnum:]_.$]*)/(null|0x[0-9a-f]+)( \(intf\))?$#\1#p' | tr . / >"${cds_work}/${kind}-${pid}.classes"
    # The socket of the conversation, which outlives a process that is killed; another one would make it again.
    rm -f -- "/tmp/.java_pid${pid}"
  done
}

cds_configuration() {
  mkdir -p "${cds_work}/conf" "${cds_work}/in"
  cp "${HADOOP_CONF_DIR}/log4j.properties" "${cds_work}/conf/" 2>/dev/null
  cat >"${cds_work}/conf/core-site.xml" <<XML
<configuration>
  <property><name>hadoop.tmp.dir</name><value>${cds_work}/tmp</value></property>
  <property><name>yarn.app.mapreduce.am.staging-dir</name><value>${cds_work}/staging</value></property>
  <property><name>mapreduce.jobtracker.staging.root.dir</name><value>${cds_work}/staging</value></property>
  <property><name>ipc.client.connect.max.retries</name><value>0</value></property>
  <property><name>ipc.client.connect.retry.interval</name><value>1</value></property>
  <property><name>yarn.resourcemanager.connect.max-wait.ms</name><value>1</value></property>
  <property><name>yarn.resourcemanager.connect.retry-interval.ms</name><value>1</value></property>
  <property><name>yarn.resourcemanager.address</name><value>localhost:1</value></property>
  <property><name>dfs.client.retry.policy.enabled</name><value>false</value></property>
</configuration>
XML
  # Each file is read after the defaults of its own part of Hadoop.
  cp "${cds_work}/conf/core-site.xml" "${cds_work}/conf/yarn-site.xml"
  cp "${cds_work}/conf/core-site.xml" "${cds_work}/conf/mapred-site.xml"
  printf 'a few words for a small job\n' >"${cds_work}/in/words"
}

# cds_step FAILURE COMMAND ARG... : run a command, or end with what failed and the last lines of what it said.
cds_step() {
  local failure=$1
  shift
  "$@" >"${cds_work}/step.out" 2>&1 && return
  hadoop_error "ERROR: ${failure}; nothing is put in place. It said:"
  tail -n 15 -- "${cds_work}/step.out" >&2
  exit 1
}

cds_create() {
  launcher_needs_java_17 'an archive of classes'
  local examples jobs=("${HADOOP_MAPRED_HOME}/${MAPRED_DIR}"/hadoop-mapreduce-examples-*.jar)
  examples=${jobs[0]}
  if ! mkdir -p "${launcher_cds_dir}" || [[ ! -w ${launcher_cds_dir} ]]; then
    hadoop_error "ERROR: cannot write in ${launcher_cds_dir}; name a folder of this host in MAMMOTH_CDS_DIR (hadoop-env.sh), and for engines the same in mammoth.cds.dir (yarn-site.xml)"
    exit 1
  fi
  cds_work=$(mktemp -d "${launcher_cds_dir}/work.XXXXXX") || exit 1
  trap 'rm -rf -- "${cds_work}"' EXIT
  cds_configuration
  launcher_jvm=()
  launcher_jvm_options
  cds_train shell org.apache.hadoop.fs.FsShell -fs hdfs://localhost:1 -ls /
  cds_train local org.apache.hadoop.util.RunJar "${examples}" wordcount -Dmapreduce.framework.name=local -fs file:/// \
    "${cds_work}/in" "${cds_work}/out"
  cds_train submit org.apache.hadoop.util.RunJar "${examples}" wordcount -Dmapreduce.framework.name=yarn -fs file:/// \
    "${cds_work}/in" "${cds_work}/out2"
  cds_train yarn org.apache.hadoop.yarn.client.cli.ApplicationCLI application -list
  cds_train logs org.apache.hadoop.yarn.client.cli.LogsCLI -applicationId application_1_0001
  # An ApplicationMaster gets as far as looking for its ResourceManager. It reads job.xml where it stands.
  (
    cd "${cds_work}" && cp conf/core-site.xml job.xml
    CONTAINER_ID=container_1_0001_01_000001 NM_HOST=localhost NM_PORT=1 NM_HTTP_PORT=1 APP_SUBMIT_TIME_ENV=1 USER=nobody \
      cds_train master -Dlog4j.configuration=container-log4j.properties "-Dyarn.app.container.log.dir=${cds_work}" \
      -Dhadoop.root.logger=INFO,CLA -Dhadoop.root.logfile=syslog org.apache.hadoop.mapreduce.v2.app.MRAppMaster
    cds_train child org.apache.hadoop.mapred.OrdinaryContainerChild localhost 1 attempt_1_0001_m_000000_0 1
  )
  cds_train_live
  LC_ALL=C sort -u "${cds_work}"/*.classes >"${cds_work}/all"
  cds_step "${JAVA} cannot make a class-data archive" "${JAVA}" -cp "${launcher_jar_list}" \
    org.mammoth.mapreduce.nodemanager.classes.ArchiveClasses "${cds_work}/all" "${cds_work}/chosen"
  cds_step "${JAVA} cannot make a class-data archive" "${JAVA}" -Xshare:dump "-XX:SharedClassListFile=${cds_work}/chosen" \
    "-XX:SharedArchiveFile=${cds_work}/client.jsa" -cp "${launcher_jar_list}"
  cds_step "an engine would not run from the class-data archive that ${JAVA} has made" "${JAVA}" -Xmx512m -cp "${launcher_jar_list}" \
    org.mammoth.mapreduce.nodemanager.classes.ArchiveTrial "${cds_work}/client.jsa" "${cds_work}/chosen"
  mv -f -- "${cds_work}/client.jsa" "${launcher_cds_dir}/client.jsa"
  launcher_cds_build
  printf '%s\n' "${launcher_jar_list}" "${launcher_build}" >"${launcher_cds_dir}/client.classpath"
  cds_rewrite
}

# Rewrites ahead what engines and ApplicationMasters load, so that the first engine of a node does not.
cds_rewrite() {
  cat "${cds_work}"/{local,child,master}.classes "${cds_work}"/engine-*.classes 2>/dev/null | LC_ALL=C sort -u >"${cds_work}/engines"
  "${JAVA}" -Xmx512m -cp "${launcher_jar_list}" org.mammoth.mapreduce.nodemanager.classes.RewriteAhead "${launcher_cds_dir}" \
    "${cds_work}/engines" >"${cds_work}/rewrite.out" 2>&1 && return
  hadoop_error "WARNING: engines rewrite their classes as they load, which takes the first ones longer: rewriting them ahead failed. It said:"
  tail -n 5 -- "${cds_work}/rewrite.out" >&2
}
