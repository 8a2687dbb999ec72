# SPDX-License-Identifier: Apache-2.0
"""Apache ORC."""

from .framework import Framework


class Orc(Framework):
    name = "orc"
    text = "visits to ORC files, structs as keys and values of the shuffle, sums of those by both APIs, jars by -libjars"
    module = "orc"

    def run(self, side):
        own = self.jars()
        side.hadoop(
            "roundtrip", "jar", self.jobs_jar(), "org.mammoth.frameworks.orc.OrcRoundTrip", "-libjars", ",".join(own),
            f"{side.input}/visits", f"{side.out}/visits", f"{side.out}/sums", f"{side.out}/old", classpath=":".join(own),
        )

    def results(self, side):
        # The old API's are ORC files, which are equal byte by byte.
        return {"sums": side.lines(f"{side.out}/sums/part-*"), "old": side.lines(f"{side.out}/old/part-*")}
