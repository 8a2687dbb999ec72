# SPDX-License-Identifier: Apache-2.0
"""The tools that come with Hadoop and run jobs."""

import glob
import os

from mammoth_bench import BenchError

from .framework import HERE, Framework

_SCRIPTS = os.path.join(HERE, "tools")


class Tools(Framework):
    name = "tools"
    text = "streaming with scripts of ours, with shell commands, with typed bytes and with a partitioner; an archive (har) and a job on it"

    def run(self, side):
        common = os.path.join(side.work, "common.txt")
        with open(common, "w", encoding="utf-8") as out:
            out.write("ba ce di fo gu\n")
        files = ",".join([os.path.join(_SCRIPTS, name) for name in ("words.py", "count.py")] + [common])
        self._stream(
            side, "scripts", "-D", "mapreduce.job.reduces=2", "-files", files, "-input", f"{side.input}/words",
            "-output", f"{side.out}/scripts", "-mapper", "python3 words.py", "-combiner", "python3 count.py",
            "-reducer", "python3 count.py", "-cmdenv", "MARK=common-",
        )
        self._stream(
            side, "commands", "-D", "mapreduce.job.reduces=1", "-D", "stream.num.map.output.key.fields=2",
            "-input", f"{side.input}/visits", "-output", f"{side.out}/commands", "-mapper", "cut -f 1,2",
            "-reducer", "uniq -c",
        )
        self._stream(
            side, "fields", "-D", "mapreduce.job.reduces=3", "-D", "stream.num.map.output.key.fields=4",
            "-D", "mapreduce.map.output.key.field.separator=\t", "-D", "mapreduce.partition.keypartitioner.options=-k2,2",
            "-D", "mapreduce.job.output.key.comparator.class=org.apache.hadoop.mapreduce.lib.partition.KeyFieldBasedComparator",
            "-D", "mapreduce.partition.keycomparator.options=-k2,2 -k4,4nr -k3,3n",
            "-input", f"{side.input}/visits", "-output", f"{side.out}/fields", "-mapper", "cat", "-reducer", "cat",
            "-partitioner", "org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner",
        )
        self._stream(
            side, "aggregate", "-D", "mapreduce.job.reduces=2", "-input", f"{side.input}/visits", "-output", f"{side.out}/aggregate",
            "-mapper", "awk -F\\t '{print \"LongValueSum:\" $1 \"\\t\" $4; print \"UniqValueCount:pages of \" $1 \"\\t\" $2}'",
            "-reducer", "aggregate",
        )
        self._stream(
            side, "typed", "-D", "mapreduce.job.reduces=1", "-io", "typedbytes", "-input", f"{side.input}/users",
            "-output", f"{side.out}/typed", "-mapper", "cat", "-reducer", "cat", "-inputformat",
            "org.apache.hadoop.mapred.TextInputFormat", "-outputformat", "org.apache.hadoop.mapred.SequenceFileOutputFormat",
        )
        side.hadoop("archive", "archive", "-archiveName", "texts.har", "-p", side.input, "texts", "words", side.out)
        self._stream(
            side, "archived", "-D", "mapreduce.job.reduces=1", "-input", f"har://{side.out}/texts.har/words",
            "-output", f"{side.out}/archived", "-mapper", "cat", "-reducer", "wc -l",
        )

    def _stream(self, side, label, *arguments):
        side.hadoop(label, "jar", _streaming_jar(side), "-D", "mapreduce.job.name=" + label, *arguments)

    def results(self, side):
        found = {
            name: side.lines(f"{side.out}/{name}/part-*") for name in ("scripts", "commands", "fields", "aggregate", "archived")
        }
        found["typed"] = side.text(f"{side.out}/typed/part-*", _streaming_jar(side))
        found["har index"] = [line.split()[0] + b"\n" for line in side.lines(f"{side.out}/texts.har/_index")]
        return found


def _streaming_jar(side):
    jars = glob.glob(os.path.join(side.home, "share", "hadoop", "tools", "lib", "hadoop-streaming-*.jar"))
    if not jars:
        raise BenchError(f"no streaming jar in {side.home}")
    return jars[0]
