# SPDX-License-Identifier: Apache-2.0
"""Input data: generated once per size and kept in the data directory's HDFS.

Generators, like checks, run in Hadoop's local job runner: they need no YARN of either side, and what
checks Mammoth's output is not Mammoth.
"""

import json
import os

from . import BenchError, joblog
from .units import parse_size

LOCAL = (
    "-Dmapreduce.framework.name=local",
    "-Dmapreduce.local.map.tasks.maximum=2",
    "-Dmapreduce.task.io.sort.mb=32",
)
#: After LOCAL, for who reads much: a hard disk is read from one end to the other.
ONE_BY_ONE = ("-Dmapreduce.local.map.tasks.maximum=1",)
_BLOCK = 128 << 20
SMALL_SIZE = "4k"

_SMALL_WORDS = (
    "when in the course of events it becomes necessary for one people to count the words of another "
    "a decent respect requires that they should declare the counts"
).split()


def small_text():
    """About four kilobytes, always the same."""
    lines = []
    for line in range(64):
        words = [_SMALL_WORDS[(line * 7 + i * i) % len(_SMALL_WORDS)] for i in range(11)]
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


class Inputs:
    """Makes inputs on demand and remembers what is known of them."""

    def __init__(self, cluster, layout, release):
        self._cluster = cluster
        self._layout = layout
        self._release = release
        self._facts_path = layout.path("inputs.json")
        self._facts = {}
        if os.path.exists(self._facts_path):
            with open(self._facts_path, encoding="utf-8") as source:
                self._facts = json.load(source)

    def get(self, kind, size):
        """(path in HDFS, facts) of an input; generates it when it is not there."""
        name = f"{kind}-{size}"
        path = f"/bench/input/{name}"
        if name not in self._facts:
            self._cluster.run("storage", "hdfs", "dfs", "-rm", "-r", "-f", "-skipTrash", path)
            self._cluster.run("storage", "hdfs", "dfs", "-mkdir", "-p", "/bench/input")
            print(f"generating {name} ...", flush=True)
            self._facts[name] = getattr(self, f"_make_{kind}")(path, size)
            with open(self._facts_path, "w", encoding="utf-8") as out:
                json.dump(self._facts, out, indent=2)
        return path, self._facts[name]

    def _generate(self, jar, program, *arguments):
        return self._cluster.run("storage", "hadoop", "jar", jar, program, *LOCAL, *arguments)

    def _make_small(self, path, _size):
        local = self._layout.path("small.txt")
        with open(local, "w", encoding="utf-8") as out:
            out.write(small_text())
        self._cluster.run("storage", "hdfs", "dfs", "-mkdir", "-p", path)
        self._cluster.run("storage", "hdfs", "dfs", "-put", local, f"{path}/small.txt")
        return {}

    def _make_text(self, path, size):
        output = self._generate(
            self._release.workloads, "randomtext", path, str(parse_size(size))
        )
        return {"words": _counter(output, "WORDS")}

    def _make_tera(self, path, size):
        count = parse_size(size)
        maps = max(1, round(count / _BLOCK))
        output = self._generate(
            self._release.examples, "teragen", f"-Dmapreduce.job.maps={maps}",
            str(count // 100), path,
        )
        return {"rows": count // 100, "checksum": _counter(output, "CHECKSUM") % (1 << 64)}

    def _make_sequence(self, path, size):
        count = parse_size(size)
        # The local job runner gives RandomWriter one map, however many it asks for.
        self._generate(
            self._release.examples, "randomwriter",
            f"-Dmapreduce.randomwriter.totalbytes={count}",
            f"-Dmapreduce.randomwriter.bytespermap={count}",
            path,
        )
        return {"records": sequence_check(self._cluster, self._release, path)}

    def _make_points(self, path, size):
        output = self._generate(
            self._release.workloads, "kmeans-generate", path, f"{parse_size(size) // 1024}k"
        )
        return {"points": _counter(output, "Map input records")}

    def _make_graph(self, path, size):
        output = self._generate(
            self._release.workloads, "pagerank-generate", path, f"{parse_size(size) // 1024}k"
        )
        return {"vertices": _counter(output, "Map input records")}


def _counter(output, name):
    value = joblog.counters(output).get(name)
    if value is None:
        raise BenchError(f"the generator's output has no counter {name}:\n{output[-2000:]}")
    return value


def sequence_check(cluster, release, path):
    """The line of the program sequence-check, without its count of keys out of order, and that."""
    output = cluster.run("storage", "hadoop", "jar", release.workloads, "sequence-check", *LOCAL, path)
    for line in output.splitlines():
        if line.startswith("records="):
            return line
    raise BenchError(f"sequence-check of {path} has said nothing:\n{output[-2000:]}")
