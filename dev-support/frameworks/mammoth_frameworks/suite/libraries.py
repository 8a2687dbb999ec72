# SPDX-License-Identifier: Apache-2.0
"""Libraries of all kinds, in versions of the job's own."""

import os

from .framework import Framework

_MAIN = "org.mammoth.frameworks.libraries.LibrariesJob"

#: What they answer has hash codes in it (they fail on stock, too), or two class paths with other jars in another order.
_NOT_STEADY = ("ehcache", "infinispan")

#: Which native library a shared library finds, not what it computes with it, and which logger commons-logging comes to.
_HOW = ("lz4-native", "netty-epoll", "dbcp", "jexl")

#: commons-compress is a library that tasks share and looks for XZ's and Zstandard's classes, which only the job brings. An attempt that fails for it runs again in
#: a process; this job catches the error and goes on without, which docs/isolation.md names as a difference.
_CAUGHT = ("xz", "zstd")

#: They need a process, as the documents say, and the rest of their map would go there with them.
_PROCESS = ("compiler", "jna", "snappy-java", "snappy-framed", "weka")


class Libraries(Framework):
    name = "libraries"
    text = "some 130 libraries and calls of the JDK, each used for a moment, with and without mapreduce.job.classloader"
    module = "libraries"
    modes = {"shared": "false", "isolated": "true"}

    def run(self, side):
        own = self.jars()
        classpath = ":".join([self.jobs_jar(), *own])
        names = side.hadoop("names", _MAIN, "--names", classpath=classpath).split()
        left_out = {*_NOT_STEADY, *_HOW, *_CAUGHT, *_PROCESS}
        path = os.path.join(side.work, "names")
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(name + "\n" for name in names if name not in left_out and name.replace("-", "").isalnum())
        side.hadoop("put", "fs", "-put", path, f"{side.out}/names")
        for mode, isolated in self.modes.items():
            side.hadoop(
                mode, "jar", self.jobs_jar(), _MAIN, "-libjars", ",".join(own), f"-Dmapreduce.job.classloader={isolated}",
                "-Dmapreduce.input.lineinputformat.linespermap=50", f"{side.out}/names", f"{side.out}/{mode}", classpath=classpath,
            )

    def results(self, side):
        return {mode: [_told(line) for line in sorted(side.lines(f"{side.out}/{mode}/part-*"))] for mode in self.modes}


def _told(line):
    """Without the name that a class loader gives itself in its message."""
    return line.partition(b" (looked in ")[0].rstrip(b"\n;") + b"\n"
