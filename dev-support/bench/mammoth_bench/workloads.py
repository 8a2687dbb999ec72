# SPDX-License-Identifier: Apache-2.0
"""The workloads: what is run, on which input, and how its output is checked."""

import hashlib

from . import BenchError, joblog
from .inputs import LOCAL, ONE_BY_ONE, SMALL_SIZE, sequence_check, small_text

ITERATIONS = 5


class Workload:
    """One workload. Subclasses say the command and check the output."""

    name = ""
    text = ""
    kind = ""
    default_runs = 3
    #: Whether the page cache is emptied before it, if that is possible and wanted.
    cold = True
    #: Uncounted runs of it on daemons that then stay up for all counted runs; 0: daemons start afresh for each run.
    standing_warm_ups = 0

    def __init__(self, cluster, release, reduces):
        self._cluster = cluster
        self._release = release
        self._reduces = reduces
        self._digest = None

    def size(self, wanted):
        return wanted

    def command(self, source, target):
        """Arguments of 'hadoop' that submit it."""
        raise NotImplementedError

    def check(self, facts, target, output):
        """Raises BenchError unless the output in HDFS is right."""
        raise NotImplementedError

    def _fail(self, text):
        raise BenchError(f"{self.name}: WRONG OUTPUT: {text}")

    def _expect(self, what, expected, seen):
        if expected != seen:
            self._fail(f"{what} should be {expected}, but is {seen}")

    def _lines(self, target):
        """Lines of the text output; fails when its bytes differ from an earlier run's."""
        digest = hashlib.sha256()
        for line in self._cluster.read(f"{target}/part-*"):
            digest.update(line)
            yield line.rstrip(b"\n").split(b"\t")
        if self._digest is None:
            self._digest = digest.hexdigest()
        self._expect("SHA-256 of the output of all runs", self._digest, digest.hexdigest())


class Small(Workload):
    """The smallest useful job. It measures the latency of a node at work: jars in memory, daemons up for long."""

    name = "small"
    text = "word count of four kilobytes, one map, one reduce (ignores --size and --reduces)"
    kind = "small"
    default_runs = 5
    cold = False
    standing_warm_ups = 5

    def size(self, wanted):
        return SMALL_SIZE

    def command(self, source, target):
        return ["jar", self._release.examples, "wordcount", "-Dmapreduce.job.reduces=1", source, target]

    def check(self, facts, target, output):
        counts = {}
        for word in small_text().split():
            counts[word] = counts.get(word, 0) + 1
        seen = {word.decode(): int(count) for word, count in self._lines(target)}
        self._expect("the counts", counts, seen)


class WordCount(Workload):
    """Word count with a combiner."""

    name = "wordcount"
    text = "the examples' word count, with combiner, over random text"
    kind = "text"

    def command(self, source, target):
        reduces = f"-Dmapreduce.job.reduces={self._reduces}"
        return ["jar", self._release.examples, "wordcount", reduces, source, target]

    def check(self, facts, target, output):
        total = sum(int(count) for _, count in self._lines(target))
        self._expect("the sum of all counts", facts["words"], total)


class WordCountNoCombiner(WordCount):
    """Word count that shuffles every word."""

    name = "wordcount-nocombiner"
    text = "word count without combiner: every word is shuffled"

    def command(self, source, target):
        return [
            "jar", self._release.workloads, "wordcount-nocombiner", source, target,
            str(self._reduces),
        ]


class TeraSort(Workload):
    """TeraSort, checked by TeraValidate."""

    name = "terasort"
    text = "the examples' TeraSort of TeraGen's records"
    kind = "tera"

    def command(self, source, target):
        reduces = f"-Dmapreduce.job.reduces={self._reduces}"
        return ["jar", self._release.examples, "terasort", reduces, source, target]

    def check(self, facts, target, output):
        self._expect(
            "reduce output records", facts["rows"],
            joblog.counters(output).get("Reduce output records"),
        )
        report = f"{target}-report"
        self._cluster.run(
            "storage", "hadoop", "jar", self._release.examples, "teravalidate", *LOCAL, *ONE_BY_ONE, target, report
        )
        lines = [line.decode().split() for line in self._cluster.read(f"{report}/part-*")]
        self._cluster.run("storage", "hdfs", "dfs", "-rm", "-r", "-f", "-skipTrash", report)
        if len(lines) != 1 or lines[0][0] != "checksum":
            self._fail(f"teravalidate says {lines}")
        self._expect("teravalidate's checksum", facts["checksum"], int(lines[0][1], 16) % (1 << 64))


class Grep(Workload):
    """Grep, whose map phase is little more than reading."""

    name = "grep"
    text = "the examples' grep for a rare word in random text: a job that reads, and a small one that sorts"
    kind = "text"
    pattern = "qz[a-z]"

    def command(self, source, target):
        return ["jar", self._release.examples, "grep", source, target, self.pattern]

    def check(self, facts, target, output):
        rows = list(self._lines(target))
        matches = sum(int(count) for count, _ in rows)
        # The first job's maps put out each match, the second one's each different match.
        self._expect(
            "map output records", matches + len(rows), joblog.counters(output).get("Map output records"),
        )


class Sort(Workload):
    """Sort of sequence files."""

    name = "sort"
    text = "the examples' sort of RandomWriter's sequence files"
    kind = "sequence"

    def command(self, source, target):
        types = "org.apache.hadoop.io.BytesWritable"
        return [
            "jar", self._release.examples, "sort", "-r", str(self._reduces),
            "-outKey", types, "-outValue", types, source, target,
        ]

    def check(self, facts, target, output):
        seen = sequence_check(self._cluster, self._release, target)
        expected = facts["records"].partition(" unordered=")[0] + " unordered=0"
        self._expect("records, checksum and order", expected, seen)


class PageRank(Workload):
    """A chain of jobs."""

    name = "pagerank"
    text = f"PageRank of a power-law graph, {ITERATIONS} iterations, one job each"
    kind = "graph"

    def command(self, source, target):
        return [
            "jar", self._release.workloads, "pagerank", source, target, str(ITERATIONS),
            str(self._reduces),
        ]

    def check(self, facts, target, output):
        vertices, total = 0, 0.0
        for _, rank in self._lines(target):
            vertices += 1
            total += float(rank)
        self._expect("the number of vertices", facts["vertices"], vertices)
        if abs(total - 1) > 1e-6:
            self._fail(f"ranks should add up to 1, but add up to {total}")


class Components(Workload):
    """A chain of jobs whose shuffle shrinks."""

    name = "components"
    text = f"connected components of a power-law graph, {ITERATIONS} iterations at most, one job each"
    kind = "graph"

    def command(self, source, target):
        return [
            "jar", self._release.workloads, "components", source, target, str(ITERATIONS),
            str(self._reduces),
        ]

    def check(self, facts, target, output):
        vertices = 0
        for vertex, label in self._lines(target):
            vertices += 1
            if int(label) > int(vertex):
                self._fail(f"vertex {vertex.decode()} has the label {label.decode()}, which is larger")
        self._expect("the number of vertices", facts["vertices"], vertices)


class KMeans(Workload):
    """A chain of jobs that all read the same vectors."""

    name = "kmeans"
    text = f"k-means of points in ten dimensions, 10 centres, {ITERATIONS} iterations, one job each"
    kind = "points"

    def command(self, source, target):
        return ["jar", self._release.workloads, "kmeans", source, target, "10", str(ITERATIONS)]

    def check(self, facts, target, output):
        points = sum(int(centre.split()[0]) for _, centre in self._lines(target))
        self._expect("the number of points", facts["points"], points)


ALL = {one.name: one for one in (Small, WordCount, WordCountNoCombiner, Grep, TeraSort, Sort, PageRank, Components, KMeans)}
