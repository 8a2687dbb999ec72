# SPDX-License-Identifier: Apache-2.0
"""Mammoth without and with the SSD cache of HDFS (bench --ssd-cache DIR).

Each round starts the daemons twice, without and with the cache, the latter with an empty SSD folder.
Without: grep and TeraSort, each on an empty page cache. With: grep for the first time, which fills the
cache beside its reads; when that has ended, grep for the second time; TeraSort, whose input is read
from disk and cached beside that, so that only its localized data gains from the SSD; TeraSort once
more, now with its input cached too.
"""

import json
import os
import shutil
import statistics
import time

from . import BenchError
from .cluster import fetch_json
from .ports import free_ports
from .units import format_bytes, format_number, parse_size
from .workloads import Grep, TeraSort

WITHOUT, FIRST, SECOND = "grep without", "grep first", "grep second"
TERA_WITHOUT, TERA_WITH, TERA_BOTH = "terasort without", "terasort localized", "terasort input too"

FILL_SECONDS = 600


def folders(ssd):
    """(the cache's directory, the local directory in it)."""
    cache = os.path.join(os.path.realpath(ssd), "mpcache")
    return cache, os.path.join(cache, "localized")


def settings(ssd, size, layout):
    """Properties by configuration and site file of the configurations that have the cache."""
    cache, localized = folders(ssd)
    local = layout.path("yarn", "localized", "local")
    found = free_ports(["master"])
    return {
        "cached": {"hdfs-site.xml": {
            "mammoth.mpcache.enabled": "true",
            "mammoth.mpcache.dirs": f"{cache}={parse_size(size)}",
            "mammoth.mpcache.master.port": found["master"],
            "mammoth.mpcache.exclude": "/bench/output,/tmp",
        }},
        "localized": {"yarn-site.xml": {
            "yarn.nodemanager.local-dirs": f"{local},{localized}",
            "mammoth.io.ssd-dirs": localized,
        }},
    }


def map_phase_s(tasks):
    """Seconds from the first map's start to the last one's end, from the history server's answer."""
    maps = [task for task in tasks["tasks"]["task"] if task["type"] == "MAP"]
    if not maps:
        raise BenchError("the history server knows no map of a job that has ended")
    return (max(task["finishTime"] for task in maps) - min(task["startTime"] for task in maps)) / 1000


def is_filled(slave, copies):
    """Whether a slave's JMX bean says that it has so many copies and nothing on its way."""
    return slave["Copies"] >= copies and slave["FillsWaiting"] == 0


def space(slave):
    """Bytes by class of a slave's JMX bean, and how often localized data was refused, as one line."""
    shape = {"localizedRefused": str}
    return ", ".join(f"{row['key']} {shape.get(row['key'], format_bytes)(row['value'])}" for row in slave["Space"])


def medians(runs):
    """name -> {wall_s, map_s} of lists of runs by name; names without a run are left out."""
    return {
        name: {key: statistics.median(run[key] for run in each) for key in ("wall_s", "map_s")}
        for name, each in runs.items() if each
    }


def verdicts(middle):
    """(what, the figure, what is asked of it, whether it holds), as far as there are runs."""
    lines = []
    if WITHOUT in middle and SECOND in middle:
        ratio = middle[WITHOUT]["map_s"] / middle[SECOND]["map_s"]
        lines.append(("second grep's map phase against that without the cache", ratio, "at least 4.0 x", ratio >= 4))
    if WITHOUT in middle and FIRST in middle:
        ratio = middle[FIRST]["wall_s"] / middle[WITHOUT]["wall_s"]
        lines.append(("first grep's time against that without the cache", ratio, "at most 1.05 x", ratio <= 1.05))
    for name in (TERA_WITH, TERA_BOTH):
        if TERA_WITHOUT in middle and name in middle:
            ratio = middle[TERA_WITHOUT]["wall_s"] / middle[name]["wall_s"]
            lines.append((f"{name} against that without the cache", ratio, "at least 2.0 x", ratio >= 2))
    return lines


def table(runs):
    """The medians, every run and the verdicts, in Markdown."""
    middle = medians(runs)
    lines = ["| run | wall s, median | map phase s, median | each: wall, map phase |", "|---|---:|---:|---|"]
    for name, both in middle.items():
        each = "; ".join(f"{format_number(run['wall_s'])}, {format_number(run['map_s'])}" for run in runs[name])
        lines.append(f"| {name} | {format_number(both['wall_s'])} | {format_number(both['map_s'])} | {each} |")
    lines.append("")
    for what, figure, asked, holds in verdicts(middle):
        lines.append(f"- {what}: {format_number(figure, 2)} x ({asked}: {'yes' if holds else 'NO'})")
    return "\n".join(lines) + "\n"


class SsdCacheBench:
    """Runs the rounds; a caller has started nothing yet."""

    def __init__(self, cluster, runner, inputs, layout, workloads, ports, ssd, size):
        self._cluster = cluster
        self._runner = runner
        self._inputs = inputs
        self._layout = layout
        self._small, self._grep, self._tera = workloads
        self._ports = ports
        self._ssd = ssd
        self._size = size
        self.runs = {name: [] for name in (WITHOUT, FIRST, SECOND, TERA_WITHOUT, TERA_WITH, TERA_BOTH)}

    def round(self, number):
        """One round."""
        self._cluster.start_storage("storage")
        try:
            self._cluster.start_yarn("mammoth")
            self._warm_up("mammoth")
            self._run("mammoth", self._grep, WITHOUT, number)
            self._run("mammoth", self._tera, TERA_WITHOUT, number)
        finally:
            self._cluster.stop()
        self._empty()
        self._cluster.start_storage("cached")
        try:
            self._cluster.start_yarn("localized")
            self._warm_up("localized")
            self._run("localized", self._grep, FIRST, number)
            self._await_fills()
            self._run("localized", self._grep, SECOND, number)
            self._run("localized", self._tera, TERA_WITH, number)
            self._await_fills()
            self._run("localized", self._tera, TERA_BOTH, number)
            print(self._cluster.run("cached", "hdfs", "mpcache", "-datasets"), flush=True)
            print(f"  SSD: {space(self._slave())}", flush=True)
        finally:
            self._cluster.stop()

    def _empty(self):
        cache, localized = folders(self._ssd)
        shutil.rmtree(cache, ignore_errors=True)
        os.makedirs(localized)

    def _warm_up(self, side):
        source, facts = self._inputs.get(self._small.kind, self._small.size(None))
        self._runner.run(side, self._small, source, facts, "warm-up")

    def _run(self, side, workload, name, number):
        source, facts = self._inputs.get(workload.kind, self._size)
        run = self._runner.run(side, workload, source, facts, f"{name.replace(' ', '-')}-{number}")
        run["map_s"] = map_phase_s(self._history(run["jobs"][0]))
        print(f"  {name}: map phase {run['map_s']:.1f} s", flush=True)
        self.runs[name].append(run)

    def _history(self, job):
        path = f"/ws/v1/history/mapreduce/jobs/{job}/tasks?type=m"
        return self._patiently(lambda: fetch_json(self._ports["history-web"], path), 60, f"the history of {job}")

    def _slave(self):
        query = "/jmx?qry=Hadoop:service=DataNode,name=MpCacheSlave"
        return fetch_json(self._ports["datanode-web"], query)["beans"][0]

    def _await_fills(self):
        begin = time.monotonic()
        before = None

        def settled():
            nonlocal before
            slave = self._slave()
            now = (slave["Copies"], slave["FillsWaiting"], json.dumps(slave["Fills"]))
            same, before = now == before, now
            if not (same and is_filled(slave, 1)):
                raise ValueError(f"copies {now[0]}, waiting {now[1]}")

        self._patiently(settled, FILL_SECONDS, "the end of filling", pause=3)
        print(f"  filled after {time.monotonic() - begin:.0f} s: {before[0]} copies", flush=True)

    @staticmethod
    def _patiently(ask, seconds, what, pause=0.5):
        deadline = time.monotonic() + seconds
        while True:
            try:
                return ask()
            except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
                if time.monotonic() > deadline:
                    raise BenchError(f"waited {seconds} s for {what}: {error}") from error
                time.sleep(pause)
