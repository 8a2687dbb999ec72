# SPDX-License-Identifier: Apache-2.0
import os
import tempfile
import unittest

from mammoth_bench import BenchError, confdirs, sitefile


class ConfDirsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.layout = confdirs.Layout(os.path.join(folder.name, "data"))
        self.home = os.path.join(folder.name, "release")
        shipped = os.path.join(self.home, "etc", "hadoop")
        os.makedirs(shipped)
        sitefile.write(os.path.join(shipped, "yarn-site.xml"), {
            "yarn.nodemanager.container-executor.class": "org.mammoth.Executor",
            "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms": "250",
            "yarn.nodemanager.address": "localhost:8041",
        })
        sitefile.write(os.path.join(shipped, "capacity-scheduler.xml"), {
            "yarn.scheduler.capacity.schedule-asynchronously.enable": "true",
        })
        with open(os.path.join(shipped, "log4j.properties"), "w", encoding="ascii") as out:
            out.write("# shipped\n")
        self.ports = confdirs.ports_by_side(("stock", "mammoth"))

    def write(self, side, **settings):
        directory = confdirs.write(side, self.layout, self.ports[side], self.home, 4096, 2, **settings)
        return {
            name: sitefile.read(os.path.join(directory, name))
            for name in (*confdirs.SITES, "capacity-scheduler.xml")
        }, directory

    def test_stock_has_nothing_of_the_release(self):
        sites, directory = self.write("stock")
        yarn = sites["yarn-site.xml"]
        self.assertTrue(
            yarn["yarn.nodemanager.container-executor.class"].endswith(".DefaultContainerExecutor")
        )
        self.assertEqual(sites["mapred-site.xml"]["mammoth.engine.enabled"], "false")
        for name, site in sites.items():
            for key, value in site.items():
                self.assertNotIn("interval", key, name)
                self.assertNotIn("asynchronous", key, name)
                self.assertNotIn("org.mammoth", value, name)
        self.assertTrue(os.path.exists(os.path.join(directory, "log4j.properties")))

    def test_mammoth_keeps_what_ships(self):
        sites, _ = self.write("mammoth")
        yarn = sites["yarn-site.xml"]
        self.assertEqual(
            yarn["yarn.nodemanager.container-executor.class"], "org.mammoth.Executor"
        )
        self.assertEqual(
            yarn["yarn.resourcemanager.nodemanagers.heartbeat-interval-ms"], "250"
        )
        self.assertEqual(
            yarn["yarn.nodemanager.address"], f"127.0.0.1:{self.ports['mammoth']['nodemanager']}"
        )
        self.assertIn(
            "yarn.scheduler.capacity.schedule-asynchronously.enable",
            sites["capacity-scheduler.xml"],
        )
        self.assertNotIn("mammoth.engine.enabled", sites["mapred-site.xml"])

    def test_tuning_is_the_same(self):
        stock, mammoth = self.write("stock")[0], self.write("mammoth")[0]
        common = confdirs.shared("stock", self.layout, self.ports["stock"], self.home)
        own = ("address", "-dirs", "recovery.dir")
        for name, site in common.items():
            for key in site:
                if not (name == "yarn-site.xml" and key.endswith(own)):
                    self.assertEqual(stock[name][key], mammoth[name][key], key)
        self.assertEqual(stock["mapred-site.xml"]["mapreduce.task.io.sort.mb"], "256")
        self.assertEqual(stock["yarn-site.xml"]["yarn.nodemanager.resource.memory-mb"], "4096")
        self.assertEqual(stock["mapred-site.xml"]["mapreduce.job.reduces"], "2")

    def test_settings_are_for_mammoth_only(self):
        asked = {"mammoth.memory.buffer.type": "array"}
        stock, _ = self.write("stock", settings=asked)
        mammoth, _ = self.write("mammoth", settings=asked)
        for name in ("yarn-site.xml", "mapred-site.xml"):
            self.assertNotIn("mammoth.memory.buffer.type", stock[name])
            self.assertEqual(mammoth[name]["mammoth.memory.buffer.type"], "array")
        self.assertNotIn("mammoth.memory.buffer.type", mammoth["hdfs-site.xml"])

    def test_yarns_run_side_by_side_on_one_hdfs(self):
        stock, mammoth = self.write("stock")[0], self.write("mammoth")[0]
        for name in ("core-site.xml", "hdfs-site.xml"):
            self.assertEqual(stock[name], mammoth[name])
        places = [
            [value for key, value in side["yarn-site.xml"].items() if key.endswith(("address", "-dirs", "recovery.dir"))]
            for side in (stock, mammoth)
        ]
        self.assertGreater(len(places[0]), 10)
        self.assertEqual(set(places[0]) & set(places[1]), set())
        for ports in self.ports.values():
            self.assertEqual(len(set(ports.values())), len(ports))

    def test_site_file_errors(self):
        path = os.path.join(self.home, "bad.xml")
        with open(path, "w", encoding="ascii") as out:
            out.write("<configuration>")
        with self.assertRaisesRegex(BenchError, "is no configuration file"):
            sitefile.read(path)
        self.assertEqual(sitefile.read(os.path.join(self.home, "none.xml")), {})
