# SPDX-License-Identifier: Apache-2.0
"""Hosts without a release: links, cables, limits, disks, and that nothing is left of them."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from mammoth_lab import LabError, disks
from mammoth_lab.lab import Lab
from mammoth_lab.state import State

from .live import name, need_lab, traces

_LISTEN = """
import socket, time
server = socket.socket(); server.bind(("", 5001)); server.listen()
open(PATH, "w").close()
peer, _ = server.accept(); begin = time.monotonic(); count = 0
while True:
    data = peer.recv(1 << 20)
    if not data: break
    count += len(data)
open(PATH, "w").write(str(count * 8e-6 / (time.monotonic() - begin)))
"""
_SEND = """
import socket
peer = socket.create_connection(("node1", 5001), 10)
peer.sendall(bytes(COUNT << 20))
"""
LAB = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "bin", "lab")


class HostsTest(unittest.TestCase):
    def setUp(self):
        need_lab()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.lab = Lab(name("hosts"))
        self.addCleanup(self.down)

    def down(self):
        self.lab.down()
        self.assertEqual(traces(self.lab.name), [])

    def on(self, host, *words, check=True):
        groups = self.lab.groups
        done = subprocess.run(
            self.lab.command(host, words), preexec_fn=lambda: groups.enter(host), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, check=False, timeout=60)
        if check:
            self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout if check else done.returncode

    def megabits(self, count):
        """What arrives at node1 of so many MiB from node2."""
        path = os.path.join(self.folder, "arrived")
        with open(os.devnull, "wb") as nowhere:
            server = self.lab.start("node1", [sys.executable, "-c", _LISTEN.replace("PATH", repr(path))], dict(os.environ), nowhere)
        deadline = time.monotonic() + 20
        while not os.path.exists(path) and time.monotonic() < deadline:
            time.sleep(0.02)
        self.on("node2", sys.executable, "-c", _SEND.replace("COUNT", str(count)))
        server.wait(20)
        with open(path, encoding="ascii") as source:
            arrived = float(source.read())
        os.remove(path)
        return arrived

    def test_links(self):
        self.lab.up(2, self.folder, rate="80mbit")
        self.assertEqual(self.on("node2", "hostname").strip(), "node2")
        network = self.lab.network
        self.assertTrue(20 < self.megabits(10) < 90)  # a machine that stands still for a second makes it less
        network.rate("node2", "8mbit")
        self.assertTrue(2 < self.megabits(2) < 10)
        traffic = network.traffic()
        self.assertTrue(12 << 20 < traffic["node1"]["received"] < 14 << 20, traffic)
        self.assertTrue(12 << 20 < traffic["node2"]["sent"] < 14 << 20, traffic)
        knock = ["timeout", "2", "bash", "-c", "</dev/tcp/node1/5001"]
        self.assertEqual(self.on("node2", *knock, check=False), 1)  # refused at once
        network.cut("node2")
        self.assertEqual(self.on("node2", *knock, check=False), 124)  # no answer at all
        self.assertTrue(network.traffic()["node2"]["cut"])
        network.mend("node2")
        self.assertEqual(self.on("node2", *knock, check=False), 1)

    def test_nothing_outside_is_reached(self):
        self.lab.up(1, self.folder)
        self.assertNotIn("default", self.on("node1", "ip", "route"))

    def test_limits_and_counts(self):
        self.lab.up(1, self.folder, memory=64 << 20)
        eat = "b = bytearray(COUNT << 20); b[::4096] = bytes(len(b[::4096])); print(len(b))"
        self.assertEqual(self.on("node1", sys.executable, "-c", eat.replace("COUNT", "16")).strip(), str(16 << 20))
        self.assertEqual(self.on("node1", sys.executable, "-c", eat.replace("COUNT", "200"), check=False), -signal.SIGKILL)
        before = self.lab.cpu_seconds()["node1"]
        burn = "import time; t = time.process_time()\nwhile time.process_time() - t < 0.3: pass"
        self.on("node1", sys.executable, "-c", burn)
        self.assertTrue(0.3 <= self.lab.cpu_seconds()["node1"] - before < 3)
        self.lab.groups.limit_cpus("node1", 0.1)
        begin = time.monotonic()
        self.on("node1", sys.executable, "-c", burn)
        self.assertGreater(time.monotonic() - begin, 2)

    def test_disks(self):
        self.lab.up(1, self.folder, disk="hdd", disk_count=2, disk_bytes=1 << 30)
        first, second = self.lab.disk_folders("node1")
        before = self.lab.disk_bytes()["node1"]
        self.assertLess(max(sum(pair) for pair in before), 1 << 20, "what other disks of these devices did is not this one's")
        path = os.path.join(first, "file")
        with open(path, "wb") as out:
            out.write(os.urandom(32 << 20))
            out.flush()
            os.fsync(out.fileno())
            os.posix_fadvise(out.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        begin = time.monotonic()
        with open(path, "rb") as source:
            os.posix_fadvise(source.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
            for number in range(0, 512, 5):
                os.pread(source.fileno(), 4096, (number * 37 % 512) << 16)
        # A hundred reads all over 32 MiB: the arm needs a turn for most.
        self.assertGreater(time.monotonic() - begin, 0.4)
        after = self.lab.disk_bytes()["node1"]
        self.assertTrue(32 << 20 <= after[0][1] - before[0][1] < 40 << 20, (before, after))
        self.assertGreaterEqual(after[0][0] - before[0][0], 100 * 4096)
        self.assertLess(after[1][1] - before[1][1], 1 << 20)
        self.assertNotEqual(disks.device(first), disks.device(second))

    def test_kill_takes_the_cable_first(self):
        self.lab.up(2, self.folder)
        with open(os.devnull, "wb") as nowhere:
            for host in ("node1", "node2"):
                self.lab.start(host, ["sleep", "600"], dict(os.environ), nowhere)
        deadline = time.monotonic() + 10
        for host in ("node1", "node2"):
            while "sleep" not in self.lab.running(host).values() and time.monotonic() < deadline:
                time.sleep(0.02)
        self.lab.kill("node2")
        self.assertEqual(self.lab.running("node2"), {})
        self.assertIn("sleep", self.lab.running("node1").values())
        self.assertTrue(self.lab.network.traffic()["node2"]["cut"])
        with self.assertRaisesRegex(LabError, "no engine runs on node1; there is sleep"):
            self.lab.kill("node1", "engine")

    def test_what_a_crash_leaves_is_removed(self):
        """kill -9 of 'lab up' at several moments, and of a hard disk's server while the file system is mounted."""
        for seconds in (0.3, 0.7, 1.2):
            up = subprocess.Popen(
                [LAB, "--name", self.lab.name, "up", "3", "--disk", "hdd", "--disk-size", "1g", "--data-dir", self.folder],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(seconds)
            up.kill()
            up.wait()
            self.down()
        self.lab.up(1, self.folder, disk="hdd", disk_bytes=1 << 30)
        (server,) = [line for line in traces(self.lab.name) if "harddisk.py" in line]
        os.kill(int(server.split()[0]), signal.SIGKILL)
        self.down()

    def test_up_again_and_half_made_labs_are_refused(self):
        self.lab.up(1, self.folder)
        with self.assertRaisesRegex(LabError, "up already"):
            self.lab.up(1, self.folder)
        State(self.lab.name).save({**self.lab.document(), "up": False})
        with self.assertRaisesRegex(LabError, "unfinished"):
            self.lab.document()
