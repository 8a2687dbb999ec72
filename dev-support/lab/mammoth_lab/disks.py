# SPDX-License-Identifier: Apache-2.0
"""The disks of a host: folders, file systems of their own, or file systems on emulated hard disks."""

import contextlib
import os
import signal
import subprocess
import sys
import time

from mammoth_bench import machine

from . import LabError, processes, shell
from .diskmodel import BYTES_PER_SECOND

#: folder: shares the machine's disk. loop: a file system in a file, so that its bytes can be counted. hdd: that on a disk with an arm.
KINDS = ("folder", "loop", "hdd")
_HERE = os.path.dirname(os.path.realpath(__file__))
_SERVER_SECONDS = 15


def mounts_below(folder):
    """[(device, mount point)] at or below a folder, the innermost first."""
    found = []
    with open("/proc/self/mountinfo", encoding="utf-8") as lines:
        for line in lines:
            left, _, right = line.partition(" - ")
            point = left.split()[4].encode().decode("unicode_escape")
            if point == folder or point.startswith(folder + "/"):
                found.append((right.split()[1], point))
    return found[::-1]


def make(kind, path, size, speed=BYTES_PER_SECOND):
    """Makes a disk at path, a folder to be, of so many bytes (ignored by folder); speed in bytes a second is hdd's. LabError when this machine cannot."""
    os.makedirs(path)
    if kind == "folder":
        return
    image = f"{path}.img"
    with open(image, "wb") as out:
        out.truncate(size)
    # Few inodes, all written now: nothing of making it shows up later as the host's traffic.
    shell.run("mkfs.ext4", "-q", "-F", "-i", str(256 << 10), "-E", "lazy_itable_init=0,lazy_journal_init=0", image)
    try:
        source = _serve(image, path, speed) if kind == "hdd" else image
        # 'mount -o loop' lets the kernel give the loop device back with the last unmount, whoever does it.
        shell.run("mount", "-o", "loop,noatime", source, path)
        # Else a second page cache hides the disk.
        shell.run("losetup", "--direct-io=on", "/dev/" + device(path))
    finally:
        os.remove(image)  # its space is free with the last user, also after a crash


def _serve(image, path, speed):
    """Starts the emulated hard disk under a file system; returns the file that stands for it."""
    if not os.path.exists("/dev/fuse"):
        raise LabError("there is no /dev/fuse on this machine, so hard disks cannot be emulated; take --disk loop or folder")
    folder = f"{path}.hdd"
    os.makedirs(folder)
    with open(f"{path}.log", "wb") as log:
        server = subprocess.Popen(
            [sys.executable, os.path.join(_HERE, "harddisk.py"), image, folder, str(speed)], stdin=subprocess.DEVNULL,
            stdout=log, stderr=subprocess.STDOUT, start_new_session=True, cwd="/",
        )
    deadline = time.monotonic() + _SERVER_SECONDS
    while not mounts_below(folder):
        if server.poll() is not None or time.monotonic() > deadline:
            server.kill()
            with open(f"{path}.log", encoding="utf-8", errors="replace") as log:
                raise LabError(f"the emulated hard disk of {path} did not start: {log.read().strip()}")
        time.sleep(0.05)
    return os.path.join(folder, "disk")


def device(path):
    """Name in /proc/diskstats of the device mounted at path, or None for a folder."""
    found = [source for source, point in mounts_below(path) if point == path]
    return os.path.basename(found[0]) if found else None


def byte_counts(path):
    """(read, written) by a disk's device, also before it was made; (None, None) for a folder, whose bytes the kernel does not tell apart."""
    name = device(path)
    return machine.disk_bytes(name) if name else (None, None)


def servers_below(folder):
    """Process ids of the servers of hard disks below a folder; one that has ended has no command line any more."""
    lines = {int(pid): processes.command_line(pid) or [] for pid in os.listdir("/proc") if pid.isdigit()}
    return [
        pid for pid, words in lines.items()
        if any(word.endswith("harddisk.py") for word in words) and any(word.startswith(f"{folder}/") for word in words)
    ]


def _await_servers(folder, patience):
    """Waits for the servers below a folder, which end by themselves when nothing of theirs is mounted; kills what stays.

    Returns early when something is mounted: one whose 'lab up' was killed may mount only now."""
    limit = time.monotonic() + patience
    while (servers := servers_below(folder)) and not mounts_below(folder):
        late = time.monotonic() - limit
        if late > _SERVER_SECONDS:
            raise LabError(f"the servers of disks below {folder} do not end though they were killed: {servers}")
        if late > 0:
            for pid in servers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)


def remove_below(folder, patience=10):
    """Unmounts everything below a folder. Servers of hard disks end with their mount, loop devices with theirs.

    patience: seconds that a server has for its end before it is killed"""
    for lazily in (False, True):
        for _ in range(20):
            left = mounts_below(folder)
            if not left:
                _await_servers(folder, patience)
                if not mounts_below(folder):
                    return
                continue
            for _, point in left:
                shell.run("umount", *(["-l"] if lazily else []), point, check=False)
            if mounts_below(folder):
                time.sleep(0.1)
    raise LabError(f"cannot unmount {', '.join(point for _, point in mounts_below(folder))}; see what uses it with 'fuser -vm'")
