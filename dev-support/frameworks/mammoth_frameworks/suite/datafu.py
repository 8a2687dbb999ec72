# SPDX-License-Identifier: Apache-2.0
"""Apache DataFu's functions for Pig."""

from .pig import Pig


class DataFu(Pig):
    name = "datafu"
    text = "two Pig scripts with DataFu's functions and macros: sessions, quantiles, sketches, hashes, sets"
    module = "datafu"
    scripts = {"sessions": ("sessions", "pages", "pairs"), "sets": ("latest", "keys", "common", "spread")}
    ordered = ()

    def jobs_jar(self):
        """DataFu's own jar, which a script registers."""
        return self.jars("datafu-pig-*.jar")[0]
