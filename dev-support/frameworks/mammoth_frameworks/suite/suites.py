# SPDX-License-Identifier: Apache-2.0
"""The tests that libraries publish, run by maps: programs nobody here has chosen."""

import os
import re
import zipfile

from .framework import Framework

_MAIN = "org.mammoth.frameworks.suites.SuitesJob"
_TEST = re.compile(r"(?:[\w/]+/)?(?:\w+Tests?|\w+TestCase|Test[A-Z]\w*)\.class")
_ABSTRACT = re.compile(r"/Abstract\w*\.class")
#: Engines open these packages by themselves, and tests look into the JDK's objects.
_OPENED = ("java.io", "java.lang", "java.lang.reflect", "java.net", "java.nio", "java.text", "java.time", "java.util", "java.util.concurrent")
_JAVA_OPTS = " ".join(["-Xmx1200m", *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED)])


class Suites(Framework):
    name = "suites"
    text = "the published tests of commons-io, -lang3, -text, -csv and -exec, thousands of them, twice"
    module = "suites"
    #: The second job must find nothing of the first.
    jobs = ("first", "second")
    #: Options of the jobs.
    options = ("-Dmapreduce.job.classloader=true",)
    #: Classes to a map: a process of stock's takes longer to start than most take to run.
    together = 15
    #: Classes whose tests go by the clock, by what else the machine does or by how much heap is left: two runs of stock differ.
    restless = (
        "org.apache.commons.lang3.concurrent.BasicThreadFactoryTest",
        "org.apache.commons.lang3.text.ExtendedMessageFormatTest",
        "org.apache.commons.lang3.time.FastDateParserTest",
        "org.apache.commons.lang3.time.StopWatchTest",
        "org.apache.commons.text.TextStringBuilderTest",
    )

    def run(self, side):
        self.run_tests(side, side.out, self.jars(), self.classes(self.jars("*-tests.jar")))

    def run_tests(self, side, out, jars, classes):
        """Runs tests in one job after another, a few classes in each map."""
        path = os.path.join(side.work, "classes")
        with open(path, "w", encoding="utf-8") as lines:
            lines.writelines(name + "\n" for name in classes)
        side.hadoop("mkdir", "fs", "-mkdir", "-p", out)
        side.hadoop("put", "fs", "-put", path, f"{out}/classes")
        for job in self.jobs:
            side.hadoop(
                f"{os.path.basename(out)}-{job}", "jar", self.jobs_jar(), _MAIN, "-libjars", ",".join(jars), *self.options,
                "-Dmapreduce.map.memory.mb=1536", f"-Dmapreduce.map.java.opts={_JAVA_OPTS}",
                f"-Dmapreduce.input.lineinputformat.linespermap={self.together}", f"{out}/classes", f"{out}/{job}",
            )

    def classes(self, jars):
        """Names of the classes with tests in jars, but for restless ones."""
        found = set()
        for jar in jars:
            with zipfile.ZipFile(jar) as entries:
                found.update(name for name in entries.namelist() if _TEST.fullmatch(name) and not _ABSTRACT.search(name))
        names = (name.removesuffix(".class").replace("/", ".") for name in found)
        return sorted(name for name in names if name not in self.restless)

    def results(self, side):
        return {job: sorted(side.lines(f"{side.out}/{job}/part-*")) for job in self.jobs}
