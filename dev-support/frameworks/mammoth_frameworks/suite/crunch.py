# SPDX-License-Identifier: Apache-2.0
"""Apache Crunch."""

from .framework import Framework


class Crunch(Framework):
    name = "crunch"
    text = "a pipeline with a join, sums by two keys, a total order and distinct pairs, jars by -libjars"
    module = "crunch"

    def run(self, side):
        own = self.jars()
        side.hadoop(
            "pipeline", "jar", self.jobs_jar(), "org.mammoth.frameworks.crunch.TopHosts", "-libjars", ",".join(own),
            f"{side.input}/visits", f"{side.input}/users", side.out, classpath=":".join([self.jobs_jar(), *own]),
        )

    def results(self, side):
        # The sort goes by bytes only, and hosts may have equal ones.
        return {
            "countries": side.lines(f"{side.out}/countries/part-*"),
            "hosts": sorted(side.lines(f"{side.out}/hosts/part-*")),
            "pairs": sorted(side.lines(f"{side.out}/pairs/part-*")),
        }
