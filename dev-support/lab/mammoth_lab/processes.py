# SPDX-License-Identifier: Apache-2.0
"""Processes of a namespace: found, named and ended."""

import os
import re
import signal
import time

from . import shell

_DAEMON = re.compile(r"^-Dproc_([a-z]+)$")
#: What runs on a host beside daemons, by a word of its command line.
_OTHERS = (
    ("engine", ".EngineMain"), ("appmaster", "MRAppMaster"), ("task", "YarnChild"), ("task", "OrdinaryContainerChild"),
)


def pids(namespace):
    """Pids in a namespace, dead ones that nobody has waited for left out; none if there is no such namespace."""
    found = [int(pid) for pid in shell.run("ip", "netns", "pids", namespace, check=False).split()]
    return [pid for pid in found if _state(pid) not in (None, "Z", "X")]


def _state(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as source:
            return source.read().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return None


def command_line(pid):
    """A process's words; None if there is no such process."""
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as source:
            return source.read().split("\0")
    except (FileNotFoundError, ProcessLookupError):
        return None


def name_of(arguments):
    """What a command line is: a daemon of Hadoop by its name, engine, appmaster, task, or the program's name."""
    for argument in arguments:
        found = _DAEMON.match(argument)
        if found:
            return found.group(1)
    program = os.path.basename(arguments[0]) if arguments else ""
    if program != "java":
        return program
    line = " ".join(arguments)
    return next((name for name, word in _OTHERS if word in line), program)


def named(namespace):
    """pid -> name of what runs in a namespace, as name_of() says."""
    lines = {pid: command_line(pid) for pid in pids(namespace)}
    return {pid: name_of(words) for pid, words in lines.items() if words is not None}


def end(namespaces, chosen=lambda name: True, seconds=10, force=False):
    """Ends what runs in namespaces and is chosen by its name: asks first unless forced, and after so many seconds kills.

    Whatever starts meanwhile is ended too.
    """
    rounds = [(signal.SIGKILL, 5)] if force else [(signal.SIGTERM, seconds), (signal.SIGKILL, 5)]
    for number, patience in rounds:
        deadline = time.monotonic() + patience
        asked = set()
        while True:
            left = [pid for one in namespaces for pid, name in named(one).items() if chosen(name)]
            if not left:
                return
            for pid in left:
                # A killed process is killed again: a fork may have been under way.
                if number == signal.SIGKILL or pid not in asked:
                    asked.add(pid)
                    try:
                        os.kill(pid, number)
                    except ProcessLookupError:
                        pass
            if time.monotonic() > deadline:
                break
            time.sleep(0.1)
