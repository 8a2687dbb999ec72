# SPDX-License-Identifier: Apache-2.0
"""Comparing the counters of jobs, but for those that docs/compatibility.md lets differ ("Counters") and that two runs of stock differ in.

What is left out follows the differential's list (CounterDiff, inEngineMemory), kind by kind.
"""

import re

_TASK = "org.apache.hadoop.mapreduce.TaskCounter"
_JOB = "org.apache.hadoop.mapreduce.JobCounter"
_FILE_SYSTEM = "org.apache.hadoop.mapreduce.FileSystemCounter"
_MAMMOTH = "org.mammoth.mapreduce."

_TIMES_AND_MEMORY = {
    "CPU_MILLISECONDS", "GC_TIME_MILLIS", "PHYSICAL_MEMORY_BYTES", "VIRTUAL_MEMORY_BYTES", "COMMITTED_HEAP_BYTES",
    "MAP_PHYSICAL_MEMORY_BYTES_MAX", "MAP_VIRTUAL_MEMORY_BYTES_MAX", "REDUCE_PHYSICAL_MEMORY_BYTES_MAX",
    "REDUCE_VIRTUAL_MEMORY_BYTES_MAX",
}
#: Times that frameworks count; Giraph says so in the name.
_SYSTEMML = "org.apache.sysml.runtime.matrix.mapred."
_TIMES_OF_OTHERS = {
    "parquet/timeread", "HBaseCounters/MILLIS_BETWEEN_NEXTS",
    f"{_SYSTEMML}MapperBase$Counters/MAP_TIME", f"{_SYSTEMML}ReduceBase$Counters/COMBINE_OR_REDUCE_TIME"}
_TIME_IN_NAME = " (ms)"
#: Numbers in names of counters that differ from run to run: of temporary folders and of jobs.
_RANDOM = re.compile(r"(?<=_tmp)-?\d+|(?<=job_)\d+_\d+")
#: Pig's splits are compressed, and name temporary folders; SystemML's folders have the client's process number in their names.
_PIG = "PigLatin:"
_RANDOM_SPLITS = {f"{_TASK}/SPLIT_RAW_BYTES", f"{_FILE_SYSTEM}/HDFS_BYTES_READ"}
#: Nutch's files are compressed and have moments in them.
_NUTCH = ("Nutch ", "FetchData")
_FORMATS = "org.apache.hadoop.mapreduce.lib."
#: Jobs whose tasks commit folders of the same name: who comes first makes them in the output, and two at once both do (FileOutputCommitter's
#: second algorithm).
_SHARED_FOLDERS = ("library multipleoutputs", "importtsv_")
_OPERATIONS = {f"{_FILE_SYSTEM}/HDFS_WRITE_OPS", f"{_FILE_SYSTEM}/HDFS_READ_OPS"}
#: Where tasks ran, and for how long.
_PLACES = ("MILLIS_", "SLOTS_MILLIS_", "MB_MILLIS_", "VCORES_MILLIS_")
#: Attempts are killed that turn out to need a process, and reduces, where the scheduler wants their room for maps; none of these two says
#: anything of the job. Failed ones do.
_ATTEMPTS = {"TOTAL_LAUNCHED_MAPS", "TOTAL_LAUNCHED_REDUCES", "NUM_KILLED_MAPS", "NUM_KILLED_REDUCES"}
#: A combiner runs as often as memory makes it.
_COMBINED = {
    "COMBINE_INPUT_RECORDS", "COMBINE_OUTPUT_RECORDS", "MAP_OUTPUT_MATERIALIZED_BYTES", "REDUCE_SHUFFLE_BYTES",
    "REDUCE_INPUT_RECORDS",
}
#: Equal keys in another order compress differently.
_COMPRESSED = {"MAP_OUTPUT_MATERIALIZED_BYTES", "REDUCE_SHUFFLE_BYTES"}
#: Of records that are taken at random.
_OF_MAP_OUTPUT = {"MAP_OUTPUT_BYTES", *_COMPRESSED}


class Job:
    """A job that has ended: its name, its counters as {group/counter: value}, and what decides which of them may differ."""

    def __init__(self, name, values, compressed=False):
        self.name = name
        self.values = {}
        for counter, value in values.items():
            named = _RANDOM.sub("-", counter)
            self.values[named] = self.values.get(named, 0) + value
        self.compressed = compressed

    def names_random(self):
        """Whether folders of random names stand in its splits."""
        return self.name.startswith(_PIG) or any(counter.startswith(_SYSTEMML) for counter in self.values)

    def commits_shared_folders(self):
        """Whether its operations depend on which of its tasks commits first."""
        return self.name.startswith(_SHARED_FOLDERS)

    def keeps_moments(self):
        """Whether the sizes of its files depend on when it ran."""
        return self.name.startswith(_NUTCH)

    def samples(self):
        """Whether it may be Pig's sampler, which takes records at random and writes one."""
        return self.name.startswith(_PIG) and self.values.get(f"{_TASK}/REDUCE_OUTPUT_RECORDS") == 1

    def combines(self):
        return self.values.get(f"{_TASK}/COMBINE_INPUT_RECORDS", 0) > 0

    def killed(self):
        return any(self.values.get(f"{_JOB}/{name}", 0) for name in ("NUM_KILLED_MAPS", "NUM_KILLED_REDUCES"))

    def ordinary(self):
        """Tasks that ran in ordinary containers."""
        return self.values.get(f"{_MAMMOTH}MammothCounter/ENGINE_FALLBACKS", 0)


def values(groups):
    """{group/counter: value} of what the history server answers."""
    return {
        f"{group['counterGroupName']}/{counter['name']}": counter["totalCounterValue"]
        for group in groups for counter in group["counter"]
    }


def compare(stock, mammoth):
    """Sentences about jobs whose counters differ; none if each of stock's has one of Mammoth's with the same.

    Jobs that a framework runs at once may come in another order, so each is looked for first, and only what is left over is
    compared in its order.
    """
    left = list(mammoth)
    alone = [job for job in stock if not _take(job, left)]
    found = [f"counters of {one.name}: {_told(_differences(one, other))}" for one, other in zip(alone, left)]
    if len(stock) != len(mammoth):
        found.append(f"{len(stock)} jobs ran on stock, {len(mammoth)} on Mammoth")
    return found


def _take(job, others):
    """Takes a job with the same counters out of the others, if there is one."""
    same = next((other for other in others if not _differences(job, other)), None)
    if same:
        others.remove(same)
    return same


def _differences(one, other):
    """(counter, value on either side or None if it is not listed)."""
    names = sorted({*one.values, *other.values})
    return [
        (name, one.values.get(name), other.values.get(name))
        for name in names if one.values.get(name) != other.values.get(name) and not _may_differ(name, (one, other))
    ]


def _may_differ(name, jobs):
    group, _, counter = name.partition("/")
    if name in _RANDOM_SPLITS and jobs[0].names_random():
        return True
    if name in _OPERATIONS and jobs[0].commits_shared_folders():
        return True
    if jobs[0].keeps_moments() and group.startswith((_FILE_SYSTEM, _FORMATS)) and "BYTES_" in counter:
        return True
    if group.startswith(_MAMMOTH) or name in _TIMES_OF_OTHERS or name.endswith(_TIME_IN_NAME):
        return True
    if group == _JOB:
        killed = any(job.killed() for job in jobs)
        return counter.startswith(_PLACES) or counter.endswith("_LOCAL_MAPS") or killed and counter in _ATTEMPTS
    if group == _FILE_SYSTEM:
        return counter.startswith("FILE_BYTES")
    return group == _TASK and (
        counter in _TIMES_AND_MEMORY
        or counter == "SPILLED_RECORDS"
        or counter in _COMBINED and any(job.combines() for job in jobs)
        or counter in _COMPRESSED and any(job.compressed for job in jobs)
        or counter in _OF_MAP_OUTPUT and any(job.samples() for job in jobs)
    )


def _told(differences):
    return ", ".join(
        f"{name.rpartition('.')[2]} is {_value(stock)} on stock and {_value(mammoth)} on Mammoth"
        for name, stock, mammoth in differences
    )


def _value(value):
    return "not listed" if value is None else value
