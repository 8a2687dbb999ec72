# SPDX-License-Identifier: Apache-2.0
"""Hosts on one machine: network namespaces with links, disks and limits of their own, and a release that runs on them.

Shares with the bench what knows releases, site files, units and control groups.
"""

from mammoth_bench import BenchError


class LabError(BenchError):
    """Something the person at the terminal can read and act upon; no stack trace is needed."""
