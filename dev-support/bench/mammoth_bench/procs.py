# SPDX-License-Identifier: Apache-2.0
"""The processes of a cluster: started, accounted for, and stopped to the last descendant."""

import ctypes
import os
import resource
import signal
import subprocess
import time

from . import BenchError, cgroups

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_LIBC = ctypes.CDLL(None, use_errno=True)
_TICKS = os.sysconf("SC_CLK_TCK")


def _stat(pid):
    """(parent, state, CPU seconds of the process and its reaped children), or None if gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as source:
            fields = source.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(fields[1]), fields[0], sum(int(ticks) for ticks in fields[11:15]) / _TICKS


def _descendants(root):
    """pid -> (parent, state, seconds) of every process below root."""
    table = {int(name): _stat(name) for name in os.listdir("/proc") if name.isdigit()}
    children = {}
    for pid, stat in table.items():
        if stat:
            children.setdefault(stat[0], []).append(pid)
    below, front = {}, [root]
    while front:
        for pid in children.get(front.pop(), ()):
            below[pid] = table[pid]
            front.append(pid)
    return below


class Processes:
    """Every process of the cluster is a descendant of this one.

    This process becomes the reaper of orphans (prctl PR_SET_CHILD_SUBREAPER), so that what a
    NodeManager leaves behind, an engine for instance, is still found below us, without root.
    """

    def __init__(self, name, memory_limit=None):
        _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self._started = []
        self._memory = cgroups.memory_group(name, memory_limit) if memory_limit else None
        self._cpu = cgroups.cpu_group(name)

    def cpu_method(self):
        return self._cpu.method if self._cpu else "/proc, process tree with its dead children"

    def memory_method(self):
        return self._memory.method if self._memory else None

    def start(self, command, env, log):
        """Starts a process with its output in a file object. A session of its own keeps Ctrl-C away."""

        def enter():
            # Should this process be killed outright, its children hear of it.
            _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
            for group in (self._memory, self._cpu):
                if group:
                    group.enter()

        try:
            process = subprocess.Popen(
                command,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=enter,
            )
        except OSError as error:
            raise BenchError(f"cannot start {command[0]}: {error}") from error
        self._started.append(process)
        return process

    def cpu_seconds(self):
        """CPU time of all processes since the beginning, living and dead."""
        if self._cpu:
            return self._cpu.seconds()
        self._reap_orphans()
        dead = resource.getrusage(resource.RUSAGE_CHILDREN)
        living = sum(stat[2] for stat in _descendants(os.getpid()).values())
        return dead.ru_utime + dead.ru_stime + living

    def _reap_orphans(self):
        """Waits for dead orphans one by one; those we have a Popen for are the Popen's to reap."""
        ours = {process.pid for process in self._started if process.returncode is None}
        me = os.getpid()
        for pid, (parent, state, _) in _descendants(me).items():
            if parent == me and state == "Z" and pid not in ours:
                try:
                    os.waitpid(pid, os.WNOHANG)
                except ChildProcessError:
                    pass

    def stop(self, process, seconds=20):
        """Ends one process: asks first, and after so many seconds no longer asks."""
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def sweep(self, keep=(), seconds=10):
        """Ends every descendant that is not one of the processes to keep, or below one."""
        kept = {process.pid for process in keep}
        for pid in list(kept):
            kept.update(_descendants(pid))
        for number, patience in ((signal.SIGTERM, seconds), (signal.SIGKILL, seconds)):
            left = self._others(kept)
            for pid in left:
                try:
                    os.kill(pid, number)
                except ProcessLookupError:
                    pass
            deadline = time.monotonic() + patience
            while self._others(kept) and time.monotonic() < deadline:
                time.sleep(0.1)
            if not self._others(kept):
                return

    def _others(self, kept):
        for process in self._started:
            process.poll()
        self._reap_orphans()
        below = _descendants(os.getpid())
        return [pid for pid, stat in below.items() if pid not in kept and stat[1] != "Z"]

    def close(self):
        """Ends everything and removes the control groups."""
        self.sweep()
        for group in (self._memory, self._cpu):
            if group:
                group.close()
