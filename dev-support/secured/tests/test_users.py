# SPDX-License-Identifier: Apache-2.0
"""Jobs of two users on one node with LinuxContainerExecutor, each in engines of their own."""

import os
import re
import stat
import threading

from mammoth_secured import world

from . import live


class UsersTest(live.NodeTest):
    """Two users without Kerberos."""

    maxDiff = None

    def test_a_job_runs_in_an_engine_that_belongs_to_its_user(self):
        before = self.node.engines()["Fallbacks"]
        job = self.count_words("alice", "in-engine")
        self.assertGreaterEqual(self.tasks_in_engines("alice"), 2, self.node.status())
        self.engine_of("alice")
        self.assertEqual(before, self.node.engines()["Fallbacks"], self.node.status())
        self.assertNotIn("Tasks in ordinary containers", job.said)

    def test_a_job_that_asks_for_it_runs_as_on_stock(self):
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
        logs = ("syslog", "prelaunch.out", "prelaunch.err", "launch_container.sh", "directory.info")
        for wanted in ("/output/ATTEMPT/file.out", "/output/ATTEMPT/file.out.index", *(f"/userlogs/APP/CONTAINER/{one}" for one in logs)):
            self.assertTrue(any(one.endswith(wanted) for one in ours.modes), (wanted, sorted(ours.modes)))
        both = sorted(set(ours.modes) & set(stock.modes))
        self.assertEqual([], [(one, ours.modes[one], stock.modes[one]) for one in both if self._closed(ours.modes[one]) != self._closed(stock.modes[one])])
        # Without native libraries stock sets modes itself: its file.out is 0644 and its work folder 0755, ours 0640 and 2750.
        self.assertEqual([], [(one, ours.modes[one], stock.modes[one]) for one in both if self._others(ours.modes[one]) - self._others(stock.modes[one]) - {0}])
        self.assertEqual(set(), ours.open - stock.open)
        self.assertEqual([], [one for one in ours.open if "usercache/alice/" in one or "userlogs/" in one])

    @staticmethod
    def _closed(said):
        """Owner, group, and what the mode gives to these two."""
        return {f"{one[:-5]}{one[-3:-1]}" for one in said}

    @staticmethod
    def _others(said):
        """What modes give to others."""
        return {int(one[-1]) for one in said}

    def _files_while(self, user, name, *options):
        """What a job has on disk while it runs."""
        seen = _Files(self.node.world.folder)
        over = threading.Event()

        def look():
            while not over.wait(0.05):
                seen.look()

        looker = threading.Thread(target=look)
        looker.start()
        try:
            # More tasks than run at once, so that what the first leave is there for a while.
            self.count_words(user, name, "-Dmapreduce.input.fileinputformat.split.maxsize=8000", *options)
        finally:
            over.set()
            looker.join()
        return seen


#: A file that goes at once may have been seen before it got its mode, and not after that.
_SOME_LOOKS = 3


class _Files:
    """Files of a NodeManager, looked at again and again. Paths are without numbers."""

    def __init__(self, folder):
        self._roots = [os.path.join(folder, one) for one in ("data/yarn", "log/yarn/userlogs")]
        self._names = {uid: name for name, (uid, _, _) in world.USERS.items()}
        self._groups = {gid: group for _, group, gid in world.USERS.values()}
        self._last = {}
        #: What others than owner and group could get at, for however short a time.
        self.open = set()

    def look(self):
        """Looks once. A file is created before it gets its mode, by upstream, too: behind a closed folder that is no matter."""
        for root in self._roots:
            passable = {root}
            for folder, dirs, files in os.walk(root):
                for one in dirs + files:
                    path = os.path.join(folder, one)
                    try:
                        found = os.lstat(path)
                    except OSError:
                        continue
                    if stat.S_ISLNK(found.st_mode):
                        continue
                    said = f"{self._names.get(found.st_uid, found.st_uid)} {self._groups.get(found.st_gid, found.st_gid)} {stat.S_IMODE(found.st_mode):05o}"
                    before, looks = self._last.get(path, (said, 0))
                    self._last[path] = (said, looks + 1 if before == said else 1)
                    if folder in passable and found.st_mode & 0o007:
                        self.open.add(self._plain(path))
                        if found.st_mode & 0o001:
                            passable.add(path)

    @property
    def modes(self):
        """Owner, group and mode of each when it was last seen, if it stayed so for some looks; but for engines' own folders."""
        seen = {}
        for path, (said, looks) in self._last.items():
            if looks >= _SOME_LOOKS and not re.search(r"application_\d+_0000\b", path):
                seen.setdefault(self._plain(path), set()).add(said)
        return seen

    @staticmethod
    def _plain(path):
        plain = re.sub(r"application_\d+_\d+", "APP", path[path.index("yarn") :])
        plain = re.sub(r"container_(e\d+_)?\d+_\d+_\d+_0*1\b", "MASTER", plain)
        plain = re.sub(r"container_(e\d+_)?\d+_\d+_\d+_\d+", "CONTAINER", plain)
        plain = re.sub(r"attempt_\d+_\d+_[mr]_\d+_\d+", "ATTEMPT", plain)
        return re.sub(r"/(filecache)/\d+", r"/\1/N", plain)
