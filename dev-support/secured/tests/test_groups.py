# SPDX-License-Identifier: Apache-2.0
"""Engines in control groups, where the NodeManager puts containers into such groups (version 1, as Hadoop 3.4 does)."""

import os
import re
import time
import unittest

from mammoth_secured.world import USERS

from . import live

_ROOT = "/sys/fs/cgroup"
_KINDS = ("cpu", "memory")

#: vcores of the node, each of which weighs this much in cpu.shares.
_WEIGHT = 1024


class GroupsTest(live.NodeTest):
    """A node with groups for CPU and memory, whose parent is this test's."""

    @classmethod
    def setUpClass(cls):
        if not all(os.path.isfile(f"{_ROOT}/{kind}/tasks") for kind in _KINDS):
            raise unittest.SkipTest(f"no secured node with control groups here: {_ROOT} has no hierarchies of version 1 for {_KINDS}")
        cls.parent = f"mammoth-{os.getpid()}"
        for kind in _KINDS:
            path = f"{_ROOT}/{kind}/{cls.parent}"
            os.mkdir(path)
            cls.addClassCleanup(cls._remove, path)
            for one in (path, *(f"{path}/{name}" for name in os.listdir(path))):
                os.chown(one, USERS["yarn"][0], USERS["yarn"][2])
        cls.settings = {
            "yarn-site.xml": {
                "yarn.nodemanager.resource.cpu.enabled": "true",
                "yarn.nodemanager.resource.memory.enabled": "true",
                "yarn.nodemanager.linux-container-executor.cgroups.hierarchy": f"/{cls.parent}",
                "yarn.nodemanager.linux-container-executor.cgroups.mount": "false",
                "yarn.scheduler.minimum-allocation-mb": "512",
            }
        }
        super().setUpClass()

    @staticmethod
    def _remove(path):
        # The kernel lets processes go for a while after they were killed.
        limit = time.monotonic() + 20
        while os.path.exists(path):
            try:
                for root, _, _ in os.walk(path, topdown=False):
                    os.rmdir(root)
            except OSError:
                if time.monotonic() > limit:
                    raise
                time.sleep(0.2)

    def _read(self, kind, group, name):
        return self.node.world.run("cat", f"{_ROOT}/{kind}/{self.parent}/{group}/{name}").stdout

    def _groups_of(self, pid):
        """The groups of a process of the world, by kind."""
        found = {}
        for line in self.node.world.run("cat", f"/proc/{pid}/cgroup").stdout.splitlines():
            _, kind, path = line.split(":", 2)
            if kind in _KINDS:
                self.assertEqual(f"/{self.parent}", os.path.dirname(path), line)
                found[kind] = os.path.basename(path)
        self.assertEqual(set(_KINDS), set(found))
        return found

    def test_engines_are_in_groups_of_their_own(self):
        seen = set()
        for user in ("alice", "bob"):
            job = self.count_words(user, "grouped")
            self.assertNotIn("Tasks in ordinary containers", job.said)
            self.assertGreaterEqual(self.tasks_in_engines(user), 2, self.node.status())
            for pid, _, line in self.engine_of(user):
                groups = self._groups_of(pid)
                self.assertEqual(1, len(set(groups.values())), groups)
                group = groups["memory"]
                self.assertRegex(group, r"^container_\d+_0000_01_000001$")
                self.assertNotIn(group, seen)
                seen.add(group)
                limit = int(self._read("memory", group, "memory.limit_in_bytes")) >> 20
                heap = int(re.search(r"-Xmx(\d+)m", line).group(1))
                self.assertGreater(limit, heap)
                self.assertLessEqual(limit, 4096)
        self.assertEqual(0, self.node.engines()["Fallbacks"], self.node.status())

    def test_an_engine_weighs_as_its_tasks(self):
        self.count_words("alice", "weighed")
        (pid,) = [pid for pid, _, line in self.engine_of("alice") if line.split()[-2] == "tasks"]
        group = self._groups_of(pid)["cpu"]

        def weight():
            return int(self._read("cpu", group, "cpu.shares"))

        self.node.wait("an idle engine does not weigh as one task", lambda: weight() == _WEIGHT, 30)
        # Four maps of 512 MiB of the node's 4096 MiB and 8 vcores.
        client = self.node.begin_sleep("alice", "-m", "4", "-r", "0", "-mt", "15000")
        self.node.wait("an engine with tasks weighs no more", lambda: weight() == 4 * _WEIGHT, 120)
        said, _ = client.communicate(timeout=300)
        self.assertEqual(0, client.returncode, said)
        self.node.wait("it still weighs as with tasks", lambda: weight() == _WEIGHT, 30)

    def test_an_ordinary_container_has_groups_beside(self):
        job = self.count_words("alice", "stock", "-Dmammoth.engine.enabled=false")
        self.assertTrue(job.ok)

    def test_a_restarted_node_manager_keeps_and_removes_groups(self):
        self.count_words("alice", "before")
        engines = self.engine_of("alice")
        groups = {self._groups_of(pid)["memory"] for pid, _, _ in engines}
        for pid, _, _ in self.node.processes("nodemanager.NodeManager"):
            self.node.world.run("kill", "-9", str(pid))
        self.node.start("yarn", "yarn", "nodemanager")
        self.node.wait("the NodeManager does not answer", self.node.engines, 60)
        self.node.await_node()
        self.count_words("alice", "after")
        self.assertEqual({pid for pid, _, _ in engines}, {pid for pid, _, _ in self.engine_of("alice")})
        self.assertEqual(groups, {self._groups_of(pid)["memory"] for pid, _, _ in engines})
        for pid, _, _ in engines:
            self.as_user("alice", "kill", "-9", str(pid))
        self._await_end(groups)

    def _await_end(self, groups):
        for kind in _KINDS:
            self.node.wait(
                f"groups of {kind} are left", lambda kind=kind: not any(os.path.exists(f"{_ROOT}/{kind}/{self.parent}/{group}") for group in groups), 60
            )

    def test_groups_end_with_their_engine(self):
        self.count_words("bob", "ended")
        groups = {self._groups_of(pid)["memory"] for pid, _, _ in self.engine_of("bob")}
        for pid, _, _ in self.engine_of("bob"):
            self.as_user("bob", "kill", "-9", str(pid))
        self._await_end(groups)
        self.count_words("bob", "again")
