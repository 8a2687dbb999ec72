# SPDX-License-Identifier: Apache-2.0
"""One HDFS and a YARN of either side, in turn or both, all on loopback."""

import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request

from . import BenchError
from .confdirs import MAMMOTHS

#: Heaps of the daemons in MiB, equal on both sides.
DAEMON_HEAP_MB = 512
READY_SECONDS = 120

_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def own_environment():
    """This process's environment without anything of another Hadoop."""
    foreign = ("HADOOP_", "HDFS_", "YARN_", "MAPRED_", "MAMMOTH_")
    env = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
    env.pop("CLASSPATH", None)
    return env


def fetch_json(port, path):
    """What a daemon of ours answers."""
    with _OPENER.open(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
        return json.load(answer)


def tail(path, lines=25):
    """The end of a log, for an error message."""
    try:
        with open(path, encoding="utf-8", errors="replace") as source:
            return "".join(source.readlines()[-lines:])
    except FileNotFoundError:
        return "(no log)"


def excerpt(path):
    """The first exception in a log and its end: the cause is rarely in the last lines."""
    text = tail(path, lines=1_000_000).splitlines()
    first = next((line for line in text if "Exception" in line or "Error:" in line), None)
    return "\n".join(([first, "..."] if first else []) + text[-25:] + [f"(from {path})"])


class Cluster:
    """Daemons in the foreground of processes of ours, so that none survives us."""

    def __init__(self, layout, release, processes, confs, ports):
        self._layout = layout
        self._release = release
        self._processes = processes
        self._confs = confs
        self._ports = ports
        self._storage = []
        self._yarn = {}

    def environment(self, log_folder, release_starts_clients=False, heap_mb=None):
        """Ours without anything of another Hadoop.

        The release's launchers start clients from a class archive and with one compiler; stock's
        clients start as Apache's do.
        """
        env = own_environment()
        env["HADOOP_LOG_DIR"] = self._layout.make("logs", log_folder)
        env["HADOOP_PID_DIR"] = self._layout.make("pids")
        env["HADOOP_CLIENT_OPTS"] = "-Xmx512m"
        if not release_starts_clients:
            env["MAMMOTH_CDS"] = "off"
            env["MAMMOTH_QUICK_CLIENTS"] = "off"
        if heap_mb:
            env["HADOOP_HEAPSIZE_MAX"] = str(heap_mb)
        return env

    def client(self, conf, program, arguments, log_path, extra_env=None):
        """Starts a command of the release; its output goes to a file."""
        command = [self._release.command(program), "--config", self._confs[conf], *arguments]
        env = self.environment("client", conf in MAMMOTHS or program == "hdfs")
        env.update(extra_env or {})
        with open(log_path, "wb") as log:
            return self._processes.start(command, env, log)

    def program(self, conf, command, log_path, extra_env=None):
        """Starts a program that is not of the release and runs the release's commands; its output goes to a file."""
        env = self.environment("client", conf in MAMMOTHS)
        env.update(extra_env or {})
        env["HADOOP_HOME"] = self._release.home
        env["HADOOP_CONF_DIR"] = self._confs[conf]
        env["PATH"] = os.path.dirname(self._release.command("hadoop")) + os.pathsep + env["PATH"]
        with open(log_path, "wb") as log:
            return self._processes.start(command, env, log)

    def end(self, process):
        """Ends a program that client() has started and that would go on, as a server does."""
        self._processes.stop(process)

    def run(self, conf, program, *arguments, check=True, extra_env=None):
        """Runs a command that is not measured; returns its output."""
        log_path = os.path.join(self._layout.make("logs", "client"), "last-uncounted.log")
        status = self.client(conf, program, arguments, log_path, extra_env).wait()
        with open(log_path, encoding="utf-8", errors="replace") as source:
            output = source.read()
        if status and check:
            raise BenchError(
                f"'{program} {' '.join(arguments)}' ended with status {status}:\n{excerpt(log_path)}"
            )
        return output

    def read(self, pattern):
        """Yields the lines of files in HDFS; the shell expands the pattern."""
        command = [self._release.command("hdfs"), "--config", self._confs["storage"]]
        log_path = os.path.join(self._layout.make("logs", "client"), "cat.log")
        with open(log_path, "wb") as log:
            process = subprocess.Popen(
                command + ["dfs", "-cat", pattern],
                env=self.environment("client", True),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
            )
        with process.stdout as lines:
            yield from lines
        if process.wait():
            raise BenchError(f"cannot read {pattern}:\n{tail(log_path)}")

    def _daemon(self, conf, program, subcommand):
        folder = self._layout.make("logs", conf)
        log_path = os.path.join(folder, f"{subcommand}.log")
        command = [self._release.command(program), "--config", self._confs[conf], subcommand]
        with open(log_path, "ab") as log:
            env = self.environment(conf, conf in MAMMOTHS, DAEMON_HEAP_MB)
            process = self._processes.start(command, env, log)
        process.log_path = log_path
        process.name = subcommand
        return process

    def _wait(self, processes, what, ready):
        deadline = time.monotonic() + READY_SECONDS
        reason = ""
        while time.monotonic() < deadline:
            for process in processes:
                if process.poll() is not None:
                    raise BenchError(
                        f"the {process.name} ended with status {process.returncode}; "
                        f"{process.log_path} ends with:\n{tail(process.log_path)}"
                    )
            try:
                if ready():
                    return
            except (urllib.error.URLError, OSError, ValueError, KeyError, IndexError) as error:
                reason = f" ({error})"
            time.sleep(0.2)
        logs = ", ".join(process.log_path for process in processes)
        raise BenchError(f"{what} was not ready after {READY_SECONDS} s{reason}; see {logs}")

    def lacks_archive(self):
        return not os.path.exists(os.path.join(self._release.home, "var", "cds", "client.jsa"))

    def make_archive(self):
        """What an administrator does once, with the daemons and an engine up: the class archive."""
        print("making the release's class archive (mammoth cds -create) ...", flush=True)
        self.run("mammoth", "mammoth", "cds", "-create")

    def start_storage(self, conf="storage"):
        """NameNode, DataNode and history server; both sides share them."""
        if not os.path.isdir(self._layout.path("hdfs", "name", "current")):
            shutil.rmtree(self._layout.path("hdfs"), ignore_errors=True)
            self._layout.make("hdfs", "name")
            self.run("storage", "hdfs", "namenode", "-format", "-nonInteractive")
        self._storage.append(self._daemon(conf, "hdfs", "namenode"))
        self._storage.append(self._daemon(conf, "hdfs", "datanode"))
        self._wait(self._storage, "HDFS", self._hdfs_is_up)
        self._storage.append(self._daemon(conf, "mapred", "historyserver"))
        self._wait(
            self._storage,
            "the history server",
            lambda: fetch_json(self._ports["storage"]["history-web"], "/ws/v1/history/info"),
        )

    def _hdfs_is_up(self):
        query = "/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState"
        state = fetch_json(self._ports["storage"]["namenode-web"], query)["beans"][0]
        return state["NumLiveDataNodes"] == 1 and state["FSState"] == "Operational"

    def start_yarn(self, side):
        """ResourceManager and NodeManager of one side, on an empty local folder."""
        shutil.rmtree(self._layout.path("yarn", side), ignore_errors=True)
        daemons = self._yarn[side] = [
            self._daemon(side, "yarn", "resourcemanager"),
            self._daemon(side, "yarn", "nodemanager"),
        ]
        self._wait(daemons, f"YARN ({side})", lambda: self._yarn_is_up(side))

    def _yarn_is_up(self, side):
        port = self._ports[side]["resourcemanager-web"]
        return fetch_json(port, "/ws/v1/cluster/metrics")["clusterMetrics"]["activeNodes"] == 1

    def stop_yarn(self):
        """Ends the daemons of whichever sides run, and what they have left: containers, an engine."""
        for daemons in self._yarn.values():
            for process in reversed(daemons):
                self._processes.stop(process)
        self._yarn = {}
        self._processes.sweep(keep=self._storage)

    def stop(self):
        """Ends everything in order, so that HDFS has its edits on disk."""
        self.stop_yarn()
        for process in reversed(self._storage):
            self._processes.stop(process)
        self._storage = []
