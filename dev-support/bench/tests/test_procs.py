# SPDX-License-Identifier: Apache-2.0
import os
import signal
import sys
import tempfile
import time
import unittest

from mammoth_bench import BenchError, cgroups, machine
from mammoth_bench.procs import Processes

BURN = "import time\nend = time.process_time() + {}\nwhile time.process_time() < end: pass\n"

# Starts a grandchild in a session of its own and leaves: what a NodeManager does with an engine.
ORPHAN = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open(sys.argv[1], "w").write(str(os.getpid()))
        time.sleep(600)
    os._exit(0)
os.wait()
"""


def alive(pid):
    try:
        os.kill(pid, 0)
        return True
    except ProcessLookupError:
        return False


class ProcessesTest(unittest.TestCase):
    def setUp(self):
        self.log = tempfile.TemporaryFile()
        self.addCleanup(self.log.close)
        self.processes = Processes(f"bench-test-{os.getpid()}-{self.id().rpartition('.')[2]}")
        self.addCleanup(self.processes.close)

    def python(self, text, *arguments):
        command = [sys.executable, "-c", text, *arguments]
        return self.processes.start(command, dict(os.environ), self.log)

    def burns(self):
        before = self.processes.cpu_seconds()
        self.assertEqual(self.python(BURN.format(0.5)).wait(), 0)
        dead = self.processes.cpu_seconds() - before
        self.assertGreaterEqual(dead, 0.45)
        self.assertLess(dead, 2)

    def test_counts_the_dead(self):
        self.burns()

    def test_counts_the_dead_without_control_groups(self):
        if self.processes._cpu:
            self.processes._cpu.close()
            self.processes._cpu = None
        self.assertIn("/proc", self.processes.cpu_method())
        self.burns()

    def test_counts_grandchildren_without_control_groups(self):
        if self.processes._cpu:
            self.processes._cpu.close()
            self.processes._cpu = None
        before = self.processes.cpu_seconds()
        nested = (
            "import subprocess, sys\n"
            f"subprocess.run([sys.executable, '-c', {BURN.format(0.5)!r}], check=True)\n"
        )
        self.assertEqual(self.python(nested).wait(), 0)
        self.assertGreaterEqual(self.processes.cpu_seconds() - before, 0.45)

    def orphan(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pid")
            self.assertEqual(self.python(ORPHAN, path).wait(), 0)
            deadline = time.monotonic() + 10
            while not (os.path.exists(path) and os.path.getsize(path)):
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.01)
            with open(path, encoding="ascii") as source:
                return int(source.read())

    def test_sweeps_orphans_but_not_what_is_kept(self):
        kept = self.python("import time; time.sleep(600)")
        pid = self.orphan()
        self.assertTrue(alive(pid))
        self.processes.sweep(keep=[kept])
        self.assertFalse(alive(pid))
        self.assertIsNone(kept.poll())
        self.processes.stop(kept)
        self.assertEqual(kept.returncode, -signal.SIGTERM)

    def test_kills_what_does_not_listen(self):
        deaf = self.python(
            "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
            "print(1, flush=True)\ntime.sleep(600)"
        )
        deadline = time.monotonic() + 10
        while os.fstat(self.log.fileno()).st_size == 0:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        self.processes.sweep(seconds=0.3)
        self.assertEqual(deaf.wait(5), -signal.SIGKILL)

    def test_missing_program(self):
        with self.assertRaisesRegex(BenchError, "cannot start /nowhere"):
            self.processes.start(["/nowhere"], {}, self.log)


class MachineTest(unittest.TestCase):
    def test_disk_counters_grow(self):
        device = machine.block_device(os.getcwd())
        if device is None:
            self.assertEqual(machine.disk_bytes(None), (None, None))
            return
        before = machine.disk_bytes(device)[1]
        with tempfile.NamedTemporaryFile(dir=os.getcwd()) as out:
            out.write(os.urandom(1 << 20))
            out.flush()
            os.fsync(out.fileno())
        self.assertGreaterEqual(machine.disk_bytes(device)[1] - before, 1 << 20)

    def test_description(self):
        text = machine.describe(sys.executable, "sda1", 5 << 30)
        self.assertRegex(text, r"^\d+ cores \(.*, .* memory, Linux ")
        self.assertIn("data on sda1", text)
        self.assertIn("limited to 5 GiB", text)


class MemoryGroupTest(unittest.TestCase):
    def test_limit_or_remedy(self):
        try:
            group = cgroups.memory_group(f"bench-test-{os.getpid()}", 64 << 20)
        except BenchError as error:
            self.assertIn("--memory-limit needs", str(error))
            self.assertIn("systemd-run", str(error))
            return
        pid = os.fork()
        if pid == 0:
            try:
                group.enter()
                held = b"x" * (256 << 20)
                os._exit(len(held) % 2)
            finally:
                os._exit(99)
        _, status = os.waitpid(pid, 0)
        group.close()
        self.assertTrue(os.WIFSIGNALED(status), "256 MiB fitted into 64 MiB")
        self.assertFalse(os.path.exists(group.path))
