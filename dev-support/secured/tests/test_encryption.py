# SPDX-License-Identifier: Apache-2.0
"""Nothing in clear on a disk or on the wire: encryption zones, encrypted intermediate data, privacy of every call."""

import mmap
import os
import random

from mammoth_secured import keyserver
from mammoth_secured.wire import Wire
from mammoth_secured.world import INSIDE

from . import live

#: Begins each word of the input, and nothing else in the world.
MARK = "NobodyMayReadThis"

#: Goes over the wire in clear, to show that the watch sees what is there.
SEEN = "EverybodyMayReadThis"


def _merged(first, second):
    return {name: {**first.get(name, {}), **second.get(name, {})} for name in {*first, *second}}


class EncryptionTest(live.NodeTest):
    """Jobs of engines with a small pool over an encryption zone, whose blocks are on SSD, too."""

    kerberos = True
    settings = _merged(
        keyserver.settings(),
        {
            "hdfs-site.xml": {
                "dfs.encrypt.data.transfer": "true",
                "dfs.encrypt.data.transfer.cipher.suites": "AES/CTR/NoPadding",
                "mammoth.mpcache.enabled": "true",
                "mammoth.mpcache.dirs": f"{INSIDE}/data/hdfs/ssd=256m",
                "mammoth.mpcache.fill.bandwidth-mb": "0",
            },
            # What a job has left on the disks is looked at after its end.
            "yarn-site.xml": {"yarn.nodemanager.delete.debug-delay-sec": "3600", "mammoth.memory.pool-fraction": "0.02"},
        },
    )

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        keyserver.start(cls.node)
        cls.node.run("hdfs", "hadoop", "fs", "-mkdir", "-p", "/zones")
        cls.node.run("hdfs", "hadoop", "fs", "-chmod", "777", "/zones")
        keyserver.make_zone(cls.node, "alice", "/zones/alice")
        seed = random.randrange(1 << 30)
        print(f"seed {seed}")
        rng = random.Random(seed)
        cls.words = {}
        lines = []
        for _ in range(60_000):
            line = [f"{MARK}{rng.randrange(40_000):06x}" for _ in range(6)]
            for word in line:
                cls.words[word] = cls.words.get(word, 0) + 1
            lines.append(" ".join(line))
        cls.node.write("alice", "/zones/alice/in", "\n".join(lines) + "\n")
        os.unlink(cls.node.outside(f"{INSIDE}/home/alice/text"))

    def _count_all(self, name, *options):
        """Counts the words, which are map output, as they are; the counts are right, and engines made them."""
        before = self.tasks_in_engines("alice")
        job = self.node.job(
            "alice", "wordcount", "-Dmapreduce.job.reduces=3", "-Dmapreduce.input.fileinputformat.split.maxsize=3000000", *options, "/zones/alice/in", f"/zones/alice/{name}"
        )
        self.assertTrue(job.ok, job.said)
        out = self.node.run("alice", "hadoop", "fs", "-cat", f"/zones/alice/{name}/part-r-*").stdout
        counted = dict(line.split("\t") for line in out.splitlines())
        self.assertEqual(self.words, {word: int(times) for word, times in counted.items()})
        self.assertGreaterEqual(self.tasks_in_engines("alice") - before, 5, self.node.status())
        self.assertNotIn("Tasks in ordinary containers", job.said)
        return job

    def _bytes_on_ssd(self):
        return sum(
            os.path.getsize(os.path.join(root, name)) for root, _, files in os.walk(self.node.outside(f"{INSIDE}/data/hdfs/ssd")) for name in files
        )

    def _files_with_mark(self):
        """Files of the world that hold a word of the input in clear, but for the release, and the number of bytes that were looked through."""
        found = []
        looked = 0
        for root, dirs, files in os.walk(self.node.world.folder):
            dirs[:] = [one for one in dirs if not (one.startswith("mammoth-") and root == self.node.world.folder)]
            for name in files:
                path = os.path.join(root, name)
                if os.path.islink(path) or not os.path.isfile(path) or not os.path.getsize(path):
                    continue
                with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                    looked += len(data)
                    if data.find(MARK.encode()) >= 0:
                        found.append(os.path.relpath(path, self.node.world.folder))
        return found, looked

    def test_a_job_over_an_encryption_zone(self):
        wire = Wire(self.node.world, MARK, SEEN)
        self.node.world.run("bash", "-c", f"python3 -m http.server 7007 --bind 127.0.0.1 >/dev/null 2>&1 & for _ in $(seq 100); do curl -s http://127.0.0.1:7007/{SEEN} >/dev/null && break; sleep 0.2; done; kill $!")
        self._count_all("encrypted", "-Dmapreduce.job.encrypted-intermediate-data=true")
        self.node.run("hdfs", "hdfs", "mpcache", "-warm", "/zones/alice/in")
        self.node.wait("no block is on SSD", lambda: self._bytes_on_ssd() > 8_000_000, 30)
        packets, size, lost, seen = wire.end()
        on_disk, looked = self._files_with_mark()
        print(f"{packets} packets of {size >> 20} MiB, {lost} not seen; {looked >> 20} MiB of files")
        self.assertEqual([], on_disk)
        self.assertEqual({(SEEN, 7007)}, {key for key in seen if key[0] == SEEN})
        self.assertEqual({}, {key: times for key, times in seen.items() if key[0] == MARK})
        self.assertEqual(0, lost)
        self.assertGreater(size, 10 << 20)

        # The looking finds what is there: without encryption map output lies in the local folders as it is.
        self._count_all("clear")
        on_disk, _ = self._files_with_mark()
        self.assertTrue(on_disk)
        self.assertEqual({"data/yarn"}, {"/".join(path.split("/")[:2]) for path in on_disk}, on_disk)
