"""What a MapReduce client prints: jobs and their counters."""

import re

_COUNTER = re.compile(r"^\s+([^=\n]+)=(-?\d+)\s*$", re.MULTILINE)
_JOB = re.compile(r"\bRunning job: (job_\d+_\d+)")


def counters(text):
    """Counters by display name, added up over all jobs (and groups) of one client's output."""
    totals = {}
    for name, value in _COUNTER.findall(text):
        totals[name.strip()] = totals.get(name.strip(), 0) + int(value)
    return totals


def gc_millis(text):
    """The job counter GC_TIME_MILLIS, added up over the client's jobs; None where it is absent."""
    return counters(text).get("GC time elapsed (ms)")


def jobs(text):
    """Identifiers of the jobs that were submitted, in their order."""
    return list(dict.fromkeys(_JOB.findall(text)))
