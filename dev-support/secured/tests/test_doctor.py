# SPDX-License-Identifier: Apache-2.0
"""What "mammoth doctor" says of a container-executor is what Apache's binary says of itself."""

import json
import os
import random
import tarfile
import time
import unittest

from mammoth_secured import cluster, world
from mammoth_secured.world import GROUP, INSIDE, USERS

OURS = "org.mammoth.mapreduce.nodemanager.MammothLinuxContainerExecutor"

#: What the doctor needs of a release.
PARTS = ("bin/mammoth-upgrade", "share/hadoop/mammoth/", "share/hadoop/common/lib/jackson-")

SETTINGS = {
    "yarn.nodemanager.container-executor.class": OURS,
    "yarn.nodemanager.linux-container-executor.path": f"{INSIDE}/setuid/bin/container-executor",
    "yarn.nodemanager.linux-container-executor.group": GROUP,
}


class DoctorTest(unittest.TestCase):
    """Random owners, groups and modes of the binary, its configuration and the folders above."""

    @classmethod
    def setUpClass(cls):
        reason = cluster.why_not()
        if reason:
            raise unittest.SkipTest(f"no secured node here: {reason}")
        cls.world = world.World()
        cls.addClassCleanup(cls.world.close)
        cls.home = os.path.join(cls.world.folder, "release")
        with tarfile.open(cluster.tarball()) as archive:
            for member in archive:
                inner = member.name.partition("/")[2]
                if member.isfile() and inner.startswith(PARTS):
                    member.name = inner
                    archive.extract(member, cls.home, filter="data")
        conf = os.path.join(cls.home, "etc/hadoop")
        os.makedirs(conf)
        with open(os.path.join(conf, "yarn-site.xml"), "w", encoding="ascii") as out:
            keys = (f"<property><name>{name}</name><value>{value}</value></property>" for name, value in SETTINGS.items())
            out.write(f"<configuration>{''.join(keys)}</configuration>")

    def place(self, path, owner, group, mode):
        """Gives a file of the world's setuid folder away; the mode last, as a change of owner drops setuid."""
        path = os.path.join(self.world.folder, "setuid", path)
        os.chown(path, owner, group)
        os.chmod(path, mode)

    def doctor(self):
        """What the doctor finds wrong with the binary."""
        done = self.world.run(
            f"{INSIDE}/release/bin/mammoth-upgrade", "doctor", "--json", "--hadoop-home", f"{INSIDE}/release",
            env={"JAVA_HOME": os.environ.get("JAVA_HOME", "")}, check=False,
        )
        found = json.loads(done.stdout)
        return [one["text"] for one in found if one["id"] == "linux-container-executor" and one["level"] == "ERROR"]

    def test_both_judge_alike(self):
        seed = int(os.environ.get("MAMMOTH_SEED", time.time()))
        draw = random.Random(seed)
        group = USERS["yarn"][2]
        right = {
            "bin/container-executor": (0, group, 0o6050),
            "etc/hadoop/container-executor.cfg": (0, group, 0o400),
            "etc/hadoop": (0, 0, 0o755),
            "etc": (0, 0, 0o755),
        }
        verdicts = []
        for round_ in range(int(os.environ.get("MAMMOTH_ROUNDS", "25"))):
            now = dict(right)
            for path in draw.sample(sorted(right), draw.randint(0, 2)):
                owner, of_group, mode = now[path]
                change = draw.choice(("owner", "group", "mode", "mode"))
                if change == "owner":
                    owner = draw.choice((1, USERS["yarn"][0]))
                elif change == "group":
                    of_group = draw.choice((1, USERS["alice"][2]))
                else:
                    # One bit more or less; folders stay such that root and the binary get through.
                    mode ^= draw.choice((0o4000, 0o2000, 0o0020, 0o0010, 0o0040, 0o0002, 0o0001, 0o0004))
                now[path] = (owner, of_group, mode)
            for path, rights in now.items():
                self.place(path, *rights)
            said = self.world.run(f"{INSIDE}/setuid/bin/container-executor", "--checksetup", user="yarn", check=False)
            found = self.doctor()
            self.assertEqual(
                said.returncode == 0, not found, f"seed {seed}, round {round_}: {now}; it says {said.stdout}{said.stderr}, the doctor {found}"
            )
            verdicts.append(not found)
        self.assertIn(True, verdicts, f"seed {seed}: none was right")
        self.assertIn(False, verdicts, f"seed {seed}: none was wrong")
