# SPDX-License-Identifier: Apache-2.0
import os
import struct
import tempfile
import unittest
import zipfile

from mammoth_upstream import reach

_MINI = "org/apache/hadoop/mapreduce/v2/MiniMRYarnCluster"
_LONG = b"\x05" + struct.pack(">q", 7)


def _class_file(*names, made=False, before=b"", slots=0):
    """A class file as far as the end of its constant pool: a text and a class for each name, a constructor of the last."""
    pool = before
    for number, name in enumerate(names):
        pool += b"\x01" + struct.pack(">H", len(name)) + name.encode("ascii")
        pool += b"\x07" + struct.pack(">H", 1 + slots + 2 * number)
    size = 1 + slots + 2 * len(names)
    if made:
        init = b"\x01" + struct.pack(">H", 6) + b"<init>"
        pool += init + b"\x0c" + struct.pack(">HH", size, size) + b"\x0a" + struct.pack(">HH", size - 1, size + 1)
        size += 3
    return b"\xca\xfe\xba\xbe" + bytes(4) + struct.pack(">H", size) + pool


class ReachTest(unittest.TestCase):
    def test_names_behind_a_long(self):
        content = _class_file("a/B", "c/D", made=True, before=_LONG, slots=2)
        self.assertEqual(reach.named(content), ({"a/B", "c/D"}, {"c/D"}))

    def test_ways(self):
        with tempfile.TemporaryDirectory() as folder:
            jar = os.path.join(folder, "tests.jar")
            with zipfile.ZipFile(jar, "w") as archive:
                archive.writestr("a/TestFar.class", _class_file("a/Base", "java/lang/Object"))
                archive.writestr("a/Base.class", _class_file("a/TestFar", "a/Base$In"))
                archive.writestr("a/Base$In.class", _class_file(_MINI, made=True))
                # A cluster calls the constructor of the one it extends.
                archive.writestr(_MINI + ".class", _class_file("org/apache/hadoop/yarn/server/MiniYARNCluster", made=True))
                archive.writestr("a/TestGiven.class", _class_file(_MINI))
                archive.writestr("a/TestNone.class", _class_file("java/lang/Object"))
                archive.writestr("a/Notes.class", _class_file("java/lang/Object") + b"Lorg/junit/Test;")
            ways = reach.survey(jar)
        self.assertEqual(ways, {
            "a.Notes": None, "a.TestFar": ["TestFar", "Base", "Base$In", "MiniMRYarnCluster"], "a.TestGiven": None,
            "a.TestNone": None,
        })


if __name__ == "__main__":
    unittest.main()
