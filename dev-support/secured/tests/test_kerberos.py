# SPDX-License-Identifier: Apache-2.0
"""The same with Kerberos, service authorization and privacy on every wire of Hadoop's."""

import glob
import re

from . import live

#: How long a token of HDFS is good unless it is renewed.
_RENEW_MS = 20_000


class KerberosTest(live.NodeTest):
    """Two users who have authenticated themselves, with tokens that are soon to be renewed."""

    kerberos = True
    settings = {"hdfs-site.xml": {"dfs.namenode.delegation.token.renew-interval": str(_RENEW_MS)}}

    def _end(self, client, seconds=300):
        said, _ = client.communicate(timeout=seconds)
        self.assertEqual(0, client.returncode, said)
        self.assertIn("completed successfully", said)
        self.assertNotIn("Tasks in ordinary containers", said)
        self.assertNotIn("Task Id : attempt_", said)
        return said

    def test_two_users_run_in_engines_of_their_own(self):
        for user in ("alice", "bob"):
            job = self.count_words(user, "kerberos")
            self.assertGreaterEqual(self.tasks_in_engines(user), 2, self.node.status())
            self.assertNotIn("Tasks in ordinary containers", job.said)
            self.engine_of(user)
        self.assertEqual(0, self.node.engines()["Fallbacks"], self.node.status())

    def test_a_job_outlives_the_first_life_of_its_tokens(self):
        # Reduces begin, and the job commits, when the tokens it came with have expired twice over.
        said = self._end(self.node.begin_sleep("alice", "-m", "2", "-r", "2", "-mt", str(2 * _RENEW_MS + 5000), "-rt", "2000"))
        application = re.search(r"application_\d+_\d+", said).group(0)
        log = ""
        for path in glob.glob(f"{self.node.world.folder}/log/yarn/hadoop-*-resourcemanager-*.log"):
            with open(path, encoding="utf-8", errors="replace") as text:
                log += text.read()
        renewed = [line for line in log.splitlines() if "Renewed delegation-token" in line and application in line and "HDFS_DELEGATION_TOKEN" in line]
        self.assertGreaterEqual(len(renewed), 2, log[-3000:])

    def test_a_job_needs_no_kdc_once_it_runs(self):
        self.count_words("alice", "before-kdc")
        before = self.tasks_in_engines("alice")
        client = self.node.begin_sleep("alice", "-m", "8", "-r", "2", "-mt", "6000", "-rt", "2000")
        self.node.wait("no task runs in an engine", lambda: self.tasks_in_engines("alice") > before, 120)
        kdc = [pid for pid, _, _ in self.node.processes("minikdc.MiniKdc")]
        self.assertEqual(1, len(kdc))
        self.node.world.run("kill", "-STOP", str(kdc[0]))
        try:
            self._end(client)
        finally:
            self.node.world.run("kill", "-CONT", str(kdc[0]))
        self.count_words("alice", "after-kdc")
