# SPDX-License-Identifier: Apache-2.0
"""One control group for each host: its CPU time, and limits of memory and CPU. Version 1 or 2, whichever is there."""

import os
import time

from mammoth_bench import cgroups

from . import LabError

_CONTROLLERS = ("cpuacct", "cpu", "memory")
_PERIOD_MICROS = 100_000


class Groups:
    """The groups of a lab's hosts, below the root of each hierarchy, so that they outlive whoever made them. Needs root."""

    def __init__(self, lab):
        mounts = cgroups.mounts()
        self._lab = lab
        self._roots = {name: mounts[name][0] for name in _CONTROLLERS if name in mounts}
        self._version = 1 if self._roots else 2
        if not self._roots:
            if "v2" not in mounts:
                raise LabError("no control groups are mounted on this machine; a lab needs them to count and to limit what hosts use")
            self._roots = dict.fromkeys(_CONTROLLERS, mounts["v2"][0])

    def _path(self, controller, host=None):
        if controller not in self._roots:
            raise LabError(f"this machine has no control group for {controller}")
        return os.path.join(self._roots[controller], "mammoth-lab", self._lab, *([host] if host else []))

    def make(self, hosts):
        if self._version == 2:
            self._hand_down()
        for host in hosts:
            for controller in self._roots:
                os.makedirs(self._path(controller, host), exist_ok=True)

    def _hand_down(self):
        """Version 2: each level must name what the level below may use; where that is refused, limits fail later with a reason."""
        lab = self._path("memory")
        os.makedirs(lab, exist_ok=True)
        for folder in (self._roots["memory"], os.path.dirname(lab), lab):
            for controller in ("memory", "cpu"):
                try:
                    cgroups.write(os.path.join(folder, "cgroup.subtree_control"), f"+{controller}")
                except OSError:
                    pass

    def enter(self, host):
        """Moves the calling process into a host's group; for use between fork and exec."""
        for folder in dict.fromkeys(self._path(controller, host) for controller in self._roots):
            cgroups.write(os.path.join(folder, "cgroup.procs"), 0)

    def limit_memory(self, host, limit):
        """limit in bytes, page cache included."""
        self._set("memory", host, "memory.limit_in_bytes" if self._version == 1 else "memory.max", limit)

    def limit_cpus(self, host, cpus):
        """cpus: how many processors' time the host may have, a fraction too; None for all."""
        quota = None if cpus is None else int(cpus * _PERIOD_MICROS)
        if self._version == 1:
            self._set("cpu", host, "cpu.cfs_period_us", _PERIOD_MICROS)
            self._set("cpu", host, "cpu.cfs_quota_us", -1 if quota is None else quota)
        else:
            self._set("cpu", host, "cpu.max", f"{'max' if quota is None else quota} {_PERIOD_MICROS}")

    def _set(self, controller, host, name, value):
        path = os.path.join(self._path(controller, host), name)
        try:
            cgroups.write(path, value)
        except OSError as error:
            raise LabError(f"{host} cannot be limited: {path}: {error.strerror}; the {controller} controller may be in use elsewhere") from error

    def cpu_seconds(self, host):
        """CPU time of everything that ever ran on a host."""
        return cgroups.cpu_seconds(self._path("cpuacct", host), self._version)

    def remove(self):
        """Removes the groups of all hosts, also of an earlier lab of this name. What ran in them must have ended."""
        for controller in self._roots:
            top = self._path(controller)
            if os.path.isdir(top):
                hosts = [os.path.join(top, name) for name in os.listdir(top) if os.path.isdir(os.path.join(top, name))]
                for folder in (*hosts, top):
                    _remove(folder)
                try:
                    os.rmdir(os.path.dirname(top))
                except OSError:  # another lab's
                    pass


def _remove(folder):
    """It takes the kernel a moment to forget the last process."""
    for _ in range(50):
        try:
            os.rmdir(folder)
            return
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.1)
    raise LabError(f"the control group {folder} cannot be removed; something still runs in it")
