# SPDX-License-Identifier: Apache-2.0
"""What needs neither root nor a machine of its own: the disk's timing, the FUSE answers, names of processes, arguments."""

import contextlib
import errno
import io
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from mammoth_bench import confdirs, sitefile
from mammoth_lab import LabError, cli, disks, fuse, lab, network, processes, settings
from mammoth_lab.diskmodel import DiskModel
from mammoth_lab.state import State


class DiskModelTest(unittest.TestCase):
    SIZE = 16 << 30

    def test_runs_at_the_transfer_rate(self):
        model, now = DiskModel(self.SIZE), 0.0
        for number in range(150):
            now = model.finished_at(now, number * 1_000_000, 1_000_000)
        self.assertAlmostEqual(now, 1.0, places=2)

    def test_a_slower_disk(self):
        model, now = DiskModel(self.SIZE, 50e6), 0.0
        for number in range(50):
            now = model.finished_at(now, number * 1_000_000, 1_000_000)
        self.assertAlmostEqual(now, 1.0, places=2)

    def test_a_hundred_random_reads_a_second(self):
        model, now, places = DiskModel(self.SIZE), 0.0, random.Random(1)
        for _ in range(1000):
            now = model.finished_at(now, places.randrange(self.SIZE >> 16) << 16, 1 << 16)
        self.assertTrue(90 < 1000 / now < 110, 1000 / now)

    def test_two_readers_in_turn_cost_seeks(self):
        model, now = DiskModel(self.SIZE), 0.0
        for number in range(50):
            for begin in (0, self.SIZE // 2):
                now = model.finished_at(now, begin + number * (1 << 20), 1 << 20)
        self.assertGreater(now, 100 * (1 << 20) / 150e6 + 99 * 0.009)

    def test_requests_wait_for_each_other_and_an_idle_disk_starts_at_once(self):
        model = DiskModel(self.SIZE)
        first = model.finished_at(0.0, 0, 1_500_000)
        second = model.finished_at(first + 0.0001, 1_500_000, 1_500_000)
        self.assertAlmostEqual(second, 0.02, places=6)
        self.assertAlmostEqual(model.finished_at(5.0, 3_000_000, 1_500_000), 5.01, places=6)


class ServersTest(unittest.TestCase):
    """Servers of hard disks that end late, played by a process of their name."""

    def serve(self, folder, seconds):
        words = ["-c", f"import time; time.sleep({seconds})", "harddisk.py", f"{folder}/disk1.img"]
        server = subprocess.Popen([sys.executable, *words])
        self.addCleanup(server.kill)
        while not disks.servers_below(folder):
            self.assertIsNone(server.poll())
        return server

    def test_one_that_takes_its_time_has_ended_afterwards(self):
        with tempfile.TemporaryDirectory() as folder:
            server = self.serve(folder, 0.5)
            disks.remove_below(folder)
            self.assertEqual(disks.servers_below(folder), [])
            self.assertEqual(server.wait(5), 0)

    def test_one_that_stays_is_killed(self):
        with tempfile.TemporaryDirectory() as folder:
            server = self.serve(folder, 600)
            disks.remove_below(folder, patience=0.2)
            self.assertEqual(disks.servers_below(folder), [])
            self.assertEqual(server.wait(5), -9)

    def test_another_folders_is_let_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            server = self.serve(folder + "-other", 600)
            disks.remove_below(folder, patience=0.2)
            self.assertIsNone(server.poll())


class FuseTest(unittest.TestCase):
    SIZE = 1 << 30

    @staticmethod
    def request(operation, node=1, body=b""):
        return memoryview(struct.pack("=IIQQIIIHH", 40 + len(body), operation, 7, node, 0, 0, 0, 0, 0) + body)

    def answer(self, operation, node=1, body=b""):
        return fuse.answer(*fuse.parse(self.request(operation, node, body)), self.SIZE)

    def test_lengths_are_the_kernels(self):
        for operation, body, length in (
            (fuse.INIT, bytes(64), 64), (fuse.LOOKUP, b"disk\0", 128), (fuse.GETATTR, bytes(16), 104), (fuse.OPEN, bytes(8), 16),
            (fuse.STATFS, b"", 80), (fuse.FLUSH, bytes(24), 0),
        ):
            with self.subTest(operation):
                answer = self.answer(operation, 2, body)
                self.assertEqual(struct.unpack_from("=IiQ", answer), (16 + length, 0, 7))
                self.assertEqual(len(answer), 16 + length)

    def test_says_what_is_not_there(self):
        self.assertEqual(struct.unpack("=IiQ", self.answer(fuse.LOOKUP, 1, b"other\0"))[1], -errno.ENOENT)
        self.assertEqual(struct.unpack("=IiQ", self.answer(999))[1], -errno.ENOSYS)
        self.assertIsNone(self.answer(fuse.FORGET, 2, bytes(8)))


class NamesTest(unittest.TestCase):
    def test_of_processes(self):
        for line, name in (
            ("/usr/bin/java -Dproc_nodemanager -Xmx1g org.x.NodeManager", "nodemanager"),
            ("java -Xmx1g org.mammoth.mapreduce.engine.EngineMain 1", "engine"),
            ("java org.apache.hadoop.mapred.YarnChild 1", "task"), ("java Other", "java"), ("/bin/sleep 5", "sleep"), ("", ""),
        ):
            self.assertEqual(processes.name_of(line.split()), name)

    def test_of_labs_and_rates(self):
        for name in ("", "Lab", "a/b", "x" * 21):
            with self.assertRaises(LabError):
                State(name)
        for rate in ("fast", "0mbit", "10", "1gbit; reboot"):
            with self.assertRaises(LabError):
                network.check_rate(rate)
        self.assertEqual(network.check_rate("2.5gbit"), "2.5gbit")


class SettingsTest(unittest.TestCase):
    """On top of what the release ships, which is for one machine."""

    class Hosts:
        hosts = ["node1", "node2"]

        def __init__(self, folder):
            self._folder = folder

        def folder(self, host):
            return os.path.join(self._folder, host)

        def disk_folders(self, host):
            return [os.path.join(self.folder(host), name) for name in ("disk1", "disk2")]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.hosts = self.Hosts(folder.name)
        shipped = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", "hadoop-dist", "src", "main", "conf")
        self.home = os.path.join(folder.name, "home")
        shutil.copytree(shipped, os.path.join(self.home, "etc", "hadoop"))

    def properties(self, host, mammoth, values=None):
        directory = settings.write(self.hosts, host, "c", self.home, mammoth, values)
        return {key: value for site in confdirs.SITES for key, value in sitefile.read(os.path.join(directory, site)).items()}

    def test_nothing_listens_on_loopback(self):
        for host in ("node1", "node2", "client"):
            for mammoth in (True, False):
                found = self.properties(host, mammoth)
                self.assertEqual({key: value for key, value in found.items() if "localhost" in value or "127.0.0.1" in value}, {})

    def test_mammoth_is_off_for_stock_and_keys_win(self):
        ours, stock = self.properties("node2", True, {"dfs.replication": "7"}), self.properties("node2", False)
        self.assertIn("Mammoth", ours["yarn.nodemanager.container-executor.class"])
        self.assertNotIn("Mammoth", stock["yarn.nodemanager.container-executor.class"])
        self.assertEqual((ours["dfs.replication"], stock["mammoth.engine.enabled"]), ("7", "false"))

    def test_hdfs_has_the_first_disk_and_yarn_the_others(self):
        found = self.properties("node2", True)
        self.assertEqual(found["dfs.datanode.data.dir"], "file://" + self.hosts.folder("node2") + "/disk1/hdfs")
        self.assertEqual(found["yarn.nodemanager.local-dirs"], self.hosts.folder("node2") + "/disk2/local")


class CommandLineTest(unittest.TestCase):
    def run_cli(self, *arguments):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            status = cli.main(arguments)
        return status, errors.getvalue()

    def test_without_a_lab_it_says_how_to_make_one(self):
        status, errors = self.run_cli("--name", "nosuchlab", "cut", "node1")
        self.assertEqual(status, 1)
        self.assertIn("lab up N", errors)

    def test_needs_root(self):
        with mock.patch("os.geteuid", return_value=1000):
            self.assertIn("needs root", lab.why_not())
            status, errors = self.run_cli("--name", "nosuchlab", "down")
        self.assertEqual((status, "needs root" in errors), (1, True))

    def test_numbers_of_hosts(self):
        status, errors = self.run_cli("--name", "nosuchlab", "up", "0")
        self.assertEqual((status, "1 to 200 hosts" in errors), (1, True))
