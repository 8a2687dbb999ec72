# SPDX-License-Identifier: Apache-2.0
"""Faults on a node with LinuxContainerExecutor: the job ends as on stock."""

import glob
import time

from mammoth_secured.world import INSIDE

from . import live


class FaultsTest(live.NodeTest):
    """Engines killed, the NodeManager stopped and restarted, an engine that cannot be launched."""

    def _await_tasks(self, user):
        self.node.wait("no task runs in an engine", lambda: any(one.get("tasksRunning", 0) > 0 for one in self.node.status()["engines"] if one["user"] == user), 120)

    def test_a_job_survives_its_engine(self):
        client = self.begin_pi("alice")
        self._await_tasks("alice")
        for pid, _, line in self.engine_of("alice"):
            if line.split()[-2] == "tasks":
                self.as_user("alice", "kill", "-9", str(pid))
        self.end_pi(client)

    def test_a_restarted_node_manager_takes_engines_up(self):
        self.count_words("alice", "before")
        client = self.begin_pi("alice")
        self._await_tasks("alice")
        pids = {pid for pid, _, _ in self.engine_of("alice")}
        for pid, _, _ in self.node.processes("nodemanager.NodeManager"):
            self.node.world.run("kill", "-9", str(pid))
        time.sleep(2)
        self.node.start("yarn", "yarn", "nodemanager")
        self.end_pi(client)
        self.assertIn("Taking up engine", self.node.node_log())
        self.assertTrue(pids & {pid for pid, _, _ in self.engine_of("alice")})
        self.count_words("alice", "after")

    def test_a_stopped_node_manager_leaves_no_engine_that_is_idle(self):
        self.count_words("alice", "before-stop")
        self.engine_of("alice")
        self.node.stop("yarn", "yarn", "nodemanager")
        self.node.wait("engines are left", lambda: not self.node.processes("engine.EngineMain"), 20)
        self.assertEqual([], self._folders())
        self.node.start("yarn", "yarn", "nodemanager")
        self.node.wait("the NodeManager does not answer", self.node.engines, 60)
        self.count_words("alice", "after-stop")

    def _folders(self):
        """Folders of engines that users have."""
        return glob.glob(f"{self.node.world.folder}/data/yarn/local-*/usercache/*/appcache/application_*_0000")

    def test_an_engine_that_cannot_be_launched_is_missed_by_nobody(self):
        self.count_words("bob", "first")
        for pid, _, _ in self.engine_of("bob"):
            self.as_user("bob", "kill", "-9", str(pid))
        for local in ("local-1", "local-2"):
            folder = f"{INSIDE}/data/yarn/{local}/usercache/bob/mammoth"
            self.as_user("bob", "sh", "-c", f"rm -rf {folder}; touch {folder}")
        job = self.count_words("bob", "unlaunched")
        self.assertGreaterEqual(job.counter("Tasks in ordinary containers"), 1, job.said)
        self.assertEqual([], [one for one in self.node.processes("engine.EngineMain") if one[1] == "bob"])
