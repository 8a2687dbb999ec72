# SPDX-License-Identifier: Apache-2.0
"""What the bench on several hosts makes of options and samples."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lab"))

from mammoth_bench import BenchError, hosts, hosttable, samples  # noqa: E402


class VariantsTest(unittest.TestCase):
    def test_stock_and_one_mammoth_without_any(self):
        chosen = hosts.variants([], {"a": "1"}, {"b": "2"}, {"c": "3"})
        self.assertEqual(chosen, {"stock": (False, {"c": "3", "b": "2"}), "mammoth": (True, {"c": "3", "a": "1"})})

    def test_several_in_their_order(self):
        chosen = hosts.variants(["spill:m=spill", "levitated:m=levitated,x=y=z"], {"m": "auto"}, {}, {})
        self.assertEqual(list(chosen), ["stock", "spill", "levitated"])
        self.assertEqual(chosen["levitated"], (True, {"m": "levitated", "x": "y=z"}))

    def test_one_side_only(self):
        self.assertEqual(list(hosts.variants(["a:k=v"], {}, {}, {}, "mammoth")), ["a"])
        self.assertEqual(list(hosts.variants(["a:k=v"], {}, {}, {}, "stock")), ["stock"])

    def test_refuses_what_it_cannot_tell_apart(self):
        for texts in (["k=v"], ["a:k"], ["a:k=v", "a:k=w"], ["stock:k=v"], ["storage:k=v"], ["../x:k=v"]):
            with self.assertRaises(BenchError, msg=texts):
                hosts.variants(texts, {}, {}, {})


class SamplesTest(unittest.TestCase):
    def sampled(self, *values):
        clock, source = iter(range(10, 100, 10)), iter(values)
        found = samples.Samples(lambda: next(source), lambda: next(clock))
        for _ in values:
            found.take()
        return found

    def test_phases_are_cut_between_samples(self):
        found = self.sampled({"x": 100, "y": None}, {"x": 200, "y": None}, {"x": 600, "y": None})
        self.assertEqual(found.phases(25), {"map": {"x": 300, "y": None}, "reduce": {"x": 200, "y": None}})
        self.assertEqual(found.phases(20)["map"]["x"], 100)

    def test_moments_outside_are_the_ends(self):
        found = self.sampled({"x": 100}, {"x": 200})
        self.assertEqual(found.phases(1), {"map": {"x": 0}, "reduce": {"x": 100}})
        self.assertEqual(found.phases(99), {"map": {"x": 100}, "reduce": {"x": 0}})

    def test_reads_until_it_is_left(self):
        with samples.Samples(lambda: {"x": 1}) as found:
            pass
        self.assertEqual((len(found.values) >= 1, found.phases(0)["reduce"]), (True, {"x": 0}))

    def test_the_last_map(self):
        self.assertEqual(samples.last_map_end({"tasks": {"task": [{"finishTime": 3000}, {"finishTime": 2000}]}}), 3)


class TableTest(unittest.TestCase):
    @staticmethod
    def run_of(wall, written):
        counters = {"disk1 node1 read": 1 << 20, "disk1 node1 written": written, "disk1 node2 read": 0, "disk1 node2 written": 0,
                    "link node1 received": 2 << 20, "link node1 sent": 5, "link node2 received": 1 << 20, "link node2 sent": 5}
        return {"wall_s": wall, "cpu_s": 1.0, "map_s": 2.0, "ordinary": 0, "phases": {"map": counters, "reduce": dict.fromkeys(counters, 0)}}

    def test_sums_hosts_and_compares_medians_with_stock(self):
        entry = {"workload": "terasort", "size": "1g", "runs": 3, "variants": {
            "stock": hosttable.summary([self.run_of(wall, 4096) for wall in (30, 90, 60)]), "levitated": hosttable.summary([self.run_of(20, 0)])}}
        stock, ours = [line for line in hosttable.markdown([entry], "two hosts").splitlines() if line.startswith(("| stock |", "| lev"))]
        self.assertIn("| 60.0 | 30.0, 90.0, 60.0 |", stock)
        self.assertIn("| 1 MiB + 0 B | 4 KiB + 0 B | 3 MiB + 0 B | 0 | 1.00 |", stock)
        self.assertTrue(ours.endswith("| 3.00 |"), ours)

    def test_folders_have_no_bytes(self):
        run = self.run_of(1, None)
        self.assertIsNone(hosttable.total(run, "map", "disk1 ", " written"))
        self.assertEqual(hosttable.total(run, "map", "disk1 ", " read"), 1 << 20)
