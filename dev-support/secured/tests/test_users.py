"""Jobs of two users on one node with LinuxContainerExecutor, each in engines of their own."""

import os
import re
import stat
import threading
import unittest

from mammoth_secured import world

from . import live


class UsersTest(live.NodeTest):
    """Two users without Kerberos."""

    def test_a_job_runs_in_an_engine_that_belongs_to_its_user(self):
        before = self.node.engines()["Fallbacks"]
        job = self.count_words("alice", "in-engine")
        self.assertGreaterEqual(self.tasks_in_engines("alice"), 2, self.node.status())
        self.engine_of("alice")
        self.assertEqual(before, self.node.engines()["Fallbacks"], self.node.status())
        self.assertNotIn("Tasks in ordinary containers", job.said)

    def test_a_job_that_wishes_so_runs_as_on_stock(self):
        before = self.node.engines()["Fallbacks"]
        job = self.count_words("alice", "as-stock", "-Dmammoth.engine.enabled=false")
        self.assertEqual(before, self.node.engines()["Fallbacks"], self.node.status())
        self.assertNotIn("Tasks in ordinary containers", job.said)

    def test_a_job_that_needs_processes_gets_them_and_says_why(self):
        # The first is found out by the user's engine, in the job's configuration; the second by the NodeManager, in the command.
        for option, said in (
            ("mapreduce.job.user.classpath.first=true", "its classes go before Hadoop's"),
            ("mapreduce.map.java.opts=-Xss4m", "the job's java.opts ask for -Xss4m"),
        ):
            with self.subTest(option):
                job = self.count_words("alice", "needs-" + option.split("=")[0].rsplit(".", 1)[1], "-D" + option)
                self.assertGreaterEqual(job.counter("Tasks in ordinary containers"), 1, job.said)
                reasons = self.node.status()["fallbackReasons"]
                self.assertTrue(any(said in one for one in reasons), reasons)

    def test_logs_are_aggregated_and_folders_cleared(self):
        job = self.count_words("alice", "logs")
        said = ""

        def aggregated():
            nonlocal said
            said = self.node.run("alice", "yarn", "logs", "-applicationId", job.application, check=False).stdout
            return "syslog" in said

        self.node.wait("the job's logs are not there", aggregated, 60)
        self.assertIn("org.apache.hadoop.mapred.Task: Task 'attempt_", said)
        self.node.wait("the job's folders are left", lambda: not self._folders_of(job.application), 60)

    def _folders_of(self, application):
        found = []
        for root, dirs, _ in os.walk(self.node.outside(f"{world.INSIDE}/data/yarn")):
            found += [os.path.join(root, one) for one in dirs if one == application]
        return found

    def test_files_have_owner_group_and_mode_as_on_stock(self):
        ours = self._files_while("alice", "modes")
        stock = self._files_while("alice", "modes-stock", "-Dmammoth.engine.enabled=false")
        for wanted in ("/output/ATTEMPT/file.out", "/output/ATTEMPT/file.out.index", "/userlogs/APP/CONTAINER/syslog"):
            self.assertTrue(any(one.endswith(wanted) for one in ours), (wanted, sorted(ours)))
        both = set(ours) & set(stock)
        self.assertEqual({}, {one: (ours[one], stock[one]) for one in both if ours[one] != stock[one]})
        for path, seen in ours.items():
            self.assertTrue(all(one.endswith("0") for one in seen if "userlogs" in path or "usercache/alice/" in path), (path, seen))

    def _files_while(self, user, name, *options):
        """Owner, group and mode of what a job has on disk while it runs, by path without numbers."""
        seen = {}
        over = threading.Event()
        names = {uid: name for name, (uid, _, _) in world.USERS.items()}
        groups = {gid: group for _, group, gid in world.USERS.values()}

        def look():
            while not over.wait(0.05):
                for root in ("data/yarn", "log/yarn/userlogs"):
                    for folder, dirs, files in os.walk(os.path.join(self.node.world.folder, root)):
                        for one in dirs + files:
                            self._note(os.path.join(folder, one), seen, names, groups)

        looker = threading.Thread(target=look)
        looker.start()
        try:
            # More tasks than run at once, so that what the first leave is there for a while.
            self.count_words(user, name, "-Dmapreduce.input.fileinputformat.split.maxsize=8000", *options)
        finally:
            over.set()
            looker.join()
        return seen

    @staticmethod
    def _note(path, seen, names, groups):
        if re.search(r"application_\d+_0000\b", path):  # an engine's own folder
            return
        try:
            found = os.lstat(path)
        except OSError:
            return
        if stat.S_ISLNK(found.st_mode):
            return
        plain = re.sub(r"application_\d+_\d+", "APP", path[path.index("yarn") :])
        plain = re.sub(r"container_(e\d+_)?\d+_\d+_\d+_0*1\b", "MASTER", plain)
        plain = re.sub(r"container_(e\d+_)?\d+_\d+_\d+_\d+", "CONTAINER", plain)
        plain = re.sub(r"attempt_\d+_\d+_[mr]_\d+_\d+", "ATTEMPT", plain)
        plain = re.sub(r"/(filecache)/\d+", r"/\1/N", plain)
        said = f"{names.get(found.st_uid, found.st_uid)} {groups.get(found.st_gid, found.st_gid)} {stat.S_IMODE(found.st_mode):05o}"
        seen.setdefault(plain, set()).add(said)
