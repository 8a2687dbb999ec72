# SPDX-License-Identifier: Apache-2.0
"""Hadoop-BAM."""

from .framework import Framework


class Bam(Framework):
    name = "bam"
    text = "reads of BAM and SAM sorted to BAM and made SAM, variants and sequences sorted, with and without the job's class loader"
    module = "bam"
    #: The one without comes last: it finds by Paths.get the file system that its jars name and needs a process, which the node remembers.
    ways = {"loader": ("-Dmapreduce.job.classloader=true",), "plain": ()}
    outputs = ("sorted", "sam", "vcf", "fastq")

    def run(self, side):
        own = self.jars()
        for way, options in self.ways.items():
            side.hadoop(
                way, "jar", self.jobs_jar(), "org.mammoth.frameworks.bam.BamJobs", *options, "-libjars", ",".join(own),
                f"{side.out}/{way}", classpath=":".join(own),
            )

    def results(self, side):
        # BAM is compressed, and equal byte by byte.
        return {f"{output} {way}": side.lines(f"{side.out}/{way}/{output}/part-*") for way in self.ways for output in self.outputs}
