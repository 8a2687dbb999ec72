# SPDX-License-Identifier: Apache-2.0
"""The published tests of more libraries, each with the class path of its own build."""

import glob
import os

from .framework import HERE, fetched_once
from .suites import Suites

#: group:artifact:version of libraries that publish their tests.
_LIBRARIES = (
    "org.slf4j:slf4j-api:1.7.36",
    "org.apache.logging.log4j:log4j-api:2.17.2",
    "org.apache.commons:commons-dbcp2:2.12.0",
    "org.apache.commons:commons-email:1.6.0",
)
_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
#: What runs the tests comes with the suite, whatever the library's build has.
_RUNNERS = ("junit*", "opentest4j*", "apiguardian*", "hamcrest*")


class Published(Suites):
    name = "published"
    text = f"the published tests of {len(_LIBRARIES)} more libraries, each with the class path of its own build"

    def fetch(self, maven):
        """A library's own pom says what its tests need."""
        for library in _LIBRARIES:
            folder = self._folder(library)
            with fetched_once(folder) as missing:
                if missing:
                    self._fetch(maven, library, folder)

    @staticmethod
    def _fetch(maven, library, folder):
        lib = os.path.join(folder, "lib")
        for artifact, to in ((f"{library}:pom", folder), (library, lib), (f"{library}:jar:tests", lib)):
            maven(f"{_PLUGIN}:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={to}")
        pom = glob.glob(os.path.join(folder, "*.pom"))[0]
        maven("-f", pom, f"{_PLUGIN}:copy-dependencies", "-DincludeScope=test", f"-DoutputDirectory={lib}", "-Denforcer.skip")
        for pattern in _RUNNERS:
            for jar in glob.glob(os.path.join(lib, pattern)):
                os.remove(jar)

    @staticmethod
    def _folder(library):
        return os.path.join(HERE, "target", "published", library.split(":")[1])

    def run(self, side):
        for library in _LIBRARIES:
            own = glob.glob(os.path.join(self._folder(library), "lib", "*.jar"))
            tests = [jar for jar in own if jar.endswith("-tests.jar") and f"/{library.split(':')[1]}-" in jar]
            self.run_tests(side, self._out(side, library), sorted(own) + self.jars(*_RUNNERS), self.classes(tests))

    @staticmethod
    def _out(side, library):
        return f"{side.out}/{library.split(':')[1]}"

    def results(self, side):
        return {
            f"{library.split(':')[1]} {job}": sorted(side.lines(f"{self._out(side, library)}/{job}/part-*"))
            for library in _LIBRARIES for job in self.jobs
        }
