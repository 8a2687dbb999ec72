# SPDX-License-Identifier: Apache-2.0
"""Programs in other languages of the JVM."""

import os

from .framework import Framework

_MAIN = "org.mammoth.frameworks.languages.LanguagesJob"


class Languages(Framework):
    name = "languages"
    text = "programs in Clojure, Scala, Groovy, Jython, JRuby, JavaScript and expression languages, which change what they find of their process"
    module = "languages"
    #: They need a process, as the documents say: two have the JDK link their calls (jdk.dynalink), two load native code, and
    #: all shells of a JVM have one thread.
    processes = ("jruby", "jshell", "jython", "nashorn", "rhino")
    #: The second job must find nothing of the first.
    jobs = ("first", "second", "processes")

    def run(self, side):
        own = self.jars()
        classpath = ":".join([self.jobs_jar(), *own])
        names = [name for name in side.hadoop("names", _MAIN, "--names", classpath=classpath).split() if name.replace("-", "").isalnum()]
        for job in self.jobs:
            path = os.path.join(side.work, job)
            with open(path, "w", encoding="utf-8") as out:
                out.writelines(name + "\n" for name in names if (name in self.processes) == (job == "processes"))
            side.hadoop(f"put-{job}", "fs", "-put", path, f"{side.out}/{job}-names")
            side.hadoop(
                job, "jar", self.jobs_jar(), _MAIN, "-libjars", ",".join(own), "-Dmapreduce.map.env=FRAMEWORKS_LANGUAGE=spoken",
                "-Dmapreduce.input.lineinputformat.linespermap=1", f"{side.out}/{job}-names", f"{side.out}/{job}",
            )

    def results(self, side):
        return {job: sorted(side.lines(f"{side.out}/{job}/part-*")) for job in self.jobs}
