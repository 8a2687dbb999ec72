# SPDX-License-Identifier: Apache-2.0
import os
import tempfile
import unittest
import zipfile

from mammoth_bench import BenchError
from mammoth_upstream import classes
from mammoth_upstream.cli import HDFS_PAGE, PAGE, SECTIONS


class ClassesTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.jar = os.path.join(self._folder.name, "tests.jar")
        with zipfile.ZipFile(self.jar, "w") as archive:
            for name in ("org/one/TestA.class", "org/two/TestA.class", "org/one/TestB.class", "org/one/TestB$In.class"):
                archive.writestr(name, b"")

    def test_simple_and_full_names(self):
        self.assertEqual(classes.resolve(self.jar, ["TestB", "org.two.TestA"]), ["org.one.TestB", "org.two.TestA"])

    def test_ambiguous_and_absent(self):
        with self.assertRaisesRegex(BenchError, "2 classes named TestA .* org.one.TestA, org.two.TestA"):
            classes.resolve(self.jar, ["TestA"])
        with self.assertRaisesRegex(BenchError, "0 classes named TestC"):
            classes.resolve(self.jar, ["TestC"])

    def test_unpacking_keeps_the_site_files(self):
        folder = os.path.join(self._folder.name, "conf")
        os.makedirs(os.path.join(folder, "org", "one"))
        for name in ("site.xml", "org/one/TestA.class"):
            with open(os.path.join(folder, name), "w", encoding="ascii") as out:
                out.write("kept")
        classes.unpack(self.jar, folder)
        self.assertEqual(sorted(os.listdir(folder)), ["org", "site.xml"])
        self.assertEqual(os.path.getsize(os.path.join(folder, "org", "one", "TestA.class")), 4)
        self.assertEqual(os.path.getsize(os.path.join(folder, "org", "one", "TestB.class")), 0)

    def test_the_page_can_be_read(self):
        known = classes.known(PAGE)
        self.assertIn("passes", {verdict for verdict, _ in known.values()})
        with open(PAGE, encoding="utf-8") as source:
            rows = [line for line in source if line.startswith("| `Test")]
        self.assertEqual(len(known), len(rows), "a row of the page is not understood, or a class is there twice")

    def test_each_section_of_the_page_of_hdfs_can_be_read(self):
        with open(HDFS_PAGE, encoding="utf-8") as source:
            rows = [line for line in source if line.startswith("| `Test")]
        known = [classes.known(HDFS_PAGE, section) for section in SECTIONS]
        self.assertEqual(sum(len(each) for each in known), len(rows), "a row is not understood, or a class is there twice")
        for section, each in zip(SECTIONS, known):
            self.assertIn("passes", {verdict for verdict, _ in each.values()}, section)

    def test_a_section_ends_where_the_next_begins(self):
        page = os.path.join(self._folder.name, "page.md")
        with open(page, "w", encoding="ascii") as out:
            out.write("# Page\n\n## one\n\n| `TestA` | passes | a |\n\n## two\n\n| `TestA` | cannot | b |\n")
        self.assertEqual(classes.known(page, "one"), {"TestA": ("passes", "a")})
        self.assertEqual(classes.known(page, "two"), {"TestA": ("cannot", "b")})
        self.assertEqual(classes.known(page, "three"), {})


if __name__ == "__main__":
    unittest.main()
