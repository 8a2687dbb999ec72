# SPDX-License-Identifier: Apache-2.0
"""Commands that run Maven give it a JDK that is new enough, whatever JAVA_HOME names."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BIN = pathlib.Path(__file__).resolve().parents[2] / "bin"

#: What the commands are made of.
TOOLS = ("bash", "dirname", "readlink", "sed", "date", "cat")

COMMANDS = (
    ("census",),
    ("differential", "--jobs", "1", "--seed", "1"),
    ("soak", "tls"),
    ("idle-reads",),
    ("neighbours",),
)


class NeedJdkTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="need-jdk-test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        tools = self.folder / "tools"
        tools.mkdir()
        for name in TOOLS:
            os.symlink(shutil.which(name), tools / name)
        self.old = self.jdk("11.0.20")
        self.new = self.jdk("17.0.8")
        os.symlink(self.new / "bin/javac", tools / "javac")
        # What a run of the same command in this tree has written stays.
        self.script(tools / "rm", "")
        self.script(tools / "mvn", 'echo "built with ${JAVA_HOME}"')
        self.tools = tools

    def jdk(self, version):
        home = self.folder / f"jdk-{version}"
        (home / "bin").mkdir(parents=True)
        self.script(home / "bin/javac", f"echo javac {version}")
        return home

    @staticmethod
    def script(path, text):
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def test_an_old_one_is_passed_over(self):
        for command in COMMANDS:
            with self.subTest(command[0]):
                result = subprocess.run(
                    [shutil.which("bash"), str(BIN / command[0]), *command[1:]],
                    env={"PATH": str(self.tools), "JAVA_HOME": str(self.old)},
                    text=True,
                    capture_output=True,
                    timeout=60,
                )
                self.assertIn(f"built with {self.new}", result.stdout, result.stderr)


if __name__ == "__main__":
    unittest.main()
