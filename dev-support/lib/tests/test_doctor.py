# SPDX-License-Identifier: Apache-2.0
"""What bin/doctor says of a machine that lacks something, and of ports that are taken."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

DOCTOR = pathlib.Path(__file__).resolve().parents[2] / "bin/doctor"

#: What the doctor itself is made of.
TOOLS = ("bash", "dirname", "readlink", "sed", "sort", "head", "awk", "df", "hostname", "getent")


class DoctorTest(unittest.TestCase):
    def setUp(self):
        self.tools = pathlib.Path(tempfile.mkdtemp(prefix="doctor-test-"))
        self.addCleanup(shutil.rmtree, self.tools)
        for name in TOOLS:
            os.symlink(shutil.which(name), self.tools / name)

    def doctor(self):
        return subprocess.run([shutil.which("bash"), str(DOCTOR)], env={"PATH": str(self.tools)}, text=True, capture_output=True, timeout=60)

    def test_what_building_and_tests_need_is_missing(self):
        result = self.doctor()
        self.assertEqual(1, result.returncode)
        for name in ("node", "npm", "ps", "ip", "curl"):
            self.assertIn(f"missing  {name} (Debian: apt-get install", result.stdout)

    def test_what_is_there_is_said(self):
        for name in ("node", "npm"):
            (self.tools / name).write_text("#!/bin/sh\n")
            (self.tools / name).chmod(0o755)
        lines = self.doctor().stdout.splitlines()
        self.assertIn("ok       node", lines)
        self.assertIn("ok       npm", lines)


if __name__ == "__main__":
    unittest.main()
