# SPDX-License-Identifier: Apache-2.0
"""The release under test: one tarball, unpacked once into the data directory."""

import glob
import os
import shutil
import tarfile

from . import BenchError


def find_tarball(root):
    """The newest tarball that the build has left."""
    found = glob.glob(os.path.join(root, "hadoop-dist", "target", "mammoth-[0-9]*.tar.gz"))
    if not found:
        raise BenchError(
            "hadoop-dist/target holds no mammoth-*.tar.gz; build it (mvn -DskipTests package) "
            "or name one with --tarball"
        )
    return max(found, key=os.path.getmtime)


def unpack(tarball, directory):
    """Unpacks unless the very same file is unpacked already; returns the release's home."""
    if not os.path.isfile(tarball):
        raise BenchError(f"there is no tarball {tarball}")
    status = os.stat(tarball)
    stamp = f"{os.path.basename(tarball)} {status.st_size} {status.st_mtime_ns}"
    stamp_file = os.path.join(directory, "stamp")
    if _read(stamp_file) != stamp:
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)
        with tarfile.open(tarball) as archive:
            # Python before 3.12 unpacks everything as it stands, and may not know the argument.
            archive.extractall(directory, **({"filter": "tar"} if hasattr(tarfile, "tar_filter") else {}))
        with open(stamp_file, "w", encoding="utf-8") as out:
            out.write(stamp)
    return home(directory)


def _read(path):
    try:
        with open(path, encoding="utf-8") as source:
            return source.read()
    except FileNotFoundError:
        return None


def home(directory):
    """The one folder in an unpacked tarball."""
    inside = [name for name in os.listdir(directory) if name != "stamp"]
    if len(inside) != 1:
        raise BenchError(f"{directory} should hold the release's one folder, but holds {inside}")
    return os.path.join(directory, inside[0])


class Release:
    """Paths in an unpacked release."""

    def __init__(self, home_dir, root):
        self.home = home_dir
        self.examples = self._jar(
            [os.path.join(home_dir, "share/hadoop/mapreduce/hadoop-mapreduce-examples-*.jar")],
            "the examples",
        )
        self.workloads = self._jar(
            [
                os.path.join(home_dir, "share/hadoop/mammoth/mammoth-workloads-*.jar"),
                os.path.join(home_dir, "share/hadoop/mammoth/*/mammoth-workloads-*.jar"),
                os.path.join(root, "dev-support/workloads/target/mammoth-workloads-*.jar"),
            ],
            "the workloads (mvn -DskipTests -pl dev-support/workloads package)",
        )

    @staticmethod
    def _jar(patterns, what):
        for pattern in patterns:
            found = [p for p in glob.glob(pattern) if not p.endswith(("-sources.jar", "-tests.jar"))]
            if found:
                return max(found)
        raise BenchError(f"no jar of {what}; looked for " + " and ".join(patterns))

    def command(self, program):
        return os.path.join(self.home, "bin", program)
