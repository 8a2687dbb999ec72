# SPDX-License-Identifier: Apache-2.0
"""Turns: a side's YARN is started, warmed up, measured, checked and stopped."""

import os
import sys
import time

from . import BenchError, joblog, machine
from .cluster import excerpt
from .units import format_bytes, format_number


class Runner:
    """Measures runs of workloads on either side."""

    def __init__(self, cluster, processes, inputs, layout, device, drop_caches, keep):
        self._cluster = cluster
        self._processes = processes
        self._inputs = inputs
        self._layout = layout
        self._device = device
        self._drop_caches = drop_caches
        self._keep = keep

    def turn(self, side, workload, small, size, number):
        """One counted run of one workload on one side, after one uncounted small job."""
        source, facts = self._inputs.get(workload.kind, size)
        small_source, small_facts = self._inputs.get(small.kind, small.size(size))
        self._cluster.start_yarn(side)
        try:
            self.run(side, small, small_source, small_facts, "warm-up")
            run = self.run(side, workload, source, facts, f"run-{number}")
            if side == "mammoth":
                self._prove_engine()
        finally:
            self._cluster.stop_yarn()
        return run

    def prepare_archive(self, small):
        """Lets the release make its class archive on a running cluster, once per unpacked tarball."""
        if self._cluster.lacks_archive():
            source, facts = self._inputs.get(small.kind, small.size(None))
            self._cluster.start_yarn("mammoth")
            try:
                self.run("mammoth", small, source, facts, "untrained")
                self._cluster.make_archive()
            finally:
                self._cluster.stop_yarn()

    def standing(self, sides, workload, size, runs):
        """Counted runs on daemons that stay up: lists of runs by side.

        Both sides' YARN is up all the time, but only one has work at any moment.
        """
        source, facts = self._inputs.get(workload.kind, size)
        by_side = {side: [] for side in sides}
        try:
            for side in sides:
                self._cluster.start_yarn(side)
                for number in range(1, workload.standing_warm_ups + 1):
                    self.run(side, workload, source, facts, f"warm-up-{number}")
            for number in range(1, runs + 1):
                for side in sides:
                    by_side[side].append(self.run(side, workload, source, facts, f"run-{number}"))
            if "mammoth" in sides:
                self._prove_engine()
        finally:
            self._cluster.stop_yarn()
        return by_side

    def _prove_engine(self):
        """Everything falls back to stock, which is good for jobs and would fool a benchmark."""
        status = self._cluster.run("mammoth", "mammoth", "engine", "-status", "-json", check=False)
        if joblog.tasks_in_engines(status) < 1:
            raise BenchError(
                "no task of the Mammoth side ran in an engine, so this would compare stock with "
                f"stock; 'mammoth engine -status -json' says:\n{status[-2000:]}"
            )

    def run(self, side, workload, source, facts, label):
        """One run: measured, its output checked and removed."""
        target = f"/bench/output/{workload.name}-{side}-{label}"
        self._remove(target)
        log_path = os.path.join(
            self._layout.make("logs", side), f"{workload.name}-{label}.log"
        )
        cold = self._drop_caches and workload.cold
        run = self._measure(side, workload.command(source, target), log_path, cold)
        with open(log_path, encoding="utf-8", errors="replace") as text:
            output = text.read()
        if run.pop("status"):
            raise BenchError(
                f"{workload.name} failed on {side}:\n{excerpt(log_path)}"
            )
        run["gc_ms"] = joblog.gc_millis(output)
        run["jobs"] = joblog.jobs(output)
        run["fallbacks"] = joblog.counters(output).get("Tasks in ordinary containers", 0)
        workload.check(facts, target, output)
        if not self._keep:
            self._remove(target)
        print(
            f"  {workload.name:21} {side:8} {label:9} wall {run['wall_s']:7.1f} s, "
            f"CPU {run['cpu_s']:7.1f} s, read {format_bytes(run['disk_read_bytes'])}, "
            f"written {format_bytes(run['disk_write_bytes'])}, "
            f"GC {format_number(run['gc_ms'], 0)} ms, output right"
            + (f", {run['fallbacks']} tasks in ordinary containers" if run["fallbacks"] else ""),
            flush=True,
        )
        return run

    def _measure(self, side, arguments, log_path, cold):
        """Wall and CPU end with the client; the disk's bytes after a sync, which is not timed."""
        if cold:
            machine.drop_caches()
        else:
            os.sync()
        read, written = machine.disk_bytes(self._device)
        cpu = self._processes.cpu_seconds()
        begin = time.monotonic()
        status = self._cluster.client(side, "hadoop", arguments, log_path).wait()
        wall = time.monotonic() - begin
        cpu = self._processes.cpu_seconds() - cpu
        os.sync()
        read_after, written_after = machine.disk_bytes(self._device)
        return {
            "status": status,
            "wall_s": round(wall, 3),
            "cpu_s": round(cpu, 3),
            "disk_read_bytes": None if read is None else read_after - read,
            "disk_write_bytes": None if written is None else written_after - written,
        }

    def _remove(self, path):
        self._cluster.run("storage", "hdfs", "dfs", "-rm", "-r", "-f", "-skipTrash", path)


def alternate(runner, workload, small, size, runs, sides):
    """A B A B ...: lists of runs by side."""
    if workload.standing_warm_ups:
        return runner.standing(sides, workload, size, runs)
    by_side = {side: [] for side in sides}
    for number in range(1, runs + 1):
        for side in sides:
            by_side[side].append(runner.turn(side, workload, small, size, number))
    sys.stdout.flush()
    return by_side
