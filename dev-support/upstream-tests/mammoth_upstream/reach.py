# SPDX-License-Identifier: Apache-2.0
"""Which test classes can start a NodeManager, by what their class files name."""

import collections
import re
import struct
import zipfile

# Who makes one of these can start NodeManagers in its JVM.
CLUSTERS = (
    "org/apache/hadoop/mapreduce/v2/MiniMRYarnCluster",
    "org/apache/hadoop/yarn/server/MiniYARNCluster",
    "org/apache/hadoop/yarn/server/nodemanager/NodeManager",
)

_TEST = re.compile(rb"Lorg/junit/(jupiter/api/)?(Test|ParameterizedTest);|junit/framework/TestCase")

# Tags of the constant pool (Java Virtual Machine Specification, 4.4) and the bytes that follow them.
_UTF8, _CLASS, _METHOD, _NAME, _WIDE = 1, 7, 10, 12, (5, 6)
_SIZES = {3: 4, 4: 4, 5: 8, 6: 8, _CLASS: 2, 8: 2, 9: 4, _METHOD: 4, 11: 4, _NAME: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}


def named(content):
    """The classes that a class file names, as a/b/C, and those of them whose constructors it calls."""
    count = struct.unpack_from(">H", content, 8)[0]
    offset, index, texts, classes, names, methods = 10, 1, {}, {}, {}, []
    while index < count:
        tag = content[offset]
        if tag == _UTF8:
            length = struct.unpack_from(">H", content, offset + 1)[0]
            texts[index] = content[offset + 3 : offset + 3 + length].decode("utf-8", "replace")
            offset += 3 + length
        else:
            if tag == _CLASS:
                classes[index] = struct.unpack_from(">H", content, offset + 1)[0]
            elif tag == _NAME:
                names[index] = struct.unpack_from(">H", content, offset + 1)[0]
            elif tag == _METHOD:
                methods.append(struct.unpack_from(">HH", content, offset + 1))
            offset += 1 + _SIZES[tag]
        index += 2 if tag in _WIDE else 1
    made = {texts[classes[owner]] for owner, name in methods if texts[names[name]] == "<init>"}
    return {texts[name] for name in classes.values()}, made


def survey(jar):
    """Full name of each test class in the jar -> the classes on its shortest way to a NodeManager, or None if there is no way.

    A test class holds a test of its own or is called Test...; those that only inherit tests are the latter.
    """
    names, tests = {}, set()
    with zipfile.ZipFile(jar) as archive:
        for entry in archive.namelist():
            if entry.endswith(".class"):
                name = entry[: -len(".class")]
                content = archive.read(entry)
                names[name] = named(content)
                if _TEST.search(content) or name.rpartition("/")[2].startswith("Test"):
                    tests.add(name.partition("$")[0])
    return {name.replace("/", "."): _way(name, names) for name in sorted(tests)}


def _way(start, names):
    before, queue = {start: None}, collections.deque([start])
    while queue:
        name = queue.popleft()
        mentioned, made = names.get(name, ((), ()))
        clusters = [cluster for cluster in CLUSTERS if cluster in made]
        if clusters:
            way = [clusters[0].rpartition("/")[2]]
            while name:
                way.append(name.rpartition("/")[2])
                name = before[name]
            return way[::-1]
        for other in sorted(mentioned):
            if other not in before and other not in CLUSTERS:
                before[other] = name
                queue.append(other)
    return None
