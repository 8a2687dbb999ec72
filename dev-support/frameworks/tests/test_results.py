# SPDX-License-Identifier: Apache-2.0
import os
import tempfile
import unittest

from mammoth_frameworks import results
from mammoth_frameworks.counters import Job


class ResultsTest(unittest.TestCase):
    def test_equal(self):
        self.assertEqual(results.compare({"a": [b"1\n", b"2\n"]}, {"a": [b"1\n", b"2\n"]}), [])

    def test_another_order_differs(self):
        found = results.compare({"a": [b"1\n", b"2\n"]}, {"a": [b"2\n", b"1\n"]})
        self.assertEqual(found, ["a: line 1 is b'1\\n' on stock and b'2\\n' on Mammoth"])

    def test_missing_lines_differ(self):
        self.assertEqual(results.compare({"a": [b"1\n", b"2\n"]}, {"a": [b"1\n"]}), ["a: stock has 2 lines, Mammoth 1"])

    def test_what_only_one_side_has_differs(self):
        self.assertEqual(results.compare({"a": [b"1\n"]}, {"b": [b"1\n"]}), ["b: only Mammoth has it", "a: only stock has it"])

    def test_nothing_shows_nothing(self):
        self.assertEqual(results.compare({"a": []}, {"a": []}), ["a: stock's is empty, so nothing is shown"])

    def test_table(self):
        found = {
            "pig": {"jobs": 3, "tasks": 9, "ordinary": 1, "stock_s": 30.0, "mammoth_s": 10.0, "differences": []},
            "hive": {"stock_s": 4.0, "error": "no"},
        }
        lines = results.table(found).splitlines()
        self.assertEqual(len(lines), 4)
        self.assertEqual([cell.strip() for cell in lines[2].strip("|").split("|")], ["pig", "3", "9", "1", "30.0", "10.0", "3.00", "equal"])
        self.assertIn("FAILED", lines[3])

    def test_one_side_alone(self):
        found = {"pig": {"jobs": 3, "tasks": 9, "ordinary": 0, "mammoth_s": 10.0, "differences": []}}
        self.assertIn("not compared", results.table(found))

    def test_kept_for_later(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a", "pig-stock.json")
            self.assertIsNone(results.load(path))
            results.store(path, 2.5, {"a": ["x\u00e4\n".encode(), b"y\n"]}, [Job("a", {"g/c": 3}, True)])
            seconds, found, jobs = results.load(path)
            self.assertEqual((seconds, found), (2.5, {"a": ["x\u00e4\n".encode(), b"y\n"]}))
            self.assertEqual(vars(jobs[0]), {"name": "a", "values": {"g/c": 3}, "compressed": True})

    def test_reasons_most_frequent_first(self):
        found = {"pig": {"reasons": {"rare": 1, "frequent": 7}}}
        self.assertEqual(results.reasons(found), "pig: 7 x frequent\npig: 1 x rare")


if __name__ == "__main__":
    unittest.main()
