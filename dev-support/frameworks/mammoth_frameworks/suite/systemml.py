# SPDX-License-Identifier: Apache-2.0
"""Apache SystemML, whose scripts become chains of MapReduce jobs."""

import os
import zipfile

from .framework import Framework

_MAIN = "org.apache.sysml.api.DMLScript"

#: Counts for naive Bayes, classes, and what a regression is to find.
_DATA = """
X = round(rand(rows=3000, cols=20, min=0, max=5, seed=7, sparsity=0.7))
w = matrix(seq(1, 20, 1), rows=20, cols=1)
y = X %*% w + rand(rows=3000, cols=1, min=-1, max=1, seed=8)
classes = 1 + (y > mean(y)) + (y > 1.2 * mean(y))
write(X, $OUT + "/X", format="binary")
write(y, $OUT + "/y", format="binary")
write(classes, $OUT + "/classes", format="binary")
"""


class SystemMl(Framework):
    name = "systemml"
    text = "its own scripts of linear regression and naive Bayes, each operation a MapReduce job"
    module = "systemml"

    def run(self, side):
        script = os.path.join(side.work, "data.dml")
        with open(script, "w", encoding="utf-8") as out:
            out.write(_DATA)
        out = side.out
        self._script(side, "data", script, f"OUT={out}/in")
        x, y = f"X={out}/in/X", f"Y={out}/in/y"
        self._own(side, "LinearRegCG", x, y, f"B={out}/betas", "maxi=2", "reg=0.01", "fmt=csv")
        self._own(side, "naive-bayes", x, f"Y={out}/in/classes", f"prior={out}/prior", f"conditionals={out}/conditionals",
                  f"accuracy={out}/accuracy", "fmt=csv")

    def _own(self, side, name, *arguments):
        """Runs a script that comes in SystemML's jar."""
        with zipfile.ZipFile(self._jar()) as jar:
            self._script(side, name, jar.extract(f"scripts/algorithms/{name}.dml", side.work), *arguments)

    def _script(self, side, label, script, *arguments):
        side.hadoop(
            label, "jar", self._jar(), _MAIN, "-exec", "hadoop", "-f", script, "-nvargs", *arguments,
            classpath=":".join(self.jars()),
        )

    def _jar(self):
        return self.jars("systemml-*.jar")[0]

    def results(self, side):
        return {
            name: sorted(side.merged(f"{side.out}/{name}"))
            for name in ("betas", "prior", "conditionals", "accuracy")
        }
