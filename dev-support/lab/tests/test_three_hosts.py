# SPDX-License-Identifier: Apache-2.0
"""A release on three hosts: TeraSort and a job whose output stock has made before, at the same time, under the faults of networks.

(a) a cable is out for some seconds in the shuffle, (b) a host dies in the shuffle, (c) a host has a slow link and little of a
processor, (d) on one of the hosts Mammoth is off. The output must be right each time: TeraValidate's checksum, and the other job's
bytes and counters, which are those of upstream's local job runner.

LAB_MERGE names how reduces merge (mammoth.shuffle.merge); without it they choose.
"""

import glob
import hashlib
import os
import re
import signal
import tempfile
import time
import unittest

from mammoth_bench import confdirs, joblog, release
from mammoth_bench.inputs import LOCAL, Inputs
from mammoth_bench.workloads import TeraSort
from mammoth_lab import settings
from mammoth_lab.cluster import LabCluster
from mammoth_lab.lab import Lab

from .live import name, need_lab, traces

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
TERA_SIZE, TEXT_SIZE, REDUCES = "200m", "20m", 3
JOB_SECONDS = 240
#: A cable that is out for so long is noticed by nobody but the shuffle.
CUT_SECONDS = 7

#: YARN and HDFS give a silent node up after some 15 s, clients after a few tries: a dead host costs seconds, not upstream's 10 minutes.
#: An ApplicationMaster has a minute, as on a busy machine the first ones of three hosts at once take half of that to start.
VALUES = {
    "yarn.nm.liveness-monitor.expiry-interval-ms": 12000,
    "yarn.am.liveness-monitor.expiry-interval-ms": 60000,
    "yarn.client.nodemanager-connect.max-wait-ms": 5000,
    "yarn.client.nodemanager-connect.retry-interval-ms": 1000,
    "dfs.heartbeat.interval": 1,
    "dfs.namenode.heartbeat.recheck-interval": 1000,
    "dfs.client.socket-timeout": 8000,
    "dfs.datanode.socket.write.timeout": 16000,
    "dfs.blocksize": 16 << 20,
    "ipc.client.connect.timeout": 4000,
    "ipc.client.connect.max.retries.on.timeouts": 1,
    "ipc.ping.interval": 8000,
    "mapreduce.task.timeout": 30000,
    "mapreduce.reduce.shuffle.connect.timeout": 5000,
    "mapreduce.reduce.shuffle.read.timeout": 8000,
    "mapreduce.reduce.shuffle.retry-delay.max.ms": 3000,
    "mapreduce.client.progressmonitor.pollinterval": 200,
    "mammoth.shuffle.fetch.timeout-ms": 8000,
    "mammoth.shuffle.idle.timeout-ms": 9000,
    "mapreduce.terasort.output.replication": 2,
}
MERGE = os.environ.get("LAB_MERGE")
if MERGE:
    VALUES["mammoth.shuffle.merge"] = MERGE
    # Else reduces as small as these are levitated, so that equal keys come in stock's order.
    VALUES["mammoth.sort.stock-order"] = "false"
#: What a mode that was asked for has to show.
_ABOVE_DISKS = "Bytes merged while they stayed at other nodes"
MERGED = {"levitated": _ABOVE_DISKS, "virtual": _ABOVE_DISKS, "node": "Bytes merged at other nodes and sent as streams"}
#: What stock's local runner counts as a cluster does.
COUNTERS = (
    "Map input records", "Map output records", "Map output bytes", "Combine input records", "Reduce input groups", "Reduce input records",
    "Reduce output records", "Bytes Written",
)
_PROGRESS = re.compile(r"map (\d+)% reduce (\d+)%")


def progress(log_path):
    """(map, reduce) in percent, as the client's log says last."""
    with open(log_path, encoding="utf-8", errors="replace") as source:
        found = _PROGRESS.findall(source.read())
    return tuple(map(int, found[-1])) if found else (0, 0)


def tarball():
    """The newest release that the build has left, or the file that LAB_TARBALL names."""
    found = glob.glob(os.path.join(ROOT, "hadoop-dist", "target", "mammoth-[0-9]*.tar.gz"))
    named = os.environ.get("LAB_TARBALL")
    return named or (max(found, key=os.path.getmtime) if found else None)


def _stop(_number, _frame):
    raise KeyboardInterrupt


class ThreeHostsTest(unittest.TestCase):
    """One cluster for all faults; each leaves it whole."""

    @classmethod
    def setUpClass(cls):
        need_lab()
        if not tarball():
            raise unittest.SkipTest("no release to put on three hosts: hadoop-dist/target holds no mammoth-*.tar.gz (mvn package makes one)")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        # A test run that is ended takes its hosts with it.
        before = signal.signal(signal.SIGTERM, _stop)
        cls.addClassCleanup(signal.signal, signal.SIGTERM, before)
        cls.lab = Lab(name("three"))
        cls.addClassCleanup(cls._down)
        cls.lab.up(3, folder.name, rate="100mbit")
        cls.release = release.Release(release.unpack(tarball(), os.path.join(folder.name, "release")), ROOT)
        cls.cluster = LabCluster(cls.lab, cls.release, settings.Sizes(daemon=200, node=3072, container=512), replication=2)
        for conf in ("storage", "mammoth"):
            cls.cluster.configure(conf, True, VALUES)
        cls.cluster.start("mammoth")
        inputs = Inputs(cls.cluster, confdirs.Layout(folder.name), cls.release)
        cls.tera, cls.tera_facts = inputs.get("tera", TERA_SIZE)
        cls.text, _ = inputs.get("text", TEXT_SIZE)
        cls.expected = cls._word_count_of_stock()

    @classmethod
    def _down(cls):
        cls.lab.down()
        left = traces(cls.lab.name)
        if left:
            raise AssertionError(f"left behind: {left}")

    @classmethod
    def _word_count(cls, target, *options):
        return ["jar", cls.release.workloads, "wordcount-nocombiner", *options, cls.text, target, str(REDUCES)]

    @classmethod
    def _word_count_of_stock(cls):
        output = cls.cluster.run("storage", "hadoop", *cls._word_count("/stock", *LOCAL))
        return cls._made("/stock", output)

    @classmethod
    def _made(cls, target, output):
        """The SHA-256 of each part, and the counters that a job has everywhere."""
        seen = joblog.counters(output)
        parts = {}
        for number in range(REDUCES):
            digest = hashlib.sha256()
            for line in cls.cluster.read(f"{target}/part-r-{number:05}"):
                digest.update(line)
            parts[number] = digest.hexdigest()
        return parts, {counter: seen.get(counter) for counter in COUNTERS}

    # --- One run of both jobs ------------------------------------------------------------------------------------

    def run_jobs(self, label, in_shuffle=lambda: None, mended=lambda: None):
        """Runs both jobs, calls in_shuffle when TeraSort shuffles and mended when both have ended, then looks at their output.

        Returns what ran on each host meanwhile, and the counters of TeraSort.
        """
        tera = TeraSort(self.cluster, self.release, REDUCES)
        outputs = {"tera": f"/out/{label}-tera", "words": f"/out/{label}-words"}
        logs = {job: self.cluster.log_path(f"{label}-{job}.log") for job in outputs}
        begin = time.monotonic()
        clients = {
            "tera": self.cluster.client("mammoth", "hadoop", tera.command(self.tera, outputs["tera"]), logs["tera"]),
            "words": self.cluster.client("mammoth", "hadoop", self._word_count(outputs["words"]), logs["words"]),
        }
        seen = {host: set() for host in self.lab.hosts}
        struck = False
        looked_at = 0.0
        while any(client.poll() is None for client in clients.values()):
            self.assertLess(time.monotonic() - begin, JOB_SECONDS, f"{label}: not done: {[progress(log) for log in logs.values()]}")
            if time.monotonic() - looked_at > 1:
                looked_at = time.monotonic()
                for host in self.lab.hosts:
                    seen[host].update(self.lab.running(host).values())
            failed = [job for job, client in clients.items() if client.poll()]
            self.assertEqual(failed, [], f"{label}: see " + ", ".join(logs.values()))
            maps, reduces = progress(logs["tera"])
            if not struck and maps >= 40:
                self.assertLess(reduces, 60, f"{label}: the shuffle is over before anything is done to it")
                struck = True
                in_shuffle()
                self.assertIsNone(clients["tera"].poll(), f"{label}: TeraSort had ended before its shuffle was harmed")
            time.sleep(0.1)
        took = time.monotonic() - begin
        mended()
        texts = {}
        for job, path in logs.items():
            with open(path, encoding="utf-8", errors="replace") as source:
                texts[job] = source.read()
            self.assertEqual(clients[job].returncode, 0, f"{label}, {job}:\n{texts[job][-4000:]}")
        self.assertTrue(struck, f"{label}: TeraSort was never seen in its shuffle")
        tera.check(self.tera_facts, outputs["tera"], texts["tera"])
        self.assertEqual(self._made(outputs["words"], texts["words"]), self.expected, f"{label}: differs from stock's")
        counters = joblog.counters(texts["tera"])
        ordinary = counters.get("Tasks in ordinary containers", 0)
        remotely = ""
        if MERGE in MERGED:
            merged = counters.get(MERGED[MERGE], 0)
            self.assertGreater(merged, 0, f"{label}: nothing was merged as {MERGE} does it")
            remotely = f", {merged >> 20} MiB merged as {MERGE} does it"
        print(f"three hosts, {label}: both jobs right, {took:.0f} s, {ordinary} of TeraSort's tasks in ordinary containers{remotely}", flush=True)
        return seen, counters

    def victim(self):
        """A host without a master daemon, and if possible without an ApplicationMaster."""
        apps = self.cluster.fetch(settings.RESOURCEMANAGER_WEB, "/ws/v1/cluster/apps?states=RUNNING")["apps"] or {"app": []}
        masters = {app.get("amHostHttpAddress", "").partition(":")[0] for app in apps["app"]}
        return next((host for host in ("node3", "node2") if host not in masters), "node3")

    # --- The faults, in the order of their names -----------------------------------------------------------------

    def test_a_cable_cut_for_seconds(self):
        network = self.lab.network

        def cut():
            host = self.victim()
            network.cut(host)
            time.sleep(CUT_SECONDS)
            network.mend(host)

        seen, counters = self.run_jobs("cable-cut", cut)
        self.assertIn("engine", seen["node1"] | seen["node2"] | seen["node3"])
        self.assertEqual(counters.get("Tasks in ordinary containers", 0), 0)

    def test_b_slow_host(self):
        lab = self.lab

        def slow():
            lab.network.rate("node3", "20mbit")
            lab.groups.limit_cpus("node3", 0.3)

        def quick():
            lab.network.rate("node3", "100mbit")
            lab.groups.limit_cpus("node3", None)

        try:
            self.run_jobs("slow-host", slow, quick)
        finally:
            quick()

    def test_c_host_dies(self):
        dead = []

        def kill():
            dead.append(self.victim())
            self.lab.kill(dead[0])

        def lost():
            metrics = self.cluster.fetch(settings.RESOURCEMANAGER_WEB, "/ws/v1/cluster/metrics")["clusterMetrics"]
            self.assertEqual((metrics["activeNodes"], metrics["lostNodes"]), (2, 1), "the job has ended before YARN missed the host")

        try:
            self.run_jobs("dead-host", kill, lost)
        finally:
            for host in dead:
                self.lab.network.mend(host)
                self.cluster.start("mammoth", [host])
            self.cluster.await_nodes(3)

    def test_d_stock_host_among_ours(self):
        self.lab.end(lambda daemon: daemon in ("nodemanager", "engine", "task", "java"), ["node3"])
        self.cluster.configure("mammoth", True, VALUES, stock_hosts=["node3"])
        self.cluster.start("mammoth", ["node3"])
        self.cluster.await_nodes(3)
        seen, counters = self.run_jobs("stock-host")
        self.assertIn("task", seen["node3"], "no task ran in an ordinary container of the stock host")
        self.assertNotIn("engine", seen["node3"])
        self.assertIn("engine", seen["node1"] | seen["node2"])
        self.assertGreater(counters.get("Map output records"), 0)
