# SPDX-License-Identifier: Apache-2.0
"""For tests on one node with LinuxContainerExecutor: a cluster for each class, and what most of them do."""

import os
import re
import unittest

from mammoth_secured import cluster, kdc

TEXT = "the quick brown fox jumps over the lazy dog\n" * 2000


class NodeTest(unittest.TestCase):
    """A NodeManager that runs as yarn, and two users with a text each; skipped, with the reason, where that cannot be."""

    kerberos = False
    settings = {}

    @classmethod
    def setUpClass(cls):
        reason = cluster.why_not() or (kdc.why_not() if cls.kerberos else "")
        if reason:
            raise unittest.SkipTest(f"no secured node here: {reason}")
        cls.node = cluster.Cluster(cls.settings, keep=bool(os.environ.get("MAMMOTH_KEEP")), kerberos=cls.kerberos)
        cls.addClassCleanup(cls.node.close)
        for user in ("alice", "bob"):
            cls.node.write(user, f"/user/{user}/in", TEXT)

    def count_words(self, user, name, *options):
        """A WordCount whose result is as it must be."""
        job = self.node.job(user, "wordcount", *options, f"/user/{user}/in", f"/user/{user}/{name}")
        self.check_words(user, name, job)
        return job

    def check_words(self, user, name, job):
        """The job succeeded and counted right."""
        self.assertTrue(job.ok, job.said)
        out = self.node.run(user, "hadoop", "fs", "-cat", f"/user/{user}/{name}/part-r-*").stdout
        self.assertEqual({"the": 4000, "fox": 2000}, {word: int(n) for word, n in re.findall(r"^(the|fox)\t(\d+)$", out, re.M)})

    def tasks_in_engines(self, user):
        """How many tasks the user's engines that run now have started."""
        return sum(one.get("tasksStarted", 0) for one in self.node.status()["engines"] if one["user"] == user)

    def engine_of(self, user):
        """The engines' processes that belong to a user; there is one at least."""
        found = [one for one in self.node.processes("org.mammoth.mapreduce.engine.EngineMain") if one[1] == user]
        self.assertTrue(found, f"no engine belongs to {user}: {self.node.processes('EngineMain')}")
        return found

    def as_user(self, user, *command):
        """A command of a user in the node; its status and what it said."""
        done = self.node.world.run(*command, user=user, check=False)
        return done.returncode, done.stdout + done.stderr

    def begin_pi(self, user, samples=40_000_000):
        """A job of some seconds, not waited for: its client. See end_pi."""
        return self.node.begin(user, "pi", "6", str(samples))

    def end_pi(self, client):
        """Waits for such a job, which must succeed."""
        said, _ = client.communicate(timeout=600)
        self.assertEqual(0, client.returncode, said)
        self.assertIn("Estimated value of Pi is 3.14", said)
