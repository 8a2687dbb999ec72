# SPDX-License-Identifier: Apache-2.0
"""The same with Kerberos, service authorization and privacy on every wire of Hadoop's."""

from . import live


class KerberosTest(live.NodeTest):
    """Two users who have authenticated themselves."""

    kerberos = True

    def test_two_users_run_in_engines_of_their_own(self):
        for user in ("alice", "bob"):
            job = self.count_words(user, "kerberos")
            self.assertGreaterEqual(self.tasks_in_engines(user), 2, self.node.status())
            self.assertNotIn("Tasks in ordinary containers", job.said)
            self.engine_of(user)
        self.assertEqual(0, self.node.engines()["Fallbacks"], self.node.status())
