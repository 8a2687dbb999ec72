# SPDX-License-Identifier: Apache-2.0
"""The tests of more of Hadoop's modules, as jars that an administrator has tasks share."""

import glob
import os
import zipfile

from .common import Common
from .framework import HERE, fetched_once

_MODULES = ("auth", "hdfs-client", "mapreduce-client-core", "mapreduce-client-app", "registry", "yarn-api", "yarn-common")
_VERSION = "3.4.2"
#: What they need besides: the registry's have a ZooKeeper of their own.
_LIBRARIES = ("org.apache.curator:curator-test:5.2.0",)
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
_FOLDER = os.path.join(HERE, "target", "modules")


class Modules(Common):
    name = "modules"
    text = f"the tests of {len(_MODULES)} more of Hadoop's modules, run by maps like those of Hadoop Common"
    #: Some look for the mini cluster of HDFS's own tests.
    settings = {"mammoth.engine.shared-jars": "hadoop-*-tests.jar,frameworks-*.jar"}
    #: Some close the file system of the task that runs them.
    together = 1
    #: The first goes by the clock. The other's folder is that of who initialises the class, the engine, and it counts what lies above it.
    restless = (
        "org.apache.hadoop.mapred.TestJobEndNotifier",
        "org.apache.hadoop.mapreduce.filecache.TestClientDistributedCacheManager",
    )
    def fetch(self, maven):
        with fetched_once(_FOLDER) as missing:
            if missing:
                for artifact in (*(f"org.apache.hadoop:hadoop-{module}:{_VERSION}:jar:tests" for module in _MODULES), *_LIBRARIES):
                    maven(_COPY, f"-Dartifact={artifact}", f"-DoutputDirectory={_FOLDER}")

    def shared(self):
        return [*super().shared(), *glob.glob(os.path.join(_FOLDER, "*.jar"))]

    def classes(self, jars):
        """Names of the classes with tests, but for those that mock: Mockito in a shared loader needs a process."""
        names = []
        for jar in jars:
            with zipfile.ZipFile(jar) as entries:
                for name in super().classes([jar]):
                    path = name.replace(".", "/")
                    parts = [each for each in entries.namelist() if each == f"{path}.class" or each.startswith(f"{path}$")]
                    texts = [entries.read(part) for part in parts]
                    if any(b"org/junit" in text for text in texts) and not any(b"org/mockito" in text for text in texts):
                        names.append(name)
        return sorted(names)

    def tests(self, side):
        return glob.glob(os.path.join(_FOLDER, "*-tests.jar"))
