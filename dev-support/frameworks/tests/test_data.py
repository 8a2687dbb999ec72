# SPDX-License-Identifier: Apache-2.0
import filecmp
import os
import tempfile
import unittest

from mammoth_frameworks import data


class DataTest(unittest.TestCase):
    def test_the_same_every_time(self):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            data.generate(one)
            data.generate(other)
            files = [os.path.relpath(os.path.join(root, name), one) for root, _, names in os.walk(one) for name in names]
            self.assertEqual(len(files), data.VISIT_FILES + data.WORD_FILES + data.TEXTS + 3 * data.GRAPH_FILES + 3)
            self.assertEqual(filecmp.cmpfiles(one, other, files, shallow=False)[0], files)

    def test_some_visits_match_nobody(self):
        with tempfile.TemporaryDirectory() as folder:
            data.generate(folder)
            with open(os.path.join(folder, "visits", "part0.txt"), encoding="utf-8") as source:
                visits = [line.rstrip("\n").split("\t") for line in source]
            self.assertEqual({len(visit) for visit in visits}, {4})
            strangers = sum(visit[0].startswith("guest") for visit in visits)
            self.assertGreater(strangers, 0)
            self.assertLess(strangers, len(visits) // 50)


if __name__ == "__main__":
    unittest.main()
