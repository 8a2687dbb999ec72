# SPDX-License-Identifier: Apache-2.0
import os
import tempfile
import unittest

from mammoth_bench import BenchError, confdirs, sitefile, ssdcache
from mammoth_bench.ssdcache import FIRST, SECOND, TERA_WITH, TERA_WITHOUT, WITHOUT


def run(wall, maps):
    return {"wall_s": wall, "map_s": maps}


class SsdCacheTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.ssd = os.path.join(os.path.realpath(folder.name), "ssd")
        self.layout = confdirs.Layout(os.path.join(folder.name, "data"))

    def test_configurations_name_one_folder(self):
        extras = ssdcache.settings(self.ssd, "2g", self.layout)
        ports = confdirs.ports_by_side(tuple(extras))
        sites = {}
        for side, extra in extras.items():
            directory = confdirs.write(
                side, self.layout, ports[side], os.path.join(self.ssd, "release"), 4096, 2, {"a.b": "c"}, extra)
            sites[side] = {name: sitefile.read(os.path.join(directory, name)) for name in confdirs.SITES}
        self.assertEqual(sites["cached"]["hdfs-site.xml"]["mammoth.mpcache.dirs"], f"{self.ssd}/mpcache={2 << 30}")
        yarn = sites["localized"]["yarn-site.xml"]
        self.assertEqual(yarn["mammoth.io.ssd-dirs"], f"{self.ssd}/mpcache/localized")
        first, second = yarn["yarn.nodemanager.local-dirs"].split(",")
        self.assertTrue(first.startswith(self.layout.root))
        self.assertEqual(second, yarn["mammoth.io.ssd-dirs"])
        self.assertEqual(yarn["a.b"], "c")
        self.assertNotIn("a.b", sites["cached"]["yarn-site.xml"])

    def test_map_phase_is_from_first_start_to_last_end(self):
        tasks = [
            {"type": "MAP", "startTime": 5_000, "finishTime": 7_500},
            {"type": "MAP", "startTime": 4_000, "finishTime": 6_000},
            {"type": "REDUCE", "startTime": 1_000, "finishTime": 9_000},
        ]
        self.assertEqual(ssdcache.map_phase_s({"tasks": {"task": tasks}}), 3.5)
        with self.assertRaisesRegex(BenchError, "no map"):
            ssdcache.map_phase_s({"tasks": {"task": tasks[2:]}})

    def test_targets(self):
        runs = {
            WITHOUT: [run(30, 20), run(40, 28), run(50, 24)],
            FIRST: [run(42, 30)],
            SECOND: [run(15, 6)],
            TERA_WITHOUT: [run(90, 40)],
            TERA_WITH: [run(50, 20)],
        }
        verdicts = ssdcache.verdicts(ssdcache.medians(runs))
        self.assertEqual([(figure, holds) for _, figure, _, holds in verdicts], [(4, True), (1.05, True), (1.8, False)])
        table = ssdcache.table(runs)
        self.assertIn("| grep without | 40", table)
        self.assertIn("30.0, 20.0; 40.0, 28.0; 50.0, 24.0", table)
        self.assertIn("(at least 2.0 x: NO)", table)

    def test_what_has_not_run_is_not_judged(self):
        self.assertEqual(ssdcache.verdicts(ssdcache.medians({WITHOUT: [run(1, 1)], SECOND: []})), [])

    def test_space_is_one_line(self):
        rows = [{"key": "inputUsed", "value": 2 << 30}, {"key": "localizedRefused", "value": 3}]
        self.assertEqual(ssdcache.space({"Space": rows}), "inputUsed 2 GiB, localizedRefused 3")

    def test_filled_means_nothing_on_its_way(self):
        self.assertTrue(ssdcache.is_filled({"Copies": 16, "FillsWaiting": 0}, 1))
        self.assertFalse(ssdcache.is_filled({"Copies": 16, "FillsWaiting": 2}, 1))
        self.assertFalse(ssdcache.is_filled({"Copies": 0, "FillsWaiting": 0}, 1))


if __name__ == "__main__":
    unittest.main()
