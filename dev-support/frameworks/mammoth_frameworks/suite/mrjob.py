# SPDX-License-Identifier: Apache-2.0
"""mrjob, as Python's users of Hadoop run their jobs: the examples that come with it."""

import os
import subprocess
import sys

from mammoth_bench import BenchError

from .framework import HERE, Framework, encoded, fetched_once

_PACKAGES = ("mrjob==0.7.4", "setuptools<81")
#: What an example needs besides the input; (module, options, input).
_EXAMPLES = {
    "frequencies": ("mr_word_freq_count", (), "words"),
    "most-used": ("mr_most_used_word", (), "words"),
    "next-words": ("mr_next_word_stats", (), "users"),
    "grep": ("mr_grep", ("-e", "ba"), "words"),
    "lines-by-file": ("mr_count_lines_by_file", (), "words"),
    "split-lines": ("mr_count_lines_wrong", (), "users"),
    "whole-files": ("mr_count_lines_right", (), "users"),
    "count": ("mr_wc", (), "users"),
    "classifier": ("mr_text_classifier", ("--min-df", "1"), "texts/text00?.txt"),
    "letters": ("mr_nick_nack", (), "words"),
    "jar-step": ("mr_jar_step_example", ("--use-main-class",), "words"),
    # One map: the first to fail has others killed, which say nothing then.
    "boom": ("mr_boom", ("-D", "mapreduce.job.maps=1"), "users"),
}


class MrJob(Framework):
    name = "mrjob"
    text = "Python's mrjob by its own examples: chains of streaming jobs, an output format by -libjars, a job that fails"
    #: "boom" does.
    may_fail = True

    def fetch(self, maven):
        target = self._packages()
        with fetched_once(target) as missing:
            if missing:
                self._install(target)

    @staticmethod
    def _install(target):
        command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--target", target, *_PACKAGES]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise BenchError(f"'{' '.join(command)}' failed:\n{done.stdout[-3000:]}")

    @staticmethod
    def _packages():
        return os.path.join(HERE, "target", "mrjob")

    def run(self, side):
        # mrjob reads of tasks that failed below a folder of this name.
        logs = os.path.join(side.work, "logs")
        os.makedirs(logs)
        os.symlink(side.container_logs, os.path.join(logs, "userlogs"))
        env = {"PYTHONPATH": self._packages(), "HOME": side.work}
        self.said = {label: self._example(side, label, logs, env) for label in _EXAMPLES}

    def _example(self, side, label, logs, env):
        module, options, source = _EXAMPLES[label]
        if label == "jar-step":
            options = (*options, "--examples-jar", side.jar("hadoop-mapreduce-examples-*.jar"))
        command = [
            sys.executable, "-m", f"mrjob.examples.{module}", "-r", "hadoop", "--no-conf", "--hadoop-log-dir", logs,
            "--hadoop-tmp-dir", f"{side.out}/tmp", "--output-dir", f"{side.out}/{label}", "--no-output",
            "-D", "mapreduce.map.maxattempts=1", "-D", "mapreduce.job.reduces=2", *options, f"hdfs://{side.input}/{source}",
        ]
        status, said = side.program(label, command, env)
        return [f"status {status}\n", *self._told(said)]

    @staticmethod
    def _told(said):
        """What mrjob tells of why a job failed; its log has names and times besides."""
        lines = iter(said.splitlines())
        for line in lines:
            if "Probable cause of failure" in line:
                return ["because\n", *(cause.strip() + "\n" for cause in lines if "BOOM" in cause or cause.startswith("Traceback"))]
        return []

    def results(self, side):
        found = encoded({f"{label} said": said for label, said in self.said.items()})
        for label in _EXAMPLES:
            if self.said[label][0] == "status 0\n":
                # The output format of these makes a folder for each letter.
                found[label] = side.lines(f"{side.out}/{label}/{'*/' if label == 'letters' else ''}part-*")
        return found
