# SPDX-License-Identifier: Apache-2.0
"""What one user tries against the engines of another, on a node without Kerberos: each attempt is refused by the system or the engine."""

import glob
import os
import re

from mammoth_secured import world

from . import live


class AttacksTest(live.NodeTest):
    """Bob against Alice's engine; both have one."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # At once: an engine that has nothing to do goes when another user needs one.
        clients = [cls.node.begin(user, "pi", "4", "40000000") for user in ("alice", "bob")]
        for client in clients:
            said, _ = client.communicate(timeout=600)
            if client.returncode:
                raise AssertionError(said)

    def test_processes(self):
        for user, other in (("alice", "bob"), ("bob", "alice")):
            for pid, owner, _ in self.engine_of(user):
                self.assertEqual(user, owner)
                for attempt in (
                    ("kill", "-9", str(pid)),
                    ("kill", "-9", "--", f"-{pid}"),
                    ("head", "-c1", f"/proc/{pid}/environ"),
                    ("head", "-c1", f"/proc/{pid}/mem"),
                    ("ls", f"/proc/{pid}/fd"),
                    ("ls", f"/proc/{pid}/cwd/"),
                ):
                    status, said = self.as_user(other, *attempt)
                    self.assertNotEqual(0, status, (attempt, said))
        self.engine_of("alice")

    def test_the_node_manager_may_not_touch_them_itself(self):
        for pid, _, _ in self.engine_of("alice"):
            status, said = self.as_user("yarn", "kill", "-9", str(pid))
            self.assertNotEqual(0, status, said)

    def _folders(self, user):
        found = glob.glob(f"{self.node.world.folder}/data/yarn/local-*/usercache/{user}/appcache/application_*_0000/container_*/engine-*")
        self.assertTrue(found)
        return [f"{world.INSIDE}/{os.path.relpath(one, self.node.world.folder)}" for one in found]

    def test_files(self):
        for user, other in (("alice", "bob"), ("bob", "alice")):
            for folder in self._folders(user):
                for name in ("", "secret", "address", "settings.xml", "user", "tmp", "agent.jar"):
                    status, said = self.as_user(other, "ls" if name in ("", "tmp") else "cat", f"{folder}/{name}")
                    self.assertNotEqual(0, status, (name, said))
                status, said = self.as_user(other, "touch", f"{folder}/more")
                self.assertNotEqual(0, status, said)
        for folder in (f"{world.INSIDE}/data/yarn/local-1/mammoth", f"{world.INSIDE}/data/yarn/local-1/nmPrivate"):
            status, said = self.as_user("bob", "ls", folder)
            self.assertNotEqual(0, status, said)

    def test_the_node_managers_group_sees_the_address_and_no_secret(self):
        for folder in self._folders("alice"):
            self.assertEqual(0, self.as_user("yarn", "cat", f"{folder}/address")[0])
            for name in ("secret", "settings.xml", "agent.jar"):
                self.assertNotEqual(0, self.as_user("yarn", "cat", f"{folder}/{name}")[0], name)

    def test_the_setuid_program_is_for_the_node_manager_alone(self):
        for user in ("alice", "bob"):
            status, said = self.as_user(user, self.node.world.executor, "--checksetup")
            self.assertNotEqual(0, status, said)
        for victim in ("root", "hdfs", "yarn"):
            status, said = self.as_user("yarn", self.node.world.executor, victim, victim, "2", "1", "0")
            self.assertNotEqual(0, status, (victim, said))

    def test_rpc_without_the_secret(self):
        for folder in self._folders("alice"):
            _, address = self.as_user("yarn", "cat", f"{folder}/address")
            _, port, shuffle = address.split()
            for each in {port, shuffle} - {"0"}:
                # What Hadoop's RPC begins with, then noise: the engine hangs up, and lives on.
                script = (
                    "import socket, sys, os\n"
                    "s = socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5); s.settimeout(5)\n"
                    "s.sendall(b'hrpc\\x09\\x00\\x00' + (60).to_bytes(4, 'big') + os.urandom(60))\n"
                    "got = b''\n"
                    "try:\n"
                    "    while True:\n"
                    "        more = s.recv(4096)\n"
                    "        if not more: break\n"
                    "        got += more\n"
                    "except OSError: pass\n"
                    "print(len(got), got[:200])\n"
                )
                status, said = self.as_user("bob", "python3", "-c", script, each)
                self.assertEqual(0, status, said)
                self.assertLess(int(re.match(r"\d+", said).group()), 2000, said)
        self.count_words("alice", "after-noise")

    def test_where_an_address_leads_later_is_not_asked(self):
        """Alice lets her engine's address point to Bob's: no task of hers gets there. The last test: Bob's engine may go when Alice's works."""
        before = self.tasks_in_engines("bob")
        mine = self._folders("alice")[0]
        theirs = self._folders("bob")[0]
        status, said = self.as_user("alice", "sh", "-c", f"rm {mine}/address && ln -s {theirs}/address {mine}/address")
        self.assertEqual(0, status, said)
        self.count_words("alice", "forged")
        self.assertLessEqual(self.tasks_in_engines("bob"), before)
