# SPDX-License-Identifier: Apache-2.0
"""Apache Pig."""

import os

from mammoth_bench import BenchError

from .framework import HERE, Framework

#: Of what its artifact names, what the lib folder of Pig's distribution has and these scripts need.
_JARS = (
    "pig-*.jar", "antlr-*.jar", "ST4-*.jar", "stringtemplate-*.jar", "automaton-*.jar", "joda-time-*.jar", "jline-*.jar",
    "jackson-*-asl-*.jar", "jython-*.jar",
)

# Pig's plan is a graph with circles and hash maps, and now and then no task can read what the client has serialized: all
# attempts fail, on stock Hadoop as elsewhere. The next client writes it in another order.
_PLAN_UNREADABLE = 'because "this.mKey" is null'
_ATTEMPTS = 4


class Pig(Framework):
    name = "pig"
    text = "five scripts: joins of all kinds, nested distinct, algebraic functions, order by, cogroup, cube"
    module = "pig"
    scripts = {
        "traffic": ("countries", "hosts"),
        "pages": ("categories", "best"),
        # Two scripts, as the plan for both stores at once can hardly ever be read; nor can one with a union.
        "strangers": ("unknown",),
        "skewed": ("both",),
        "cubes": ("cube", "ranked"),
    }
    #: Results whose lines have an order.
    ordered = ("countries", "best", "ranked")

    def run(self, side):
        for script, names in self.scripts.items():
            for attempt in range(1, _ATTEMPTS + 1):
                try:
                    self._run(script, side)
                    break
                except BenchError as error:
                    if _PLAN_UNREADABLE not in str(error) or attempt == _ATTEMPTS:
                        raise
                print(f"  {self.name:8} {side.name:8} runs {script} again, as Pig could not read its own plan", flush=True)
                side.start_over(*names)

    def _run(self, script, side):
        own = [self.jobs_jar(), *self.jars(*_JARS)]
        side.hadoop(
            script, "org.apache.pig.Main", "-x", "mapreduce", "-logfile", os.path.join(side.logs, f"{script}-pig.log"),
            "-param", f"in={side.input}", "-param", f"out={side.out}", "-param", f"jobs={self.jobs_jar()}",
            "-f", os.path.join(HERE, self.module, "src", "main", "pig", f"{script}.pig"), classpath=":".join(own),
        )

    def results(self, side):
        found = {}
        for names in self.scripts.values():
            for name in names:
                lines = side.lines(f"{side.out}/{name}/part-*")
                found[name] = lines if name in self.ordered else sorted(lines)
        return found
