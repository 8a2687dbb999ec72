# SPDX-License-Identifier: Apache-2.0
"""The quick start with a Maven that packs a release of a few scripts: what it removes, keeps and refuses."""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]

# Says how it was called and with which environment; what the real ones answer to "classpath".
COMMAND = """#!/usr/bin/env bash
here=$(cd "$(dirname "$0")/.." && pwd -P)
printf '%s %s\\n' "${0##*/}" "$*" >>"$CALLS"
env >>"$CALLS.env"
[[ $1 != classpath ]] || echo "${YARN_CONF_DIR:-${RC_CONF_DIR:-$here/etc/hadoop}}:more"
[[ $1 != --daemon ]] || [[ $2 == stop ]]
"""

# Maven packs what is in "made" of the checkout, or fails after it has written half of the archive.
MAVEN = """#!/usr/bin/env bash
cd "$CHECKOUT" && mkdir -p hadoop-dist/target
echo mvn >>"$CALLS"
[[ ! -e broken ]] || { echo half >hadoop-dist/target/mammoth-0.1.0.tar.gz; exit 1; }
tar -czf hadoop-dist/target/mammoth-0.1.0.tar.gz -C made mammoth-0.1.0
"""


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


class QuickstartTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="quickstart-test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.checkout = self.folder / "checkout"
        self.data = self.folder / "data"
        for name in ("bin/quickstart", "lib/prerequisites.sh", "lib/quickstart-ports.sh"):
            target = self.checkout / "dev-support" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / "dev-support" / name, target)
        write(self.checkout / "pom.xml", "<project/>")
        release = self.checkout / "made" / "mammoth-0.1.0"
        for name in ("hadoop", "hdfs", "yarn", "mapred", "mammoth"):
            write(release / "bin" / name, COMMAND, 0o755)
        for name in ("core", "hdfs", "yarn", "mapred"):
            write(release / "etc/hadoop" / f"{name}-site.xml", "<configuration>\n</configuration>\n")
        tools = self.folder / "tools"
        write(tools / "mvn", MAVEN, 0o755)
        write(tools / "javac", "#!/bin/sh\necho javac 17.0.1\n", 0o755)
        for name in ("node", "npm"):
            write(tools / name, "#!/bin/sh\n", 0o755)
        write(self.folder / "jdk/bin/javac", "#!/bin/sh\necho javac 17.0.1\n", 0o755)
        self.calls = self.folder / "calls"
        self.environment = {
            "PATH": f"{tools}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.folder),
            "JAVA_HOME": str(self.folder / "jdk"),
            "CHECKOUT": str(self.checkout),
            "CALLS": str(self.calls),
        }
        subprocess.run(["git", "init", "-q", str(self.checkout)], check=True)
        write(self.checkout / ".gitignore", "hadoop-dist/target/\nmade/\nbroken\n")

    def quickstart(self, *words, data=None, **environment):
        command = [str(self.checkout / "dev-support/bin/quickstart"), "--dir", str(data or self.data), *words]
        return subprocess.run(command, env=self.environment | environment, text=True, capture_output=True, timeout=120)

    def unpacked(self, **environment):
        result = self.quickstart("--unpack", **environment)
        self.assertEqual(0, result.returncode, result.stdout + result.stderr)
        return result

    def called(self):
        return self.calls.read_text().splitlines() if self.calls.exists() else []

    def newer_source(self):
        """A source that is younger than the archive, and older than whatever is built from now on."""
        now = time.time()
        archive = self.checkout / "hadoop-dist/target/mammoth-0.1.0.tar.gz"
        os.utime(archive, (now - 100, now - 100))
        for complete in self.data.glob("mammoth-*/.complete"):
            os.utime(complete, (now - 90, now - 90))
        os.utime(self.checkout / "pom.xml", (now - 50, now - 50))

    def test_a_release_that_was_installed_by_hand_stays(self):
        blocks = self.data / "mammoth-0.1.0/var/hdfs/data/block"
        write(blocks, "precious")
        for words in (["--unpack"], ["--stop"]):
            result = self.quickstart(*words)
            self.assertEqual(1, result.returncode, words)
            self.assertIn("not of a quick start", result.stderr)
        self.assertEqual("precious", blocks.read_text())
        self.assertEqual([], self.called())

    def test_nor_does_it_go_when_it_came_later(self):
        self.unpacked()
        others = self.data / "mammoth-0.0.9/var/hdfs/data/block"
        write(others, "precious")
        self.newer_source()
        self.unpacked()
        self.assertEqual("precious", others.read_text())
        shutil.rmtree(self.data / "mammoth-0.1.0")
        write(self.data / "mammoth-0.1.0/var/hdfs/data/block", "precious")
        result = self.quickstart("--unpack")
        self.assertEqual(1, result.returncode)
        self.assertIn("was not unpacked by quickstart", result.stderr)
        self.assertEqual("precious", (self.data / "mammoth-0.1.0/var/hdfs/data/block").read_text())

    def test_what_was_changed_in_the_configuration_is_kept(self):
        self.unpacked()
        site = self.data / "mammoth-0.1.0/etc/hadoop/core-site.xml"
        site.write_text(site.read_text() + "<!-- mine -->\n")
        self.newer_source()
        self.assertIn("is kept in", self.unpacked().stdout)
        kept = list(self.data.glob("etc-*/hadoop/core-site.xml"))
        self.assertEqual(1, len(kept))
        self.assertIn("mine", kept[0].read_text())
        self.assertNotIn("mine", site.read_text())
        self.newer_source()
        self.assertNotIn("is kept in", self.unpacked().stdout)

    def test_it_builds_once(self):
        self.unpacked()
        self.unpacked()
        self.assertEqual(1, self.called().count("mvn"))
        self.newer_source()
        self.unpacked()
        self.assertEqual(2, self.called().count("mvn"))

    def test_a_build_that_was_cut_off_is_built_again_and_costs_no_release(self):
        self.unpacked()
        self.newer_source()
        (self.checkout / "broken").touch()
        self.assertEqual(1, self.quickstart("--unpack").returncode)
        self.assertTrue((self.data / "mammoth-0.1.0/bin/hdfs").exists())
        (self.checkout / "broken").unlink()
        self.unpacked()

    def test_an_archive_that_cannot_be_unpacked_costs_no_release(self):
        self.unpacked()
        archive = self.checkout / "hadoop-dist/target/mammoth-0.1.0.tar.gz"
        later = archive.stat().st_mtime + 100
        archive.write_text("half")
        os.utime(archive, (later, later))
        self.assertEqual(1, self.quickstart("--unpack").returncode)
        self.assertTrue((self.data / "mammoth-0.1.0/bin/hdfs").exists())

    def test_where_git_tells_nothing_it_does_not_go_on(self):
        shutil.rmtree(self.checkout / ".git")
        result = self.quickstart("--unpack", GIT_CEILING_DIRECTORIES=str(self.folder))
        self.assertEqual(1, result.returncode)
        self.assertIn("git does not tell", result.stderr)

    def test_no_variable_leads_to_another_cluster(self):
        foreign = {
            name: "/etc/elsewhere"
            for name in ("YARN_CONF_DIR", "HADOOP_PREFIX", "HADOOP_CONF_DIR", "HADOOP_CLASSPATH", "HADOOP_TOOLS_HOME", "MAMMOTH_HOME", "YARN_LOG_DIR", "HDFS_DIR", "MAPRED_DIR")
        }
        self.unpacked(**foreign)
        seen = pathlib.Path(f"{self.calls}.env").read_text()
        self.assertNotIn("/etc/elsewhere", seen)

    def test_nothing_starts_with_another_configuration(self):
        # As a .hadooprc may have it.
        result = self.quickstart(RC_CONF_DIR="/etc/elsewhere")
        self.assertEqual(1, result.returncode)
        self.assertIn("would use the configuration in /etc/elsewhere", result.stderr)
        self.assertEqual([], [call for call in self.called() if "--daemon" in call])

    def test_a_port_that_was_moved_is_looked_at_where_it_is(self):
        self.unpacked()
        text = self.folder / "text"
        text.write_text("words\n")
        with socket.create_server(("127.0.0.1", 0)) as taken:
            number = taken.getsockname()[1]
            site = self.data / "mammoth-0.1.0/etc/hadoop/core-site.xml"
            for value in (f"hdfs://localhost:{number}", f"\n  hdfs://localhost:{number}/ "):
                site.write_text(f"<configuration><property>\n<name>fs.defaultFS</name>\n<value>{value}</value></property></configuration>\n")
                result = self.quickstart(str(text))
                self.assertEqual(1, result.returncode)
                self.assertIn(f"port {number}, which the namenode needs, is taken", result.stderr)
                self.assertIn("move the port with fs.defaultFS", result.stderr)

    def test_stop_makes_nothing(self):
        result = self.quickstart("--stop")
        self.assertEqual(0, result.returncode)
        self.assertIn("Nothing was started", result.stdout)
        self.assertFalse(self.data.exists())
        self.data.mkdir()
        self.assertIn("Nothing was started", self.quickstart("--stop").stdout)

    def test_stop_stops_each_daemon(self):
        self.unpacked()
        self.calls.unlink()
        self.assertEqual(0, self.quickstart("--stop").returncode)
        self.assertEqual(6, len([call for call in self.called() if "--daemon stop" in call]))


if __name__ == "__main__":
    unittest.main()
