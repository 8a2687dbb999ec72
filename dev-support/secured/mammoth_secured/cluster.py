# SPDX-License-Identifier: Apache-2.0
"""One node of a release in a world: HDFS and YARN, with containers that run as their users."""

import glob
import json
import os
import re
import tarfile
import time

from . import SecuredError, kdc, world
from .world import INSIDE

_DAEMONS = (("hdfs", "hdfs", "namenode"), ("hdfs", "hdfs", "datanode"), ("yarn", "yarn", "resourcemanager"), ("yarn", "yarn", "nodemanager"))


def tarball():
    """The release to try: MAMMOTH_TARBALL, else the newest build of this checkout; empty if there is none."""
    named = os.environ.get("MAMMOTH_TARBALL", "")
    if named:
        return named
    root = os.path.join(os.path.dirname(__file__), "..", "..", "..")
    found = sorted(glob.glob(os.path.join(root, "hadoop-dist/target/mammoth-[0-9]*.tar.gz")), key=os.path.getmtime)
    return os.path.abspath(found[-1]) if found else ""


def why_not():
    """Why there can be no cluster here; empty if there can."""
    return world.why_not() or ("" if tarball() else "no release is built (hadoop-dist/target), and MAMMOTH_TARBALL names none")


def _merged(first, second):
    return {name: {**first.get(name, {}), **second.get(name, {})} for name in {*first, *second}}


class Job:
    """What a job left: whether it succeeded, its output to the terminal, its counters."""

    def __init__(self, done):
        self.ok = done.returncode == 0
        self.said = done.stdout + done.stderr
        found = re.search(r"Submitted application (application_\d+_\d+)", self.said)
        self.application = found.group(1) if found else ""

    def counter(self, name):
        """A counter's value in what the client printed; 0 if it is not there."""
        found = re.search(rf"^\s*{re.escape(name)}=(\d+)$", self.said, re.M)
        return int(found.group(1)) if found else 0


class Cluster:
    """Daemons run as hdfs and yarn; jobs of alice and bob as these."""

    def __init__(self, settings=None, keep=False, kerberos=False):
        self.world = world.World(keep)
        self.kerberos = kerberos
        try:
            self._unpack()
            if kerberos:
                kdc.start(self.world)
                settings = _merged(kdc.settings(), settings or {})
            self._configure(settings or {})
            self.world.run(f"{self.home}/bin/hdfs", "--loglevel", "WARN", "namenode", "-format", "-nonInteractive", user="hdfs", env=self.variables("hdfs"))
            for user, program, daemon in _DAEMONS:
                self.start(user, program, daemon)
            self._make_folders()
            if kerberos:
                # Clients ask it for a token of its own.
                self.start("mapred", "mapred", "historyserver")
            self.await_node()
        except BaseException:
            self.close()
            raise

    def _unpack(self):
        with tarfile.open(tarball()) as archive:
            archive.extractall(self.world.folder)
        name = os.path.basename(glob.glob(os.path.join(self.world.folder, "mammoth-[0-9]*"))[0])
        self.home = f"{INSIDE}/{name}"
        self._outside = os.path.join(self.world.folder, name)

    def outside(self, path):
        """A path of the world as this process finds it."""
        return self.world.folder + path[len(INSIDE):]

    def _configure(self, settings):
        for user in ("hdfs", "yarn", "mapred"):
            for kind in ("log", "pid", "data", "tmp"):
                folder = os.path.join(self.world.folder, kind, user)
                os.makedirs(folder)
                uid, _, gid = world.USERS[user]
                os.chown(folder, uid, gid)
        self._add("core-site.xml", {"hadoop.tmp.dir": f"{INSIDE}/tmp/${{user.name}}", **settings.get("core-site.xml", {})})
        self._add(
            "hdfs-site.xml",
            {
                "dfs.namenode.name.dir": f"file://{INSIDE}/data/hdfs/name",
                "dfs.datanode.data.dir": f"file://{INSIDE}/data/hdfs/data",
                "dfs.namenode.safemode.extension": "0",
                **settings.get("hdfs-site.xml", {}),
            },
        )
        self._add(
            "yarn-site.xml",
            {
                "yarn.nodemanager.container-executor.class": "org.mammoth.mapreduce.nodemanager.MammothLinuxContainerExecutor",
                "yarn.nodemanager.linux-container-executor.path": self.world.executor,
                "yarn.nodemanager.linux-container-executor.group": world.GROUP,
                "yarn.nodemanager.linux-container-executor.nonsecure-mode.limit-users": "false",
                "yarn.nodemanager.local-dirs": f"{INSIDE}/data/yarn/local-1,{INSIDE}/data/yarn/local-2",
                "yarn.nodemanager.log-dirs": f"{INSIDE}/log/yarn/userlogs",
                "yarn.nodemanager.recovery.dir": f"{INSIDE}/data/yarn/recovery",
                "yarn.nodemanager.resource.memory-mb": "4096",
                "yarn.nodemanager.resource.cpu-vcores": "8",
                "yarn.nodemanager.delete.debug-delay-sec": "0",
                "yarn.node-attribute.fs-store.root-dir": f"file://{INSIDE}/tmp/yarn/node-attribute",
                "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage": "99",
                **settings.get("yarn-site.xml", {}),
            },
        )
        self._add("mapred-site.xml", {"mapreduce.map.memory.mb": "512", "mapreduce.reduce.memory.mb": "512", "yarn.app.mapreduce.am.resource.mb": "768", **settings.get("mapred-site.xml", {})})
        self._add("kms-site.xml", settings.get("kms-site.xml", {}))

    def _add(self, name, properties):
        path = os.path.join(self._outside, "etc/hadoop", name)
        with open(path, encoding="utf-8") as old:
            text = old.read().replace("</configuration>", "")
        for key, value in properties.items():
            text += f"  <property>\n    <name>{key}</name>\n    <value>{value}</value>\n  </property>\n"
        with open(path, "w", encoding="utf-8") as new:
            new.write(text + "</configuration>\n")

    def variables(self, user, daemon=False):
        """What the release's commands are told by the environment. Daemons have keytabs in their configuration, and pass variables on."""
        own = user if user in ("hdfs", "yarn", "mapred") else ""
        env = {
            "JAVA_HOME": os.environ.get("JAVA_HOME", "") or os.path.dirname(os.path.dirname(os.path.realpath("/usr/bin/java"))),
            "HADOOP_HEAPSIZE_MAX": "400m",
            "HADOOP_OPTS": "-Djava.net.preferIPv4Stack=true -XX:-UsePerfData",
        }
        if own:
            env.update(HADOOP_LOG_DIR=f"{INSIDE}/log/{own}", HADOOP_PID_DIR=f"{INSIDE}/pid/{own}")
        else:
            env.update(HADOOP_LOG_DIR=f"{INSIDE}/home/{user}", HADOOP_PID_DIR=f"{INSIDE}/home/{user}")
        if self.kerberos and not daemon:
            env.update(kdc.login(user))
        return env

    def start(self, user, program, daemon):
        """Starts a daemon; it need not be ready yet."""
        self.world.run(f"{self.home}/bin/{program}", "--daemon", "start", daemon, user=user, env=self.variables(user, daemon=True))

    def stop(self, user, program, daemon):
        """Ends a daemon, and waits for that."""
        self.world.run(f"{self.home}/bin/{program}", "--daemon", "stop", daemon, user=user, env=self.variables(user, daemon=True))

    def _make_folders(self):
        self.wait("HDFS is not ready", self._hdfs_is_ready)
        script = "-mkdir -p /tmp/logs /user/alice /user/bob /tmp/hadoop-yarn/staging"
        self.run("hdfs", "hadoop", "fs", *script.split())
        self.run("hdfs", "hadoop", "fs", "-chmod", "-R", "1777", "/tmp")
        self.run("hdfs", "hadoop", "fs", "-chown", "yarn:" + world.GROUP, "/tmp/logs")
        if self.kerberos:
            # The history server's; without one the first ApplicationMaster makes it.
            self.run("hdfs", "hadoop", "fs", "-mkdir", "/tmp/hadoop-yarn/staging/history")
            self.run("hdfs", "hadoop", "fs", "-chown", "mapred", "/tmp/hadoop-yarn/staging/history")
            self.run("hdfs", "hadoop", "fs", "-chmod", "755", "/tmp/hadoop-yarn/staging/history")
        for user in ("alice", "bob"):
            self.run("hdfs", "hadoop", "fs", "-chown", user, f"/user/{user}")
            self.run("hdfs", "hadoop", "fs", "-chmod", "700", f"/user/{user}")

    def _hdfs_is_ready(self):
        nodes = self.get(9870, "/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState")
        state = self.get(9870, "/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo")
        return bool(re.search(r'"NumLiveDataNodes" : [1-9]', nodes) and re.search(r'"Safemode" : ""', state))

    def await_node(self):
        """Waits for a NodeManager that the ResourceManager knows."""
        self.wait("the NodeManager is not known to the ResourceManager", lambda: '"activeNodes":1' in self.get(8088, "/ws/v1/cluster/metrics"))

    def wait(self, what, condition, seconds=180):
        """Waits until a condition holds."""
        limit = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > limit:
                raise SecuredError(f"{what}, after {seconds} s; logs: {self.world.folder}/log")
            time.sleep(0.3)

    def get(self, port, path):
        """Body of an HTTP page of the world's loopback; empty if nobody answers."""
        script = (
            "import sys, urllib.request as u\n"
            "try: print(u.urlopen('http://localhost:' + sys.argv[1] + sys.argv[2], timeout=5).read().decode())\n"
            "except OSError: pass\n"
        )
        return self.world.run("python3", "-c", script, str(port), path, check=False).stdout

    def engines(self):
        """What the NodeManager says of its engines by JMX."""
        beans = json.loads(self.get(8042, "/jmx?qry=Hadoop:service=NodeManager,name=MammothEngines") or '{"beans": [{}]}')["beans"]
        return beans[0] if beans else {}

    def status(self):
        """The same in detail: engines and their tasks, fall-backs and why."""
        return json.loads(self.engines()["Status"])

    def run(self, user, program, *arguments, check=True):
        """Runs a command of the release as a user."""
        return self.world.run(f"{self.home}/bin/{program}", *arguments, user=user, check=check, env=self.variables(user), cwd=f"{INSIDE}/home/{user}")

    def _examples(self):
        examples = os.path.basename(glob.glob(f"{self._outside}/share/hadoop/mapreduce/hadoop-mapreduce-examples-*.jar")[0])
        return f"{self.home}/share/hadoop/mapreduce/{examples}"

    def job(self, user, *arguments):
        """Runs one of the example jobs as a user."""
        return Job(self.run(user, "hadoop", "jar", self._examples(), *arguments, check=False))

    def begin(self, user, *arguments):
        """The same without waiting for it: its client."""
        return self._begin(user, self._examples(), *arguments)

    def begin_sleep(self, user, *arguments):
        """A job of upstream's that sleeps (-m maps, -r reduces, -mt and -rt ms), not waited for: its client."""
        tests = os.path.basename(glob.glob(f"{self._outside}/share/hadoop/mapreduce/hadoop-mapreduce-client-jobclient-*-tests.jar")[0])
        return self._begin(user, f"{self.home}/share/hadoop/mapreduce/{tests}", "sleep", *arguments)

    def _begin(self, user, jar, *arguments):
        return self.world.begin(f"{self.home}/bin/hadoop", "jar", jar, *arguments, user=user, env=self.variables(user), cwd=f"{INSIDE}/home/{user}")

    def write(self, user, path, text):
        """A file in HDFS."""
        local = f"{INSIDE}/home/{user}/text"
        with open(self.outside(local), "w", encoding="utf-8") as out:
            out.write(text)
        os.chown(self.outside(local), *(world.USERS[user][0], world.USERS[user][2]))
        self.run(user, "hadoop", "fs", "-put", "-f", local, path)

    def processes(self, word):
        """Processes of the world whose command line has a word: (pid in the world, user, command line)."""
        said = self.world.run("ps", "-ww", "-eo", "pid=,user:20=,args=").stdout
        return [(int(line.split(None, 2)[0]), *line.split(None, 2)[1:]) for line in said.splitlines() if word in line and "ps -ww" not in line]

    def node_log(self):
        """The NodeManager's log."""
        text = ""
        for path in sorted(glob.glob(f"{self.world.folder}/log/yarn/hadoop-*-nodemanager-*.log")):
            with open(path, encoding="utf-8", errors="replace") as log:
                text += log.read()
        return text

    def close(self):
        """Ends all of it."""
        self.world.close()


__all__ = ["Cluster", "Job", "why_not", "tarball"]
