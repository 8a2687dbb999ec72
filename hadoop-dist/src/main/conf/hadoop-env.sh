# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
#
# Read by every command (hadoop, hdfs, yarn, mapred, mammoth) and every daemon before anything else.
# What is commented out is the default. A value set in the environment of the caller is overwritten by what is set here,
# so write ${NAME:-value} to let the caller win.

# --- Where things are ---

# The JDK: 17 or later; 11 where mammoth.engine.java-home names a Java 17 for engines, and then without console and "mammoth cds".
# Without it the launcher takes the java on the PATH. Daemons started through ssh see no PATH of a login shell: set it on clusters.
# export JAVA_HOME=

# export HADOOP_HOME=
# export HADOOP_CONF_DIR=${HADOOP_HOME}/etc/hadoop
# export HADOOP_LOG_DIR=${HADOOP_HOME}/logs
# export HADOOP_PID_DIR=/tmp
# export HADOOP_IDENT_STRING=$USER

# --- Memory and JVM options ---

# Plain numbers are MiB. Without them the JVM takes a quarter of the machine's memory at most.
# export HADOOP_HEAPSIZE_MAX=
# export HADOOP_HEAPSIZE_MIN=

# For every JVM.
# export HADOOP_OPTS="-Djava.net.preferIPv4Stack=true"

# For clients only, not for daemons.
# export HADOOP_CLIENT_OPTS=""

# For one subcommand: COMMAND_SUBCOMMAND_OPTS.
# export HDFS_NAMENODE_OPTS=""
# export HDFS_DATANODE_OPTS=""
# export YARN_RESOURCEMANAGER_OPTS=""
# export YARN_NODEMANAGER_OPTS=""
# export MAPRED_HISTORYSERVER_OPTS=""

# Commands and daemons start from a class archive, if "mammoth cds" made one. Client commands compile with the JVM's quick compiler
# only; "off" is for clients that themselves compute much (mapreduce.framework.name=local, say).
# export MAMMOTH_CDS=on
# export MAMMOTH_CDS_DIR=${HADOOP_HOME}/var/cds
# export MAMMOTH_QUICK_CLIENTS=on

# --- Class path ---

# Added after Hadoop's own jars; before them if HADOOP_USER_CLASSPATH_FIRST is set.
# export HADOOP_CLASSPATH=""
# export HADOOP_USER_CLASSPATH_FIRST=true

# Tools of share/hadoop/tools/lib that belong on every class path, separated by commas.
# export HADOOP_OPTIONAL_TOOLS=""

# --- Logs ---

# export HADOOP_ROOT_LOGGER=INFO,console
# export HADOOP_DAEMON_ROOT_LOGGER=INFO,RFA
# export HADOOP_SECURITY_LOGGER=INFO,NullAppender
# export HDFS_AUDIT_LOGGER=INFO,NullAppender

# --- Daemons ---

# export HADOOP_NICENESS=0

# Seconds a daemon has to end before it is killed.
# export HADOOP_STOP_TIMEOUT=5

# Who may run a subcommand: COMMAND_SUBCOMMAND_USER. Root changes to that user. The start and stop scripts of sbin need it for each of
# their daemons when root runs them.
# export HDFS_NAMENODE_USER=hdfs
# export YARN_NODEMANAGER_USER=yarn

# Hosts of the workers, one a line, and how to reach those that are not this one.
# export HADOOP_WORKERS="${HADOOP_CONF_DIR}/workers"
# export HADOOP_SSH_OPTS="-o BatchMode=yes -o StrictHostKeyChecking=no -o ConnectTimeout=10s"
# export HADOOP_SSH_PARALLEL=10
