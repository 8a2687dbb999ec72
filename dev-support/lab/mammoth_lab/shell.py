# SPDX-License-Identifier: Apache-2.0
"""Runs the system's own tools."""

import os
import subprocess

from . import LabError

#: Where iproute2 and mount lie, which not every root's PATH has.
_PATH = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/sbin"))


def run(*command, check=True, stdin=None):
    """Output of a command. A status other than 0 is a LabError with what the command said, unless check is False."""
    try:
        done = subprocess.run(
            command, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=dict(os.environ, PATH=_PATH), check=False,
        )
    except FileNotFoundError as error:
        raise LabError(f"there is no command {command[0]} on this machine; install it, or run 'lab up' as root on Debian") from error
    if check and done.returncode:
        raise LabError(f"'{' '.join(command)}' ended with status {done.returncode}: {done.stderr.strip() or 'it said nothing'}")
    return done.stdout


def succeeds(*command):
    """Whether a command is there and ends with status 0."""
    try:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, PATH=_PATH), check=False,
        ).returncode == 0
    except FileNotFoundError:
        return False
