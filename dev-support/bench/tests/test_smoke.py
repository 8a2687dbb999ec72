# SPDX-License-Identifier: Apache-2.0
"""The whole bench on a release without Java: turns, checks, JSON, and that nothing is left running."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

from mammoth_bench.workloads import ALL

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lab"))

from mammoth_lab import lab  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
BENCH = os.path.join(HERE, "..", "..", "bin", "bench")


def processes_with(text):
    """Pids of processes whose environment or command line holds a text."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                for part in ("cmdline", "environ"):
                    with open(f"/proc/{name}/{part}", "rb") as source:
                        if text.encode() in source.read():
                            found.append(int(name))
            except OSError:
                continue
    return found


def setUpModule():
    # A shell starts its background jobs deaf to SIGINT, and what they start inherits that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


class SmokeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        home = os.path.join(self.root, "mammoth-1")
        for directory in ("bin", "etc/hadoop", "share/hadoop/mapreduce", "share/hadoop/mammoth"):
            os.makedirs(os.path.join(home, directory))
        for program in ("hadoop", "hdfs", "yarn", "mapred", "mammoth"):
            path = os.path.join(home, "bin", program)
            shutil.copy(os.path.join(HERE, "fake_release.py"), path)
            os.chmod(path, 0o755)
        for jar in ("mapreduce/hadoop-mapreduce-examples-1.jar", "mammoth/mammoth-workloads-1.jar"):
            with open(os.path.join(home, "share/hadoop", jar), "w", encoding="ascii"):
                pass
        self.tarball = os.path.join(self.root, "mammoth-1.tar.gz")
        with tarfile.open(self.tarball, "w:gz") as archive:
            archive.add(home, "mammoth-1")
        java = os.path.join(self.root, "jdk", "bin", "java")
        os.makedirs(os.path.dirname(java))
        with open(java, "w", encoding="ascii") as out:
            out.write('#!/bin/sh\necho "Fake Runtime Environment 17" >&2\n')
        os.chmod(java, 0o755)

    def start(self, *arguments, workload="small", **environment):
        env = dict(os.environ, JAVA_HOME=os.path.join(self.root, "jdk"), **environment)
        command = [
            BENCH, *([workload] if workload else []), "--tarball", self.tarball, "--no-drop-caches",
            "--data-dir", os.path.join(self.root, "data"), *arguments,
        ]
        return subprocess.Popen(
            command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def test_alternates_checks_and_writes(self):
        path = os.path.join(self.root, "out.json")
        table = os.path.join(self.root, "out.md")
        bench = self.start("--runs", "2", "--json", path, "--markdown", table)
        output, _ = bench.communicate(timeout=120)
        self.assertEqual(bench.returncode, 0, output)
        counted = [line.split()[1] for line in output.splitlines() if " run-" in line]
        self.assertEqual(counted, ["stock", "mammoth", "stock", "mammoth"])
        self.assertEqual(output.count(" warm-up-"), 2 * ALL["small"].standing_warm_ups)
        self.assertEqual(self.daemons_started(), {"resourcemanager": 3, "nodemanager": 3})
        with open(path, encoding="utf-8") as source:
            (entry,) = json.load(source)
        self.assertEqual(entry["runs"], 2)
        self.assertEqual(len(entry["mammoth"]["each"]), 2)
        self.assertEqual(entry["stock"]["gc_ms"], 5)
        self.assertGreater(entry["stock"]["cpu_s"], 0)
        self.assertIn("Fake Runtime", entry["machine"])
        self.assertTrue(os.path.getsize(table))
        self.assertEqual(processes_with(self.root), [])

    def test_other_workloads_start_daemons_for_each_run(self):
        bench = self.start("--runs", "2", "--size", "1k", workload="wordcount")
        output, _ = bench.communicate(timeout=120)
        self.assertEqual(bench.returncode, 0, output)
        self.assertEqual(self.daemons_started(), {"resourcemanager": 5, "nodemanager": 5})

    def test_ssd_cache_is_compared_with_none(self):
        table = os.path.join(self.root, "out.md")
        bench = self.start(
            "--ssd-cache", os.path.join(self.root, "ssd"), "--runs", "1", "--size", "1k", "--markdown", table,
            workload=None)
        output, _ = bench.communicate(timeout=120)
        self.assertEqual(bench.returncode, 0, output)
        with open(table, encoding="utf-8") as source:
            text = source.read()
        for name in ("grep without", "grep first", "grep second", "terasort without", "terasort localized"):
            self.assertRegex(text, rf"\| {name} \| .* \| 2\.0 \|")
        self.assertIn("second grep's map phase against that without the cache: 1.00 x (at least 4.0 x: NO)", text)
        self.assertIn("\nlocalized\n", output)
        self.assertEqual(self.daemons_started(), {"resourcemanager": 3, "nodemanager": 3})
        self.assertEqual(processes_with(self.root), [])

    def test_hosts_have_variants_in_turn(self):
        reason = lab.why_not()
        if reason:
            self.skipTest(f"no lab here: {reason}")
        path, table = os.path.join(self.root, "out.json"), os.path.join(self.root, "out.md")
        name = f"smoke{os.getpid()}"
        bench = self.start(
            "--hosts", "1", "--lab", name, "--disk-size", "64m", "--runs", "1", "--size", "1k", "--variant", "spill:a.b=1",
            "--variant", "virtual:a.b=2", "--set-stock", "c.d=3", "--json", path, "--markdown", table, workload="wordcount")
        output, _ = bench.communicate(timeout=200)
        self.assertEqual(bench.returncode, 0, output)
        counted = [line.split()[1] for line in output.splitlines() if " run-" in line]
        self.assertEqual(counted, ["stock", "spill", "virtual"])
        with open(path, encoding="utf-8") as source:
            (entry,) = json.load(source)
        self.assertEqual(list(entry["variants"]), ["stock", "spill", "virtual"])
        run = entry["variants"]["virtual"]["each"][0]
        self.assertGreater(run["cpu_s"], 0)
        self.assertEqual(set(run["phases"]["map"]), {
            "disk1 node1 read", "disk1 node1 written", "disk2 node1 read", "disk2 node1 written", "link node1 received", "link node1 sent"})
        with open(table, encoding="utf-8") as source:
            self.assertIn("| virtual |", source.read())
        self.assertFalse(os.path.exists(f"/run/mammoth-lab/{name}.json"))
        self.assertEqual(processes_with(self.root), [])

    def daemons_started(self):
        """By kind. One of each runs while the class archive is made."""
        with open(os.path.join(self.root, "data", "hdfs", "started"), encoding="utf-8") as lines:
            names = [line.strip() for line in lines]
        return {name: names.count(name) for name in ("resourcemanager", "nodemanager")}

    def test_wrong_output_is_loud(self):
        bench = self.start("--runs", "1", FAKE_WRONG="mammoth")
        output, _ = bench.communicate(timeout=120)
        self.assertEqual(bench.returncode, 1, output)
        self.assertIn("WRONG OUTPUT", output)
        self.assertEqual(processes_with(self.root), [])

    def test_stock_in_disguise_is_loud(self):
        bench = self.start("--runs", "1", FAKE_TASKS="0")
        output, _ = bench.communicate(timeout=120)
        self.assertEqual(bench.returncode, 1, output)
        self.assertIn("would compare stock with stock", output)

    def test_interrupt_leaves_nothing(self):
        bench = self.start("--runs", "1", FAKE_JOB_SECONDS="300")
        deadline = time.monotonic() + 60
        while not any("jar" in self.command(pid) for pid in processes_with(self.root)):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        bench.send_signal(signal.SIGINT)
        output, _ = bench.communicate(timeout=60)
        self.assertEqual(bench.returncode, 130, output)
        self.assertEqual(processes_with(self.root), [])

    @staticmethod
    def command(pid):
        try:
            with open(f"/proc/{pid}/cmdline", encoding="utf-8") as source:
                return source.read().split("\0")
        except OSError:
            return []

    def test_unknown_workload_and_missing_tarball(self):
        for arguments, text in (
            (["nothing"], "no workload nothing"),
            (["small", "--tarball", "/nowhere.tar.gz", "--data-dir", self.root], "no tarball"),
            ([], "name at least one"),
            (["small", "--size", "much"], "is no size"),
        ):
            env = dict(os.environ, JAVA_HOME=os.path.join(self.root, "jdk"))
            done = subprocess.run(
                [BENCH, *arguments], env=env, capture_output=True, text=True, check=False
            )
            self.assertEqual(done.returncode, 1)
            self.assertIn(text, done.stderr)
