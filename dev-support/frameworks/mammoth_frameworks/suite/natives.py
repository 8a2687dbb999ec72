# SPDX-License-Identifier: Apache-2.0
"""Libraries with native code, which a job's jars unpack and load."""

from .framework import Framework


class Natives(Framework):
    name = "natives"
    text = "word counts kept by zstd-jni, RocksDB, SQLite, LevelDB and by the C library through JNA, each twice"
    module = "natives"
    #: The jars that a job of each brings. LevelDB and JNA are Hadoop's own; what a node knows of a job's need of a process goes by its jars.
    libraries = {"zstd": "zstd-jni-*.jar", "rocksdb": "rocksdbjni-*.jar", "sqlite": "sqlite-jdbc-*.jar", "leveldb": None, "jna": None}
    rounds = (1, 2)

    def run(self, side):
        for library, jars in self.libraries.items():
            own = ("-libjars", ",".join(self.jars(jars))) if jars else ()
            for number in self.rounds:
                side.hadoop(
                    f"{library}{number}", "jar", self.jobs_jar(), "org.mammoth.frameworks.natives.NativeWords",
                    *own, library, f"{side.input}/words", f"{side.out}/{library}{number}",
                )

    def results(self, side):
        return {
            f"{library}{number}": side.lines(f"{side.out}/{library}{number}/part-*")
            for library in self.libraries for number in self.rounds
        }
