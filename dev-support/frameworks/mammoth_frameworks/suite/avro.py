# SPDX-License-Identifier: Apache-2.0
"""Apache Avro."""

from .framework import Framework


class Avro(Framework):
    name = "avro"
    text = "word count to Avro files and sums of those, Avro's own keys in the shuffle, its jars by -libjars"
    module = "avro"

    def run(self, side):
        own = self.jars("avro-1*.jar", "avro-mapred-*.jar")
        side.hadoop(
            "wordcount", "jar", self.jobs_jar(), "org.mammoth.frameworks.avro.AvroWordCount", "-libjars", ",".join(own),
            f"{side.input}/words", f"{side.out}/records", f"{side.out}/letters", classpath=":".join(own),
        )

    def results(self, side):
        return {"letters": side.lines(f"{side.out}/letters/part-*")}
