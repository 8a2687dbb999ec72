# SPDX-License-Identifier: Apache-2.0
"""Cloud9, the programs of a book about algorithms for MapReduce."""

import os

from .framework import Framework

_EXAMPLES = "edu.umd.cloud9.example"
_WORDS = {
    "count": ("simple.DemoWordCount",),
    "bigrams": ("bigram.BigramCount",),
    "relative": ("bigram.BigramRelativeFrequency",),
    "relative-tuple": ("bigram.BigramRelativeFrequencyTuple",),
    "relative-json": ("bigram.BigramRelativeFrequencyJson",),
    "pairs": ("cooccur.ComputeCooccurrenceMatrixPairs", "-window", "2"),
    "stripes": ("cooccur.ComputeCooccurrenceMatrixStripes", "-window", "2"),
    "index": ("ir.BuildInvertedIndex",),
}
#: Name: (the program that makes its input, the one that counts its words).
_PACKED = {"tuple1": ("Tuples1", "Tuple1"), "tuple2": ("Tuples2", "Tuple2"), "json": ("Json", "Json")}
_NODES = "3000"
_ITERATIONS = 3


class Cloud9(Framework):
    name = "cloud9"
    text = "its examples: bigrams, co-occurrence as pairs and stripes, an inverted index, breadth-first search, PageRank"
    module = "cloud9"

    def run(self, side):
        self._words(side)
        self._packed(side)
        self._search(side)
        self._rank(side)

    def _words(self, side):
        for label, (program, *options) in _WORDS.items():
            self._step(side, label, program, "-input", f"{side.input}/words", "-output", f"{side.out}/{label}", "-numReducers", "2", *options)

    def _packed(self, side):
        # These read a file of the client's machine.
        local = os.path.join(side.work, "words.txt")
        with open(local, "wb") as out:
            out.writelines(side.lines(f"{side.input}/words/words0.txt"))
        for label, (pack, count) in _PACKED.items():
            # No job, so it takes no options of Hadoop's.
            side.hadoop(f"pack-{label}", f"{_EXAMPLES}.simple.DemoPack{pack}", local, f"{side.out}/packed-{label}", classpath=":".join(self.jars()))
            self._step(side, label, f"simple.DemoWordCount{count}", f"{side.out}/packed-{label}", f"{side.out}/{label}", "2")

    def _search(self, side):
        base = f"{side.out}/bfs"
        self._step(side, "bfs-encode", "bfs.EncodeBfsGraph", "-input", f"{side.input}/graph-lines", "-output", f"{base}/iter0", "-src", "400")
        for number in range(_ITERATIONS):
            self._step(side, f"bfs-{number}", "bfs.IterateBfs", "-input", f"{base}/iter{number}", "-output", f"{base}/iter{number + 1}", "-num_partitions", "2")
        self._step(side, "bfs-reachable", "bfs.FindReachableNodes", "-input", f"{base}/iter{_ITERATIONS}", "-output", f"{base}/reachable")

    def _rank(self, side):
        base = f"{side.out}/basic"
        label = "rank"
        self._step(side, f"{label}-build", "pagerank.BuildPageRankRecords",
                   "-input", f"{side.input}/graph-lines", "-output", f"{base}/records", "-numNodes", _NODES)
        self._step(side, f"{label}-partition", "pagerank.PartitionGraph", "-input", f"{base}/records", "-output", f"{base}/iter0000",
                   "-numPartitions", "2", "-numNodes", _NODES, "-range")
        self._step(side, label, "pagerank.RunPageRankBasic", "-base", base, "-numNodes", _NODES, "-start", "0", "-end", str(_ITERATIONS),
                   "-useInMapperCombiner", "-range")
        self._step(side, f"{label}-top", "pagerank.FindMaxPageRankNodes",
                   "-input", f"{base}/iter{_ITERATIONS:04}", "-output", f"{base}/top", "-top", "50")

    def _step(self, side, label, program, *arguments):
        own = self.jars()
        side.hadoop(label, f"{_EXAMPLES}.{program}", "-libjars", ",".join(own), *arguments, classpath=":".join(own))

    def results(self, side):
        written = [*_WORDS, *_PACKED, "bfs/reachable", *(f"bfs/iter{number}" for number in range(_ITERATIONS + 1)),
                   "basic/top"]
        classpath = ":".join(self.jars())
        # The index is a map file.
        files = {name: "part-*/data" if name == "index" else "part-*" for name in written}
        return {name: side.text(f"{side.out}/{name}/{file}", classpath) for name, file in files.items()}
