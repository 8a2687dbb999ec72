# SPDX-License-Identifier: Apache-2.0
"""One framework's run on one side."""

import contextlib
import glob
import os
import re
import shutil
import socket
import time

from mammoth_bench import BenchError
from mammoth_bench.cluster import READY_SECONDS, excerpt, fetch_json

from . import data, yarnapps

#: The input of all, in HDFS.
INPUT = f"/frameworks/in-{data.version()}"
_REASON = re.compile(r"runs in ordinary container \S+ because (.*)$")


class Side:
    """Hands commands to the cluster, times them and notes their jobs."""

    def __init__(self, name, framework, cluster, layout, ports, home):
        self.name = name
        self.home = home
        #: The folder of HDFS for what the framework writes, the same for both sides: its name stands in splits, whose bytes are counted.
        self.out = f"/frameworks/out/{framework}"
        self._kept = f"{self.out}-{name}"
        self.input = INPUT
        self.logs = layout.make("logs", name, framework)
        shutil.rmtree(layout.path("work", f"{framework}-{name}"), ignore_errors=True)
        self.work = layout.make("work", f"{framework}-{name}")
        self.seconds = 0.0
        self.failures = []
        #: The jobs that ended well, in the order of their submission.
        self.jobs = []
        self._layout = layout
        self._cluster = cluster
        self._ports = ports
        self._known = set(yarnapps.jobs(ports, ()))
        self._node_log = layout.path("logs", name, "nodemanager.log")
        self._node_log_begin = os.path.getsize(self._node_log)

    def hadoop(self, label, *arguments, program="hadoop", classpath=None, env=None):
        """Runs a command of the release; its time counts. Returns its output."""
        status = self.status(label, *arguments, program=program, classpath=classpath, env=env)
        log_path = self._log(label)
        if status:
            raise BenchError(f"{label} ended with status {status} on {self.name}:\n{excerpt(log_path)}")
        return self._said(label)

    def status(self, label, *arguments, program="hadoop", classpath=None, env=None):
        """Runs a command of the release, which may fail; its time counts. Returns its exit status."""
        extra = dict(env or {})
        if classpath:
            extra["HADOOP_CLASSPATH"] = classpath
        begin = time.monotonic()
        status = self._cluster.client(self.name, program, [str(a) for a in arguments], self._log(label), extra).wait()
        self.seconds += time.monotonic() - begin
        return status

    def program(self, label, command, env=None):
        """Runs a program that runs the release's commands, which may fail; its time counts. Returns its exit status and its output."""
        begin = time.monotonic()
        status = self._cluster.program(self.name, [str(a) for a in command], self._log(label), env).wait()
        self.seconds += time.monotonic() - begin
        return status, self._said(label)

    @property
    def container_logs(self):
        """The folder where the NodeManager keeps the logs of containers."""
        return self._layout.path("yarn", self.name, "containers")

    def told(self, label, *arguments, program="hadoop"):
        """As status(), with the output."""
        status = self.status(label, *arguments, program=program)
        return status, self._said(label)

    def begin(self, label, *arguments, program="hadoop"):
        """Starts a command of the release and returns its process, whose time does not count."""
        return self._cluster.client(self.name, program, [str(a) for a in arguments], self._log(label))

    def running(self):
        """The names of this side's jobs, ended or not, that this run has begun."""
        return yarnapps.jobs(self._ports, self._known)

    def web(self, daemon, path):
        """What "resourcemanager" or "history" answers in JSON."""
        return fetch_json(self._ports[f"{daemon}-web"], path)

    @contextlib.contextmanager
    def server(self, label, *arguments, port, classpath, env=None):
        """A program with Hadoop's class path that clients and tasks talk to; ends with the block. Its own start does not count."""
        extra = {**(env or {}), "HADOOP_CLASSPATH": classpath}
        process = self._cluster.client("storage", "hadoop", [str(a) for a in arguments], self._log(label), extra)
        try:
            self._await(label, process, port)
            yield
        finally:
            self._cluster.end(process)

    def _await(self, label, process, port):
        deadline = time.monotonic() + READY_SECONDS
        while process.poll() is None and time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.2)
        raise BenchError(f"{label} does not listen:\n{excerpt(self._log(label))}")

    def _said(self, label):
        with open(self._log(label), encoding="utf-8", errors="replace") as source:
            return source.read()

    def jar(self, name):
        """The jar of the release's MapReduce of this name, where * stands for its version."""
        return glob.glob(os.path.join(self.home, "share", "hadoop", "mapreduce", name))[0]

    def _log(self, label):
        return os.path.join(self.logs, f"{label}.log")

    def lines(self, pattern):
        """The lines of text files in HDFS, in their order."""
        return list(self._cluster.read(pattern))

    def merged(self, path):
        """The lines of a text file in HDFS, or of all those in a folder."""
        local = os.path.join(self.work, "merged")
        self._cluster.run("storage", "hdfs", "dfs", "-getmerge", path, local)
        with open(local, "rb") as lines:
            return list(lines)

    def text(self, pattern, classpath):
        """What "hadoop fs -text" makes of sequence files whose classes are in the framework's jars."""
        return self.output("fs", "-text", pattern, classpath=classpath)

    def output(self, *arguments, classpath):
        """The lines that a command of the framework's writes, whose time does not count."""
        # What it logs at INFO would stand among the lines.
        env = {"HADOOP_CLASSPATH": classpath, "HADOOP_ROOT_LOGGER": "WARN,console"}
        output = self._cluster.run("storage", "hadoop", *arguments, extra_env=env)
        return [line.encode() + b"\n" for line in output.splitlines()]

    def files(self, pattern):
        """Names of files in HDFS, in their order."""
        return self._cluster.run("storage", "hdfs", "dfs", "-ls", "-C", pattern).split()

    def clear(self):
        self._cluster.run("storage", "hdfs", "dfs", "-rm", "-r", "-f", "-skipTrash", self.out, self._kept)
        self._cluster.run("storage", "hdfs", "dfs", "-mkdir", "-p", self.out)

    def keep(self):
        """Puts what this side has written where it can be looked at after the other side's run."""
        self._cluster.run("storage", "hdfs", "dfs", "-mv", self.out, self._kept)

    def start_over(self, *names):
        """Takes outputs of a run away, and its failed jobs out of the account."""
        failed = (job for job, app in yarnapps.jobs(self._ports, self._known).items() if app["finalStatus"] != "SUCCEEDED")
        self._known = {*self._known, *failed}
        paths = [f"{self.out}/{name}" for name in names]
        self._cluster.run("storage", "hdfs", "dfs", "-rm", "-r", "-f", "-skipTrash", *paths)

    def account(self):
        """Jobs, tasks and tasks in ordinary containers of the run, and the node's reasons for those."""
        apps = yarnapps.jobs(self._ports, self._known)
        tasks = ordinary = 0
        for job, app in sorted(apps.items()):
            if app["finalStatus"] != "SUCCEEDED":
                self.failures.append(f"{job} {app['name']}: {app['finalStatus']}")
                continue
            more, ended = yarnapps.facts(self._ports, job)
            tasks += more
            ordinary += ended.ordinary()
            self.jobs.append(ended)
        return {"jobs": len(apps), "tasks": tasks, "ordinary": ordinary, "reasons": self._reasons()}

    def _reasons(self):
        counts = {}
        with open(self._node_log, encoding="utf-8", errors="replace") as source:
            source.seek(self._node_log_begin)
            for line in source:
                found = _REASON.search(line)
                if found:
                    counts[found.group(1)] = counts.get(found.group(1), 0) + 1
        return counts
