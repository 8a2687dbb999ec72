# SPDX-License-Identifier: Apache-2.0
"""What users see of jobs: the commands, the REST interfaces and the folders of logs."""

import glob
import os
import re
import time

from mammoth_bench import BenchError

from .framework import Framework, encoded

_WAIT_SECONDS = 120
_ID = re.compile(r"\b(job|application|appattempt|attempt|task|container)(_e\d+)?_\d+[0-9a-z_]*")
_NUMBER = re.compile(r"-?\d+(\.\d+)?(E-?\d+)?")
#: Values that two runs of the same job on stock differ in, and what the ResourceManager has not yet put away when it is asked.
_VOLATILE = re.compile(
    r"(?i)time|started|elapsed|memory|seconds|progress|address|url|host|logs|id$|ids$|container|cluster|ports|acls|allocated|reserved|percentage|runningreduce"
)
_LEFT_OUT = re.compile(r"\.resourceInfo\.|resourceSecondsMap")
#: Counters that depend on times and places, and those that compatibility.md names.
_VOLATILE_COUNTER = re.compile(
    r"(?i)millis|_ms$|bytes|time|memory|heap|spilled|combine|reduce_input_records|shuffled|files|merged|operations|ops$|data_local|rack_local"
    r"|other_local|killed_reduces|launched_reduces"
)
#: Lines of log4j's, of a stack below where engines differ from YarnChild, and of counters in tables of the commands, which the interfaces show, too.
_NO_ANSWER = re.compile(r"\b(INFO|WARN|DEBUG)\b|^SLF4J|^log4j|^\s+at |^\||=-?\d+$|^\s*(Mammoth shuffle|Job Counters|Shuffle Errors)$")
#: Commands about a job that has ended, where {job}, {app}, {attempt} stand for its names.
_COMMANDS = (
    ("mapred", "job", "-status", "{job}"),
    ("mapred", "job", "-history", "{job}"),
    ("mapred", "job", "-history", "all", "{job}"),
    ("mapred", "job", "-counter", "{job}", "org.apache.hadoop.mapreduce.TaskCounter", "MAP_OUTPUT_RECORDS"),
    ("mapred", "job", "-events", "{job}", "0", "100"),
    ("mapred", "job", "-list-attempt-ids", "{job}", "MAP", "completed"),
    ("mapred", "job", "-list-attempt-ids", "{job}", "REDUCE", "completed"),
    ("mapred", "job", "-kill-task", "{attempt}"),
    ("mapred", "job", "-kill", "{job}"),
    ("mapred", "job", "-set-priority", "{job}", "HIGH"),
    ("yarn", "application", "-status", "{app}"),
    ("yarn", "applicationattempt", "-list", "{app}"),
    ("yarn", "application", "-kill", "{app}"),
)


class Views(Framework):
    name = "views"
    text = "jobs that succeed, fail, are killed and whose attempts are; then what the commands, the REST interfaces and the logs' folders tell of them"
    may_fail = True

    def run(self, side):
        self.seen = {}
        self.examples = side.jar("hadoop-mapreduce-examples-*.jar")
        self.tests = side.jar("hadoop-mapreduce-client-jobclient-*-tests.jar")
        self._ended(side, "good", self.examples, "terasort", "-D", "mapreduce.job.reduces=2", self._rows(side), f"{side.out}/sorted")
        self._ended(side, "bad", self.tests, "fail", "-D", "mapreduce.map.maxattempts=2", "-failMappers")
        self._watched(side, "attempts", self._end_attempts)
        self._watched(side, "killed", self._kill)

    def _rows(self, side):
        side.hadoop("rows", "jar", self.examples, "teragen", "-D", "mapreduce.job.maps=2", 5_000, f"{side.out}/rows")
        return f"{side.out}/rows"

    def _ended(self, side, label, *arguments):
        known = set(side.running())
        status = side.status(label, "jar", *arguments)
        self._look(side, label, _one(set(side.running()) - known), [f"status {status}\n"])

    def _watched(self, side, label, act):
        """A job whose ApplicationMaster is asked while its maps run, and to which something is done then."""
        known = set(side.running())
        client = side.begin(label, "jar", self.tests, "sleep", "-m", 2, "-r", 1, "-mt", 12_000, "-rt", 1_000)
        job = self._await(lambda: _one(set(side.running()) - known))
        path = f"/proxy/{_app(job)}/ws/v1/mapreduce"
        self._await(lambda: self._running(side, f"{path}/jobs/{job}"))
        told = _walk(side, "resourcemanager", path + "/info", path, job)
        # How far its tasks' counters have come is a matter of time.
        self.seen[f"{label} master"] = [line for line in told if "ounter" not in line]
        act(side, label, job)
        self._look(side, label, job, [f"status {client.wait()}\n"])

    @staticmethod
    def _running(side, path):
        tasks = side.web("resourcemanager", path + "/tasks")["tasks"]["task"]
        return all(task["state"] == "RUNNING" for task in tasks if task["type"] == "MAP")

    def _end_attempts(self, side, label, job):
        attempt = job.replace("job_", "attempt_")
        self._tell(side, label, "list", "mapred", "job", "-list-attempt-ids", job, "MAP", "running")
        self._tell(side, label, "fail-task", "mapred", "job", "-fail-task", f"{attempt}_m_000000_0")
        self._tell(side, label, "kill-task", "mapred", "job", "-kill-task", f"{attempt}_m_000001_0")
        self._tell(side, label, "kill-nothing", "mapred", "job", "-kill-task", f"{attempt}_m_000007_0")

    def _kill(self, side, label, job):
        self._tell(side, label, "kill", "mapred", "job", "-kill", job)

    def _look(self, side, label, job, status):
        self.seen[f"{label} outcome"] = status
        path = "/ws/v1/history/mapreduce"
        self._await(lambda: side.web("history", f"{path}/jobs/{job}"))
        self.seen[f"{label} history"] = _walk(side, "history", "/ws/v1/history/info", path, job)
        self.seen[f"{label} application"] = _flat("", side.web("resourcemanager", f"/ws/v1/cluster/apps/{_app(job)}"))
        names = {"job": job, "app": _app(job), "attempt": job.replace("job_", "attempt_") + "_m_000000_0"}
        for number, command in enumerate(_COMMANDS):
            self._tell(side, label, f"command{number:02}", *(part.format(**names) for part in command))
        self.seen[f"{label} logs"] = self._logs(side, _app(job))

    def _tell(self, side, label, what, program, *arguments):
        status, said = side.told(f"{label}-{what}", *arguments, program=program)
        lines = [line for line in said.splitlines() if line.strip() and not _NO_ANSWER.search(line)]
        self.seen[f"{label} {what}"] = [f"{program} {_plain(' '.join(arguments))}: {status}\n", *(_plain(line) + "\n" for line in lines)]

    @staticmethod
    def _logs(side, app):
        """Names of files, container by container, without the order of the containers."""
        found = []
        for folder in glob.glob(os.path.join(side.container_logs, app, "container_*")):
            # A process that is killed complains of its log, or does not; a reduce that waits for nothing tells nothing of its shuffle.
            chance = ("stderr", "syslog.shuffle")
            names = sorted(os.listdir(folder))
            empty = [name for name in names if name not in chance and not os.path.getsize(os.path.join(folder, name))]
            found.append(f"{' '.join(names)}; empty: {' '.join(empty)}\n")
        return sorted(found)

    @staticmethod
    def _await(found):
        deadline = time.monotonic() + _WAIT_SECONDS
        while time.monotonic() < deadline:
            try:
                answer = found()
            except (OSError, KeyError, TypeError, ValueError):
                answer = None  # not there yet
            if answer:
                return answer
            time.sleep(0.3)
        raise BenchError(f"waited {_WAIT_SECONDS} s for a job to run or to end")

    def results(self, side):
        # Attempts and tasks come in any order.
        return encoded({name: sorted(lines) for name, lines in self.seen.items()})


def _app(job):
    return job.replace("job_", "application_")


def _one(names):
    return next(iter(names), None)


def _names_out(text):
    return _ID.sub(r"\1_*", text)


def _plain(text):
    return _NUMBER.sub("#", _names_out(text)).strip()


def _walk(side, daemon, info, path, job):
    """What an interface says of a job, its tasks and their attempts."""
    base = f"{path}/jobs/{job}"
    lines = _flat("info", side.web(daemon, info)) + _flat("job", side.web(daemon, base)) + _flat("jobattempts", side.web(daemon, base + "/jobattempts"))
    lines += _flat("counters", side.web(daemon, base + "/counters"))
    for task in side.web(daemon, base + "/tasks")["tasks"]["task"]:
        at = f"{base}/tasks/{task['id']}"
        lines += _flat("task", task) + _flat("task", side.web(daemon, at)) + _flat("taskcounters", side.web(daemon, at + "/counters"))
        for attempt in side.web(daemon, at + "/attempts")["taskAttempts"].get("taskAttempt", ()):
            one = f"{at}/attempts/{attempt['id']}"
            lines += _flat("attempt", side.web(daemon, one)) + _flat("attemptcounters", side.web(daemon, one + "/counters"))
    return lines


def _flat(name, value):
    if _LEFT_OUT.search(name):
        return []
    if isinstance(value, dict):
        if set(value) >= {"name"} and set(value) & {"value", "totalCounterValue"}:
            return _counter(name, value)
        if value.get("counterGroupName", "").startswith("org.mammoth."):
            return []  # ours, which stock has not
        return [line for key in sorted(value) for line in _flat(f"{name}.{key}", value[key])]
    if isinstance(value, list):
        return [line for one in value for line in _flat(name, one)]
    if _VOLATILE.search(name.rsplit(".", 1)[-1]):
        return []
    # The first lines of a stack: below them an engine's differs from a process's.
    text = _names_out(value).split("\n\tat ")[0] if isinstance(value, str) else value
    return [f"{name} = {text}\n"]


def _counter(name, counter):
    if _VOLATILE_COUNTER.search(counter["name"]):
        return []
    return [f"{name} {counter['name']} = {[counter[key] for key in sorted(counter) if key != 'name']}\n"]
