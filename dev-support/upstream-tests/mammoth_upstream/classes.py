# SPDX-License-Identifier: Apache-2.0
"""Test classes: which there are in the jar, and which docs/upstream-tests.md knows."""

import os
import re
import zipfile

from mammoth_bench import BenchError

_ROW = re.compile(r"^\| `(?P<name>[\w.]+)` \| (?P<verdict>passes|in part|cannot) \| (?P<why>.*?) \|$")


def known(page, section=""):
    """Name -> (verdict, why) of the classes in the page's table, in its order; simple names, but for those that two classes have.

    A page may have a table in each of several sections, named by their headings.
    """
    with open(page, encoding="utf-8") as source:
        text = source.read()
    if section:
        text = text.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    rows = (_ROW.match(line.strip()) for line in text.splitlines())
    return {row["name"]: (row["verdict"], row["why"]) for row in rows if row}


def resolve(jar, names):
    """Full names of classes given by their simple or full names."""
    with zipfile.ZipFile(jar) as archive:
        entries = [name[: -len(".class")].replace("/", ".") for name in archive.namelist() if name.endswith(".class")]
    found = []
    for name in names:
        matches = [entry for entry in entries if entry == name or entry.endswith("." + name)]
        if len(matches) != 1:
            raise BenchError(f"{len(matches)} classes named {name} in {jar}" + (f": {', '.join(matches)}" if matches else ""))
        found += matches
    return found


def unpack(jar, folder):
    """Some classes write site files where their own class file lies, so it must lie in a folder. Files there stay."""
    with zipfile.ZipFile(jar) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if not os.path.isfile(os.path.join(folder, name))])
