# SPDX-License-Identifier: Apache-2.0
import os
import tarfile
import tempfile
import unittest

from mammoth_bench import BenchError, release


class ReleaseTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def tarball(self, text):
        home = os.path.join(self.root, "mammoth-1")
        for jar in ("mapreduce/hadoop-mapreduce-examples-3.4.2.jar",
                    "mapreduce/hadoop-mapreduce-examples-3.4.2-sources.jar",
                    "mammoth/workloads/mammoth-workloads-1.jar"):
            path = os.path.join(home, "share/hadoop", jar)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii") as out:
                out.write(text)
        os.makedirs(os.path.join(self.root, "hadoop-dist/target"), exist_ok=True)
        path = os.path.join(self.root, "hadoop-dist/target/mammoth-1.tar.gz")
        with tarfile.open(path, "w:gz") as archive:
            archive.add(home, "mammoth-1")
        return path

    def test_unpacks_once_and_again_when_it_changed(self):
        tarball = self.tarball("one")
        self.assertEqual(release.find_tarball(self.root), tarball)
        target = os.path.join(self.root, "unpacked")
        rel = release.Release(release.unpack(tarball, target), self.root)
        self.assertTrue(rel.examples.endswith("examples-3.4.2.jar"))
        self.assertTrue(rel.workloads.startswith(rel.home))
        mine = os.path.join(rel.home, "mine")
        with open(mine, "w", encoding="ascii"):
            pass
        release.unpack(tarball, target)
        self.assertTrue(os.path.exists(mine))
        self.tarball("another")
        release.unpack(tarball, target)
        self.assertFalse(os.path.exists(mine))

    def test_missing_things_are_named(self):
        with self.assertRaisesRegex(BenchError, "--tarball"):
            release.find_tarball(self.root)
        with self.assertRaisesRegex(BenchError, "no tarball"):
            release.unpack(os.path.join(self.root, "none.tar.gz"), self.root)
        with self.assertRaisesRegex(BenchError, "no jar of the examples"):
            release.Release(self.root, self.root)
