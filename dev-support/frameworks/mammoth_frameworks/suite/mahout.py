# SPDX-License-Identifier: Apache-2.0
"""Apache Mahout, its MapReduce parts."""

from .framework import Framework


class Mahout(Framework):
    name = "mahout"
    text = "texts to TF-IDF vectors, k-means of those, and recommendations by items"
    module = "mahout"

    def run(self, side):
        self._step(side, "seqdirectory", "org.apache.mahout.text.SequenceFilesFromDirectory",
                   "-i", f"{side.input}/texts", "-o", f"{side.out}/sequence", "-xm", "mapreduce", "-ow")
        self._step(side, "seq2sparse", "org.apache.mahout.vectorizer.SparseVectorsFromSequenceFiles",
                   "-i", f"{side.out}/sequence", "-o", f"{side.out}/vectors", "-nv", "-wt", "tfidf", "-ow",
                   "-a", "org.apache.lucene.analysis.core.WhitespaceAnalyzer")
        self._step(side, "kmeans", "org.apache.mahout.clustering.kmeans.KMeansDriver",
                   "-i", f"{side.out}/vectors/tfidf-vectors", "-c", f"{side.out}/seeds", "-o", f"{side.out}/kmeans",
                   "-dm", "org.apache.mahout.common.distance.CosineDistanceMeasure", "-x", "4", "-k", "5",
                   "--randomSeed", "19", "-ow", "-cl")
        self._step(side, "recommend", "org.apache.mahout.cf.taste.hadoop.item.RecommenderJob",
                   "-i", f"{side.input}/ratings", "-o", f"{side.out}/recommended", "--tempDir", f"{side.out}/temp",
                   "-s", "SIMILARITY_COSINE", "-n", "5")

    def _step(self, side, label, name, *arguments):
        own = self.jars()
        side.hadoop(label, name, "-libjars", ",".join(own), *arguments, classpath=":".join(own))

    def results(self, side):
        return {
            "words": sorted(self._text(side, "vectors/dictionary.file-*")),
            "vectors": sorted(self._text(side, "vectors/tfidf-vectors/part-*")),
            "clusters": sorted(self._text(side, "kmeans/clusteredPoints/part-*")),
            "recommended": sorted(_scores(line) for line in side.lines(f"{side.out}/recommended/part-*")),
        }

    def _text(self, side, pattern):
        return side.text(f"{side.out}/{pattern}", ":".join(self.jars()))


def _scores(line):
    """A user with the scores recommended: of items with equal scores Mahout keeps whichever its hash map gives first."""
    user, items = line.strip().split(b"\t")
    return user + b"\t" + b" ".join(item.partition(b":")[2] for item in items.strip(b"[]").split(b",")) + b"\n"
