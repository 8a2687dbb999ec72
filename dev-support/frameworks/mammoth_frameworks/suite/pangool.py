# SPDX-License-Identifier: Apache-2.0
"""Pangool, jobs of tuples."""

from .framework import Framework


class Pangool(Framework):
    name = "pangool"
    text = "a join of two kinds of tuples with orders of their own, a roll-up over groups in groups, sums with a combiner and a named output"
    module = "pangool"

    def run(self, side):
        own = self.jars()
        side.hadoop(
            "tuples", "jar", self.jobs_jar(), "org.mammoth.frameworks.pangool.TupleJobs", "-libjars", ",".join(own),
            f"{side.input}/visits", f"{side.input}/users", side.out, classpath=":".join([self.jobs_jar(), *own]),
        )

    def results(self, side):
        return {
            "join": side.lines(f"{side.out}/join/part-*"),
            "rollup": side.lines(f"{side.out}/rollup/part-*"),
            "sums": side.lines(f"{side.out}/sums/part-*"),
            "large": side.lines(f"{side.out}/sums/large/part-*"),
        }
