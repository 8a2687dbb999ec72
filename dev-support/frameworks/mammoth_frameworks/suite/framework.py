# SPDX-License-Identifier: Apache-2.0
"""What a framework is to the suite."""

import glob
import os
import shutil
from contextlib import contextmanager

from mammoth_bench import BenchError

HERE = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))


def encoded(results):
    """Lists of strings by name as results() returns them."""
    return {name: [line.encode() for line in lines] for name, lines in results.items()}


@contextmanager
def fetched_once(folder):
    """Whether the folder must be filled: it is anew until this has once been left without an error."""
    complete = os.path.join(folder, "complete")
    missing = not os.path.exists(complete)
    if missing:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    yield missing
    if missing:
        with open(complete, "w", encoding="ascii"):
            pass


class Framework:
    """A chain of jobs and what it leaves. Subclasses say both."""

    name = ""
    text = ""
    #: The Maven module that brings its jars; None where the release has all.
    module = None
    #: Properties of Mammoth's side that its jobs are about.
    settings = {}
    #: Whether jobs may fail, as the exit statuses are among the results.
    may_fail = False

    def fetch(self, maven):
        """Fetches what its module does not; maven(*arguments) runs Maven."""

    def shared(self):
        """Jars that the release's own class path must have before its daemons start, as an administrator would add them."""
        return []

    def run(self, side):
        """Runs the chain; the time counts."""
        raise NotImplementedError

    def results(self, side):
        """Lists of lines, as bytes, by name, equal on both sides if all is well."""
        raise NotImplementedError

    def jobs_jar(self):
        """Our own part: jobs and functions."""
        return os.path.join(HERE, self.module, "target", "jobs.jar")

    def jars(self, *patterns):
        """The framework's own jars, or those that match one of the patterns."""
        folder = os.path.join(HERE, self.module, "target", "lib")
        found = sorted({jar for pattern in patterns or ("*.jar",) for jar in glob.glob(os.path.join(folder, pattern))})
        if not found:
            raise BenchError(f"no jar of {self.name} in {folder}; run the suite without --no-build")
        return found
