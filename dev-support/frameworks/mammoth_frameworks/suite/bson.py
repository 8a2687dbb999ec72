# SPDX-License-Identifier: Apache-2.0
"""BSON files and keys of mongo-hadoop."""

from .framework import Framework


class Bson(Framework):
    name = "bson"
    text = "writes and reads BSON files, and sums by keys that are documents, ordered by their own comparator"
    module = "bson"

    def run(self, side):
        own = self.jars()
        side.hadoop(
            "documents", "jar", self.jobs_jar(), "org.mammoth.frameworks.bson.Documents", "-libjars", ",".join(own),
            f"{side.input}/visits", side.out, classpath=":".join([self.jobs_jar(), *own]),
        )

    def results(self, side):
        return {"sums": side.lines(f"{side.out}/sums/part-*")}
