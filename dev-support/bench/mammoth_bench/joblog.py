# SPDX-License-Identifier: Apache-2.0
"""What a MapReduce client prints: jobs and their counters."""

import json
import re

_HEADING = re.compile(r"Counters: \d+$")
_TASK_HEADING = re.compile(r"Final Counters for attempt_")
_COUNTER = re.compile(r"^\s+([^=]+)=(-?\d+)$")
_JOB = re.compile(r"\bRunning job: (job_\d+_\d+)")


def counters(text):
    """Counters by display name, added up over all jobs (and groups) of one client's output.

    Counters of single tasks, which the local job runner prints too, are left out.
    """
    totals = {}
    of_a_job = False
    for line in text.splitlines():
        line = line.rstrip()
        if not line[:1].isspace():
            of_a_job = bool(_HEADING.search(line)) and not _TASK_HEADING.search(line)
            continue
        found = _COUNTER.match(line)
        if of_a_job and found:
            name = found.group(1).strip()
            totals[name] = totals.get(name, 0) + int(found.group(2))
    return totals


def gc_millis(text):
    """The job counter GC_TIME_MILLIS, added up over the client's jobs; None where it is absent."""
    return counters(text).get("GC time elapsed (ms)")


def jobs(text):
    """Identifiers of the jobs that were submitted, in their order."""
    return list(dict.fromkeys(_JOB.findall(text)))


def tasks_in_engines(status):
    """Tasks that the engines in the output of 'mammoth engine -status -json' have started."""
    begin = re.search(r"^\s*[\[{]", status, re.MULTILINE)
    if not begin:
        return 0
    try:
        document, _ = json.JSONDecoder().raw_decode(status[begin.start():].lstrip())
    except json.JSONDecodeError:
        return 0
    return _sum_of(document, "tasksStarted")


def _sum_of(node, name):
    """Adds up a field wherever it is: a node may have several engines, a cluster several nodes."""
    if isinstance(node, dict):
        own = node.get(name)
        return (own if isinstance(own, int) else 0) + sum(_sum_of(v, name) for v in node.values())
    return sum(_sum_of(v, name) for v in node) if isinstance(node, list) else 0
