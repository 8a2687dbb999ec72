# SPDX-License-Identifier: Apache-2.0
"""The tests of Hadoop Common itself, as jars that an administrator has tasks share."""

import glob
import os
import re

from .suites import Suites

#: What an engine cannot confine and leaves to processes, with all that is left of the job: providers of security, signals, Kerberos.
_PROCESSES = re.compile(r"\.crypto\.|\.service\.launcher\.|TestSecurityUtil|Kerberos|Krb|KDiag|TestSSLHttpServer|TestSignalLogger|security\.authentication")


class Common(Suites):
    name = "common"
    text = "the tests of Hadoop Common, run by maps: what Hadoop's makers do to the classes that tasks share"
    options = ("-Dmapreduce.map.maxattempts=1", "-Dmapreduce.map.failures.maxpercent=100")
    together = 3
    jobs = ("first",)
    restless = ()
    #: Classes of the tests use what only their package may use, which in an engine only shared classes can.
    settings = {"mammoth.engine.shared-jars": "hadoop-common-*-tests.jar,frameworks-*.jar"}

    def shared(self):
        """What the tests need is shared as they are; but Mockito in a shared loader needs a process."""
        return self.jars("junit*", "opentest4j*", "apiguardian*", "hamcrest*", "assertj*")

    def tests(self, side):
        """The jars with the tests."""
        return glob.glob(os.path.join(side.home, "share", "hadoop", "common", "hadoop-common-*-tests.jar"))

    def run(self, side):
        names = [name for name in self.classes(self.tests(side)) if not _PROCESSES.search(name)]
        self.run_tests(side, side.out, self.jars("xz*"), names)
