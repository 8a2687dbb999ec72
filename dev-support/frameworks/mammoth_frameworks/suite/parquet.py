# SPDX-License-Identifier: Apache-2.0
"""Apache Parquet."""

from .framework import Framework


class Parquet(Framework):
    name = "parquet"
    text = "visits to Parquet files and sums of two columns of those, with two codecs, jars by -libjars"
    module = "parquet"
    codecs = ("GZIP", "ZSTD")

    def run(self, side):
        own = self.jars("parquet-*.jar", "aircompressor-*.jar", "snappy-*.jar", "zstd-*.jar")
        for codec in self.codecs:
            side.hadoop(
                codec.lower(), "jar", self.jobs_jar(), "org.mammoth.frameworks.parquet.ParquetRoundTrip",
                f"-Dframeworks.parquet.codec={codec}", "-libjars", ",".join(own), f"{side.input}/visits",
                f"{side.out}/{codec}", f"{side.out}/{codec}-sums", classpath=":".join(own),
            )

    def results(self, side):
        return {codec: side.lines(f"{side.out}/{codec}-sums/part-*") for codec in self.codecs}
