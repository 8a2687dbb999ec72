# SPDX-License-Identifier: Apache-2.0
"""Libraries of all kinds, in versions of the job's own."""

import os

from .framework import Framework

_MAIN = "org.mammoth.frameworks.libraries.LibrariesJob"

#: What they answer has hash codes in it (they fail on stock, too), or two class paths with other jars in another order.
_NOT_STEADY = ("ehcache", "infinispan")

#: Which native library a shared library finds, not what it computes with it, and which logger commons-logging comes to.
_HOW = ("lz4-native", "netty-epoll", "dbcp", "jexl")

#: They need a process, as the documents say, and the rest of their map would go there with them. The last two find their classes, which only the
#: job brings, by commons-compress, which tasks share.
_PROCESS = ("compiler", "jna", "snappy-java", "snappy-framed", "weka", "xz", "zstd")


class Libraries(Framework):
    name = "libraries"
    text = "some 130 libraries and calls of the JDK, each used for a moment, with and without mapreduce.job.classloader, and those that need a process"
    module = "libraries"
    #: Of a run: whether the job has a class loader of its own, how many probes each map has, whether it is those that need a process.
    modes = {"shared": ("false", 50, False), "isolated": ("true", 50, False), "processes": ("false", 1, True)}

    def run(self, side):
        own = self.jars()
        classpath = ":".join([self.jobs_jar(), *own])
        left_out = {*_NOT_STEADY, *_HOW}
        names = [
            name for name in side.hadoop("names", _MAIN, "--names", classpath=classpath).split()
            if name not in left_out and name.replace("-", "").isalnum()
        ]
        for mode, (isolated, per_map, in_process) in self.modes.items():
            path = os.path.join(side.work, mode)
            with open(path, "w", encoding="utf-8") as out:
                out.writelines(name + "\n" for name in names if (name in _PROCESS) == in_process)
            side.hadoop(f"put-{mode}", "fs", "-put", path, f"{side.out}/{mode}-names")
            side.hadoop(
                mode, "jar", self.jobs_jar(), _MAIN, "-libjars", ",".join(own), f"-Dmapreduce.job.classloader={isolated}",
                f"-Dmapreduce.input.lineinputformat.linespermap={per_map}", f"{side.out}/{mode}-names", f"{side.out}/{mode}",
                classpath=classpath,
            )

    def results(self, side):
        return {mode: [_told(line) for line in sorted(side.lines(f"{side.out}/{mode}/part-*"))] for mode in self.modes}


def _told(line):
    """Without the name that a class loader gives itself in its message."""
    return line.partition(b" (looked in ")[0].rstrip(b"\n;") + b"\n"
