# SPDX-License-Identifier: Apache-2.0
"""A release on the hosts of a lab: NameNode, ResourceManager and history server on the first, a DataNode and a NodeManager on each."""

import os
import subprocess
import time
import urllib.error

from mammoth_bench.cluster import excerpt, own_environment, tail

from . import LabError, inside, settings
from .network import CLIENT
from .settings import MASTER

READY_SECONDS = 300
#: daemon -> (program, configuration it belongs to, whether it runs on the first host only).
DAEMONS = {
    "namenode": ("hdfs", "storage", True),
    "datanode": ("hdfs", "storage", False),
    "historyserver": ("mapred", "storage", True),
    "resourcemanager": ("yarn", "yarn", True),
    "nodemanager": ("yarn", "yarn", False),
}
_STORAGE = [name for name, (_, kind, _) in DAEMONS.items() if kind == "storage"]


def environment(lab, home, host, conf, plain=False, heap_mb=None):
    """What a command of the release at home finds on a host. plain: clients start as Apache's do, without the release's haste."""
    folder = lab.folder(host)
    for name in ("tmp", "pids", os.path.join("logs", conf)):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    env = own_environment()
    env.update({
        "HADOOP_HOME": home,
        "HADOOP_CONF_DIR": os.path.join(folder, "conf", conf),
        "HADOOP_LOG_DIR": os.path.join(folder, "logs", conf),
        "HADOOP_PID_DIR": os.path.join(folder, "pids"),
        "HADOOP_OPTS": f"-Djava.net.preferIPv4Stack=true -Djava.io.tmpdir={folder}/tmp -XX:-UsePerfData",
        "HADOOP_CLIENT_OPTS": "-Xmx512m",
        "TMPDIR": os.path.join(folder, "tmp"),
        "PATH": os.path.join(home, "bin") + os.pathsep + env.get("PATH", ""),
    })
    if plain:
        env.update(MAMMOTH_CDS="off", MAMMOTH_QUICK_CLIENTS="off")
    if heap_mb:
        env["HADOOP_HEAPSIZE_MAX"] = str(heap_mb)
    return env


class LabCluster:
    """Starts and stops daemons and clients on a lab's hosts. Offers what inputs and workloads of the bench need of a cluster.

    Configurations are directories by name on every host; daemons of HDFS use "storage".
    """

    def __init__(self, lab, release, sizes=None, replication=1):
        self._lab = lab
        self._release = release
        self._sizes = sizes or settings.Sizes()
        self._replication = replication
        self._plain = set()
        self.configure("storage", True)

    def configure(self, conf, mammoth, values=None, stock_hosts=()):
        """Writes a configuration on all hosts. values: keys that win over everything; on stock_hosts Mammoth is off."""
        (self._plain.discard if mammoth else self._plain.add)(conf)
        for host in [*self._lab.hosts, CLIENT]:
            settings.write(
                self._lab, host, conf, self._release.home, mammoth and host not in stock_hosts, values, self._sizes, self._replication)

    def environment(self, host, conf, heap_mb=None):
        """What a command of the release finds on a host."""
        return environment(self._lab, self._release.home, host, conf, conf in self._plain, heap_mb)

    # --- Clients, as the bench's cluster has them ----------------------------------------------------------------

    def client(self, conf, program, arguments, log_path, extra_env=None, host=CLIENT):
        """Starts a command of the release on a host; its output goes to a file."""
        env = self.environment(host, conf)
        env.update(extra_env or {})
        with open(log_path, "wb") as log:
            return self._lab.start(host, [self._release.command(program), "--config", env["HADOOP_CONF_DIR"], *arguments], env, log)

    def log_path(self, name):
        folder = os.path.join(self._lab.folder(CLIENT), "logs")
        os.makedirs(folder, exist_ok=True)
        return os.path.join(folder, name)

    def run(self, conf, program, *arguments, check=True, extra_env=None, host=CLIENT):
        """Runs a command to its end; returns its output. LabError for a status other than 0, unless check is False."""
        log_path = self.log_path(f"last-of-{host}.log")
        status = self.client(conf, program, arguments, log_path, extra_env, host).wait()
        with open(log_path, encoding="utf-8", errors="replace") as source:
            output = source.read()
        if status and check:
            raise LabError(f"'{program} {' '.join(arguments)}' on {host} ended with status {status}:\n{excerpt(log_path)}")
        return output

    def read(self, pattern):
        """Yields the lines of files in HDFS; the shell of HDFS expands the pattern."""
        env = self.environment(CLIENT, "storage")
        command = self._lab.command(CLIENT, [self._release.command("hdfs"), "--config", env["HADOOP_CONF_DIR"], "dfs", "-cat", pattern])
        log_path = self.log_path("cat.log")
        with open(log_path, "wb") as log:
            process = subprocess.Popen(
                command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
        with process.stdout as lines:
            yield from lines
        if process.wait():
            raise LabError(f"cannot read {pattern}:\n{tail(log_path)}")

    def fetch(self, port, path, host=MASTER):
        """What a daemon says at its web port."""
        network = self._lab.network
        return inside.fetch_json(network.namespace(host), network.address(host), port, path)

    # --- Daemons -------------------------------------------------------------------------------------------------

    def start(self, conf, hosts=None):
        """Starts what does not run yet, of HDFS and YARN at once, on all hosts or some; waits until all answer."""
        self._start(list(DAEMONS), conf, hosts)

    def start_storage(self):
        self._start(_STORAGE, "storage", None)

    def start_yarn(self, conf):
        self._start([name for name in DAEMONS if name not in _STORAGE], conf, None)

    def _start(self, names, conf, hosts):
        hosts = hosts or self._lab.hosts
        started = []
        for host in hosts:
            there = set(self._lab.running(host).values())
            for name in names:
                program, kind, only_first = DAEMONS[name]
                if name not in there and not (only_first and host != MASTER):
                    started.append(self._daemon(host, name, program, conf if kind == "yarn" else "storage"))
        if "namenode" in names:
            self._wait(started, "HDFS", lambda: self._live_datanodes() >= len(hosts))
            self._wait(started, "the history server", lambda: self.fetch(settings.HISTORY_WEB, "/ws/v1/history/info"))
        if "resourcemanager" in names:
            self._wait(started, "YARN", lambda: self._active_nodes() >= len(hosts))

    def _daemon(self, host, name, program, conf):
        if name == "namenode" and not os.path.isdir(os.path.join(self._lab.folder(host), "name", "current")):
            self.run("storage", "hdfs", "namenode", "-format", "-nonInteractive", host=host)
        env = self.environment(host, conf, self._sizes.daemon)
        path = os.path.join(env["HADOOP_LOG_DIR"], f"{name}.out")
        with open(path, "ab") as log:
            process = self._lab.start(host, [self._release.command(program), "--config", env["HADOOP_CONF_DIR"], name], env, log)
        process.name, process.log_path = f"{name} of {host}", path
        return process

    def _live_datanodes(self):
        state = self.fetch(settings.NAMENODE_WEB, "/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState")["beans"][0]
        return state["NumLiveDataNodes"] if state["FSState"] == "Operational" else 0

    def _active_nodes(self):
        return self.fetch(settings.RESOURCEMANAGER_WEB, "/ws/v1/cluster/metrics")["clusterMetrics"]["activeNodes"]

    def _wait(self, started, what, ready):
        deadline = time.monotonic() + READY_SECONDS
        reason = ""
        while time.monotonic() < deadline:
            for process in started:
                if process.poll() is not None:
                    raise LabError(
                        f"the {process.name} ended with status {process.returncode}; {process.log_path} ends with:\n{tail(process.log_path)}")
            try:
                if ready():
                    return
            except (urllib.error.URLError, OSError, ValueError, KeyError, IndexError) as error:
                reason = f" ({error})"
            time.sleep(0.3)
        raise LabError(f"{what} was not ready after {READY_SECONDS} s{reason}; logs are below {self._lab.folder(MASTER)}/logs")

    def await_nodes(self, count):
        """Waits until YARN and HDFS have so many nodes, no more and no fewer: after a host died or came back."""
        self._wait([], f"a cluster of {count} nodes", lambda: self._active_nodes() == count and self._live_datanodes() == count)

    def stop_yarn(self):
        """Ends YARN and all that jobs have left: containers, engines, clients. HDFS stays."""
        self._lab.end(lambda name: name not in _STORAGE)

    def stop(self):
        """Ends everything on all hosts."""
        self._lab.end()
