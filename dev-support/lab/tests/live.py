# SPDX-License-Identifier: Apache-2.0
"""For tests that make labs: a name of their own, and a reason when there can be none."""

import os
import unittest

from mammoth_lab import lab, shell


def need_lab():
    """Skips the test where labs cannot be made."""
    reason = lab.why_not()
    if reason:
        raise unittest.SkipTest(f"no lab here: {reason}")
    for tool in ("ip", "tc", "losetup", "mkfs.ext4", "unshare"):
        if not shell.succeeds("sh", "-c", f"command -v {tool}"):
            raise unittest.SkipTest(f"no lab here: there is no command {tool}")


def name(word):
    """A lab's name that no other process uses."""
    return f"{word}{os.getpid()}"


def traces(lab_name):
    """Everything on this machine that has a lab's name: namespaces, groups, mounts, loop devices, processes."""
    found = [line for line in shell.run("ip", "netns", "list").splitlines() if f"-{lab_name}-" in line]
    found += [path for path, _, _ in os.walk("/sys/fs/cgroup") if path.endswith(f"mammoth-lab/{lab_name}")]
    found += [one for one in os.listdir("/etc/netns") if f"-{lab_name}-" in one] if os.path.isdir("/etc/netns") else []
    with open("/proc/self/mountinfo", encoding="utf-8") as lines:
        found += [line for line in lines if f"hosts-of-{lab_name}/" in line]
    found += [line for line in shell.run("losetup", "-l").splitlines() if f"hosts-of-{lab_name}/" in line]
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as source:
                line = source.read()
            found += [f"{pid} {line}"] if f"hosts-of-{lab_name}/" in line else []
        except OSError:
            continue
    return found
