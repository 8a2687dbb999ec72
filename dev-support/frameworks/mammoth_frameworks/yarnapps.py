# SPDX-License-Identifier: Apache-2.0
"""What the ResourceManager and the history server say of the jobs of one step."""

import time
import urllib.error

from mammoth_bench import BenchError
from mammoth_bench.cluster import fetch_json

from .counters import Job, values

_COMPRESS = "mapreduce.map.output.compress"
_HISTORY_SECONDS = 30


def jobs(ports, known):
    """Ids of the MapReduce jobs that the ResourceManager knows and the set does not."""
    answer = fetch_json(ports["resourcemanager-web"], "/ws/v1/cluster/apps?applicationTypes=MAPREDUCE")
    apps = (answer.get("apps") or {}).get("app") or []
    names = {app["id"].replace("application", "job"): app for app in apps}
    return {name: app for name, app in names.items() if name not in known}


def facts(ports, job):
    """(tasks, the job with its counters) of a job that has ended, from its history."""
    path = f"/ws/v1/history/mapreduce/jobs/{job}"
    deadline = time.monotonic() + _HISTORY_SECONDS
    while True:
        try:
            about = fetch_json(ports["history-web"], path)["job"]
            groups = fetch_json(ports["history-web"], path + "/counters")["jobCounters"].get("counterGroup") or []
            settings = fetch_json(ports["history-web"], path + "/conf")["conf"]["property"]
            break
        except urllib.error.HTTPError as error:
            # The ApplicationMaster moves the file after it has told the client that the job is done.
            if time.monotonic() > deadline:
                raise BenchError(f"the history server does not know {job} after {_HISTORY_SECONDS} s: {error}") from error
            time.sleep(0.3)
    compressed = any(setting["name"] == _COMPRESS and setting["value"] == "true" for setting in settings)
    return about["mapsTotal"] + about["reducesTotal"], Job(about["name"], values(groups), compressed)
