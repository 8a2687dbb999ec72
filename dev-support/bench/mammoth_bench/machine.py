# SPDX-License-Identifier: Apache-2.0
"""The machine under the cluster: what it is, its disk's counters, its page cache."""

import ctypes
import os
import platform
import re
import subprocess

from .units import format_bytes

_SECTOR = 512  # /proc/diskstats counts in these, whatever the device's own sector is


def block_device(path):
    """Name in /proc/diskstats of the device that holds a path, or None (overlay, tmpfs, network)."""
    number = os.stat(path).st_dev
    wanted = [str(os.major(number)), str(os.minor(number))]
    return next((row[2] for row in _diskstats() if row[:2] == wanted), None)


def _diskstats():
    try:
        with open("/proc/diskstats", encoding="ascii") as lines:
            return [line.split() for line in lines]
    except FileNotFoundError:
        return []


def disk_bytes(device):
    """(read, written) since boot by the whole machine on one device; (None, None) without one."""
    for row in _diskstats():
        if device and row[2] == device:
            return int(row[5]) * _SECTOR, int(row[9]) * _SECTOR
    return None, None


def sync_file_system(handle):
    """Writes out the file system that an open file lies on, and no other. OSError when the kernel could not."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syncfs(handle):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def may_drop_caches():
    return os.access("/proc/sys/vm/drop_caches", os.W_OK) and os.geteuid() == 0


def drop_caches():
    """Empties the page cache, so that a run does not read what the one before has left there."""
    os.sync()
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as target:
        target.write("3\n")


def _first(path, pattern):
    try:
        with open(path, encoding="utf-8") as source:
            found = re.search(pattern, source.read(), re.MULTILINE)
    except FileNotFoundError:
        return None
    return found.group(1).strip() if found else None


def describe(java, device, memory_limit):
    """One line for the reader of the numbers: cores, memory, kernel, JVM, disk."""
    cores = len(os.sched_getaffinity(0))
    model = _first("/proc/cpuinfo", r"^model name\s*:\s*(.*)$") or platform.machine()
    memory = int(_first("/proc/meminfo", r"^MemTotal:\s+(\d+)") or 0) << 10
    version = subprocess.run(
        [java, "-version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    ).stdout.splitlines()
    parts = [
        f"{cores} cores ({model})",
        f"{format_bytes(memory)} memory",
        f"{platform.system()} {platform.release()}",
        next((line for line in version if "Runtime" in line), "unknown JVM"),
        f"data on {device or 'a file system without a block device'}",
    ]
    if memory_limit:
        parts.append(f"whole cluster limited to {format_bytes(memory_limit)}")
    return ", ".join(parts)
