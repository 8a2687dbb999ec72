# SPDX-License-Identifier: Apache-2.0
import json
import os
import tempfile
import unittest

from mammoth_bench import sitefile
from mammoth_upstream import run, siteconf

_REPORT = """<?xml version="1.0"?>
<testsuite><testcase name="good"/><testcase name="bad"><failure message="was 1&#10;more"/></testcase>
<testcase name="worse"><error type="java.io.IOException"/></testcase><testcase name="idle"><skipped/></testcase></testsuite>
"""


class RunTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = os.path.realpath(self._folder.name)

    def _release(self):
        home = os.path.join(self.folder, "home")
        os.makedirs(os.path.join(home, "etc", "hadoop"))
        for name in ("capacity-scheduler.xml", "log4j.properties"):
            with open(os.path.join(home, "etc", "hadoop", name), "w", encoding="utf-8") as out:
                out.write("x")
        return home

    def test_reports(self):
        with open(os.path.join(self.folder, "TEST-one.xml"), "w", encoding="utf-8") as out:
            out.write(_REPORT)
        self.assertEqual(run._reports(self.folder), (4, {"bad": "was 1", "worse": "java.io.IOException"}, 1))

    def test_stock_names_nothing_of_ours(self):
        conf = os.path.join(self.folder, "conf")
        self.assertIsNone(siteconf.write(conf, self._release(), False, self.folder))
        self.assertNotIn("mammoth", str(sitefile.read(os.path.join(conf, "yarn-site.xml"))).lower())

    def test_hdfs_has_what_is_asked_for_and_stock_nothing(self):
        conf = os.path.join(self.folder, "conf")
        release = self._release()
        keys = {"cache": "mammoth.mpcache.enabled", "task": "mammoth.data-cache.enabled"}
        for mammoth, kind, expected in ((True, "cache", "cache"), (True, "task", "task"), (True, "ahead", None), (False, "cache", None)):
            siteconf.write(conf, release, mammoth, self.folder, kind)
            site = sitefile.read(os.path.join(conf, "hdfs-site.xml"))
            self.assertEqual([key for key in keys if keys[key] in site], [expected] if expected else [], (mammoth, kind))

    def test_no_manifest_where_others_can_write(self):
        os.chmod(self.folder, 0o777)
        conf = os.path.join(self.folder, "conf")
        self.assertIn("can be written by others", siteconf.write(conf, self._release(), True, self.folder))
        yarn = sitefile.read(os.path.join(conf, "yarn-site.xml"))
        self.assertIn("MammothContainersLauncher", yarn["yarn.nodemanager.containers-launcher.class"])
        self.assertNotIn("yarn.nodemanager.aux-services.manifest", yarn)

    def test_manifest(self):
        with open(siteconf._manifest(self.folder), encoding="utf-8") as source:
            service = json.load(source)["services"][0]
        self.assertEqual(service["name"], "mapreduce_shuffle")

    def test_test_jars_come_last(self):
        home = self._release()
        for jar in ("common/a-tests.jar", "common/lib/b.jar", "mammoth/c.jar"):
            path = os.path.join(home, "share", "hadoop", jar)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "w", encoding="ascii").close()
        names = [os.path.basename(entry) for entry in run.class_path("/conf", home, self.folder)]
        self.assertEqual(names, ["conf", "engine-proof.jar", "hdfs", "b.jar", "c.jar", "a-tests.jar"])


if __name__ == "__main__":
    unittest.main()
