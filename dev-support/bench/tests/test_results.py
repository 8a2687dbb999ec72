# SPDX-License-Identifier: Apache-2.0
import json
import os
import tempfile
import unittest

from mammoth_bench import results


def run(wall, gc=10):
    return {"wall_s": wall, "cpu_s": 2 * wall, "disk_read_bytes": 1024, "disk_write_bytes": 0,
            "gc_ms": gc}


class ResultsTest(unittest.TestCase):
    def setUp(self):
        self.entry = results.entry(
            "wordcount", "2g",
            {"stock": [run(30.0), run(10.0), run(20.0)], "mammoth": [run(4.0), run(5.0), run(9.0)]},
            "2 cores",
        )

    def test_shape(self):
        self.assertEqual(
            list(self.entry),
            ["workload", "size", "runs", "stock", "mammoth", "ratio", "machine"],
        )
        self.assertEqual(list(self.entry["stock"]), [*results.MEASURES, "each"])
        self.assertEqual(self.entry["runs"], 3)
        self.assertEqual(self.entry["mammoth"]["each"], [run(4.0), run(5.0), run(9.0)])

    def test_medians_and_ratio(self):
        self.assertEqual(self.entry["stock"]["wall_s"], 20.0)
        self.assertEqual(self.entry["stock"]["cpu_s"], 40.0)
        self.assertEqual(self.entry["mammoth"]["wall_s"], 5.0)
        self.assertEqual(self.entry["ratio"], 4.0)
        self.assertEqual(results.median([1, 2]), 1.5)

    def test_missing_is_null_not_zero(self):
        self.assertIsNone(results.median([1, None, 3]))
        self.assertIsNone(results.median([]))
        one_side = results.entry("small", "4k", {"stock": [run(1.0, gc=None)]}, "m")
        self.assertIsNone(one_side["mammoth"])
        self.assertIsNone(one_side["ratio"])
        self.assertIsNone(one_side["stock"]["gc_ms"])
        self.assertEqual(one_side["runs"], 1)
        self.assertIn("-", results.text_table([one_side]))

    def test_json_is_a_list(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bench.json")
            results.write_json(path, [self.entry])
            with open(path, encoding="utf-8") as source:
                self.assertEqual(json.load(source), [self.entry])
            self.assertEqual(os.listdir(folder), ["bench.json"])

    def test_text_table_is_aligned(self):
        lines = results.text_table([self.entry, self.entry]).splitlines()
        self.assertEqual(len(lines), 4)
        self.assertTrue(lines[2].startswith("wordcount"))
        self.assertTrue(lines[2].endswith("4.00"))
        self.assertEqual(lines[1].index("mammoth") + len("mammoth"), lines[2].index(" 5.0") + 4)

    def test_markdown_table(self):
        lines = results.markdown_table([self.entry]).splitlines()
        self.assertEqual(lines[0].count("|"), lines[1].count("|"))
        self.assertEqual(lines[0].count("|"), lines[2].count("|"))
        self.assertIn("20.0 | 5.0", lines[2])
        self.assertEqual(lines[-1], "2 cores")
