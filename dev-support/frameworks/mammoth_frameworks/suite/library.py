# SPDX-License-Identifier: Apache-2.0
"""Parts of the MapReduce library."""

import os

from .framework import Framework


class Library(Framework):
    name = "library"
    text = "one job each of the library's formats, mappers, chains, partitioners and samplers, and embedded databases"
    module = "library"
    kinds = (
        "multipleoutputs", "multipleinputs", "chain", "multithreaded", "combinefiles", "nline", "lazy", "keyvalue", "sequence",
        "mapfile", "regex",
    )
    #: What reads the output of another.
    second = {"filter": "sequence", "totalorder": "sequence", "astext": "sequence"}
    #: Databases in the memory of a task.
    databases = {"derby": "jdbc:derby:memory:sums;create=true", "h2": "jdbc:h2:mem:sums", "hsqldb": "jdbc:hsqldb:mem:sums"}

    def run(self, side):
        kinds = [*self.kinds, *(f"{kind}={first}" for kind, first in self.second.items())]
        side.hadoop(
            "kinds", "jar", self.jobs_jar(), "org.mammoth.frameworks.library.LibraryJob", "-Dmapreduce.job.reduces=2",
            side.input, side.out, *kinds,
        )
        self.rows = {}
        for database, memory in self.databases.items():
            # The client makes the table and serves it to the tasks.
            jars = sorted({*self.jars("h2*.jar"), *self.jars(f"{database}*.jar")})
            said = side.hadoop(
                database, "jar", self.jobs_jar(), "org.mammoth.frameworks.library.DatabaseJob", "-libjars", ",".join(jars),
                "-Dmapreduce.job.maps=2", side.work, database, memory, f"{side.out}/{database}", classpath=":".join(jars),
            )
            self.rows[database] = [line.encode() + b"\n" for line in said.splitlines() if line.startswith("ROW")]

    def results(self, side):
        found = {f"{name} rows": rows for name, rows in self.rows.items()}
        for kind in (*self.kinds, *self.second, *self.databases):
            if kind == "mapfile" or kind == "sequence":
                parts = "part-r-*/data" if kind == "mapfile" else "part-r-*"
                found[kind] = side.text(f"{side.out}/{kind}/{parts}", self.jobs_jar())
            else:
                found[kind] = side.lines(f"{side.out}/{kind}/part-*")
        for kind in ("multipleoutputs", "lazy"):
            found[f"{kind} by"] = side.lines(f"{side.out}/{kind}/by/*")
            found[f"{kind} long"] = side.text(f"{side.out}/{kind}/long-*", self.jobs_jar())
        # Of equal keys any order is right.
        found["keyvalue"] = sorted(found["keyvalue"])
        return found
