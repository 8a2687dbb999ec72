# SPDX-License-Identifier: Apache-2.0
"""Counters of a lab's hosts while a job runs, and how much of them each phase of the job had."""

import bisect
import threading
import time

INTERVAL_SECONDS = 0.5
PHASES = ("map", "reduce")


class Samples:
    """Reads counters every half a second in a thread of its own, from enter to exit; for one user at a time.

    read() gives a dict of numbers; None stands for what is not counted.
    """

    def __init__(self, read, clock=time.time):
        self._read = read
        self._clock = clock
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._sample, name="samples", daemon=True)
        self.times, self.values = [], []

    def __enter__(self):
        self.take()
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def take(self):
        """One more sample, now."""
        value = self._read()
        self.times.append(self._clock())
        self.values.append(value)

    def _sample(self):
        while not self._stop.wait(INTERVAL_SECONDS):
            self.take()

    def at(self, moment):
        """Counters at a moment in seconds since 1970, between the samples before and after it in proportion."""
        after = bisect.bisect_left(self.times, moment)
        if after == 0:
            return self.values[0]
        if after == len(self.times):
            return self.values[-1]
        begin, end = self.times[after - 1], self.times[after]
        part = (moment - begin) / (end - begin) if end > begin else 1.0
        first, last = self.values[after - 1], self.values[after]
        return {key: None if first[key] is None else first[key] + part * (last[key] - first[key]) for key in first}

    def phases(self, moment):
        """phase -> counter -> growth: the map phase up to that moment, the reduce phase after it."""
        cuts = self.values[0], self.at(moment), self.values[-1]
        return {
            phase: {key: None if first[key] is None else round(last[key] - first[key]) for key in first}
            for phase, first, last in zip(PHASES, cuts, cuts[1:])
        }


def last_map_end(tasks):
    """Seconds since 1970 at which the last map ended, from the history server's list of a job's maps."""
    return max(task["finishTime"] for task in tasks["tasks"]["task"]) / 1000
