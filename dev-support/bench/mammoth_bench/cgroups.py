# SPDX-License-Identifier: Apache-2.0
"""Control groups for CPU time and the memory limit, version 1 or 2, whichever the machine has.

Groups are made below this process's own, so that no limit set above us is left.
"""

import os
import time

from . import BenchError


def _own_groups():
    """Controller (or 'v2') -> this process's group."""
    groups = {}
    with open("/proc/self/cgroup", encoding="ascii") as lines:
        for line in lines:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            for controller in controllers.split(",") if controllers else ["v2"]:
                groups[controller] = path
    return groups


def mounts():
    """Controller (or 'v2') -> where its hierarchy is mounted and which group is its root there."""
    found = {}
    with open("/proc/self/mountinfo", encoding="utf-8") as lines:
        for line in lines:
            left, _, right = line.partition(" - ")
            kind, _, options = right.split(None, 2)
            root, point = left.split()[3:5]
            if kind == "cgroup2":
                found.setdefault("v2", (point, root))
            elif kind == "cgroup":
                for option in options.strip().split(","):
                    found.setdefault(option, (point, root))
    return found


def _own_directory(controller):
    groups, mounted = _own_groups(), mounts()
    if controller not in groups or controller not in mounted:
        return None
    point, root = mounted[controller]
    own = groups[controller]
    inside = os.path.relpath(own, root) if own.startswith(root) else "."
    path = os.path.normpath(os.path.join(point, inside))
    return path if os.path.isdir(path) else None


def read(path):
    """A small file of a group."""
    with open(path, encoding="ascii") as source:
        return source.read()


def write(path, text):
    """Sets one value of a group. OSError says why not."""
    with open(path, "w", encoding="ascii") as target:
        target.write(str(text))


class Group:
    """One directory of one hierarchy, made now and removed by close()."""

    def __init__(self, parent, name):
        self.path = os.path.join(parent, name)
        os.mkdir(self.path)

    def file(self, name):
        return os.path.join(self.path, name)

    def enter(self):
        """Moves the calling process in; for use between fork and exec."""
        write(self.file("cgroup.procs"), 0)

    def close(self):
        """Removes the group. It takes the kernel a moment to forget the last process."""
        for _ in range(50):
            try:
                os.rmdir(self.path)
                return
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.1)


class CpuGroup(Group):
    """Counts the CPU time of everything that ever ran in it."""

    def __init__(self, parent, name, version):
        super().__init__(parent, name)
        self.method = f"cgroup v{version} " + ("cpuacct.usage" if version == 1 else "cpu.stat")
        self._version = version
        self.seconds()

    def seconds(self):
        return cpu_seconds(self.path, self._version)


def cpu_seconds(group, version):
    """CPU time of everything that ever ran in the group of that directory."""
    if version == 1:
        return int(read(os.path.join(group, "cpuacct.usage"))) / 1e9
    fields = dict(line.split() for line in read(os.path.join(group, "cpu.stat")).splitlines())
    return int(fields["usage_usec"]) / 1e6


def cpu_group(name):
    """A group for CPU time, or None where none can be made (then /proc is sampled)."""
    for controller, version in (("cpuacct", 1), ("v2", 2)):
        parent = _own_directory(controller)
        if parent:
            try:
                return CpuGroup(parent, name, version)
            except (OSError, KeyError, ValueError):
                continue
    return None


class MemoryGroup(Group):
    """Limits the memory of the whole cluster, page cache included."""

    def __init__(self, parent, name, version, limit):
        super().__init__(parent, name)
        self.method = f"memory cgroup v{version}"
        try:
            if version == 1:
                write(self.file("memory.limit_in_bytes"), limit)
            else:
                write(self.file("memory.max"), limit)
        except OSError:
            self.close()
            raise


def memory_group(name, limit):
    """A group with that limit in bytes, version 1 first."""
    reasons = []
    for controller, version in (("memory", 1), ("v2", 2)):
        parent = _own_directory(controller)
        if not parent:
            continue
        try:
            return MemoryGroup(parent, name, version, limit)
        except OSError as error:
            reasons.append(f"version {version}: {error.strerror} ({error.filename})")
    raise BenchError(
        "--memory-limit needs a memory control group that this process may make: "
        + ("; ".join(reasons) or "none is mounted")
        + ". Run as root, or inside a group of your own: systemd-run --user --scope -p Delegate=yes "
        "-p MemoryMax=LIMIT dev-support/bin/bench ... without --memory-limit"
    )
