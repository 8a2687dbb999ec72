# SPDX-License-Identifier: Apache-2.0
"""Jobs with settings that nobody has chosen: what the *-default.xml of Hadoop list, with other values."""

import glob
import os
import random
import re
import xml.etree.ElementTree
import zipfile

from mammoth_bench import BenchError

from .framework import Framework, encoded

#: Jars of the release whose defaults a client or a task reads.
_DEFAULTS = {
    "mapreduce/hadoop-mapreduce-client-core-*.jar": "mapred-default.xml",
    "common/hadoop-common-3*.jar": "core-default.xml",
    "hdfs/hadoop-hdfs-3*.jar": "hdfs-default.xml",
}
#: Keys of daemons, of other file systems, of places, and of what another job or a server would have to be there for.
_LEFT_OUT = re.compile(
    r"^(dfs\.(namenode|datanode|journalnode|ha|federation|web|qj|balancer|mover|disk|provided|storage\.policy|image|edit|heartbeat|blockreport"
    r"|cachereport|nameservice|http|lock|block\.(scanner|invalidate|misrep|access)|encrypt|permissions|content-summary|pipeline|quota|secondary)"
    r"|fs\.(s3a|azure|ftp|adl|abfs|gs|viewfs|AbstractFileSystem|default)|hadoop\.(http|security|ssl|zk|registry|kerberos|prometheus|fuse|service|rpc)"
    r"|ipc\.(server|\[port|callqueue|scheduler|backoff|identity|cost)|ftp\.|nfs\.|adl\.|ha\.|httpfs\.|rpc\.|ssl\.|security\.|tfile\.|datanode\."
    r"|mapreduce\.(jobhistory|shuffle|cluster|framework|am\.max)|yarn\.app\.mapreduce\.shuffle|mapreduce\.job\.(sharedcache|emit-timeline))"
    # With these and other values no job runs, or none of these two.
    r"|\.version$|default-policy|https\.enabled|https\.client|ipc\.maximum|^dfs\.replication|cross-platform|input\.lineinput|\.name$"
    r"|test\.drop|erasurecoding\.enabled|^mapreduce\.job\.(maps|reduces|max\.map|counters\.max|split\.metainfo)|memory\.mb$|resource\.mb$|vcores$"
    r"|^mapreduce\.job\.cache\.limit|^mapreduce\.task\.profile$|jvm\.add-opens|domain\.socket\.data|fallback-to-simple|client\.read\.shortcircuit$|non\.threadsafe"
)
_WORDS = {
    "mapreduce.output.fileoutputformat.compress.type": "BLOCK",
    "mapreduce.output.fileoutputformat.compress.codec": "org.apache.hadoop.io.compress.GzipCodec",
    "mapreduce.map.output.compress.codec": "org.apache.hadoop.io.compress.GzipCodec",
    "map.sort.class": "org.apache.hadoop.util.HeapSort",
    "yarn.app.mapreduce.am.log.level": "DEBUG",
    "mapreduce.map.log.level": "DEBUG",
    "mapreduce.reduce.log.level": "WARN",
    "mapreduce.client.output.filter": "ALL",
    "mapreduce.job.tags": "one,two",
    "dfs.checksum.type": "CRC32",
    "hadoop.util.hash.type": "jenkins",
    "io.compression.codec.bzip2.library": "java-builtin",
    "fs.permissions.umask-mode": "077",
}
_TOGETHER = 8
#: What tells a message of one run from that of another.
_NAMES = re.compile(r"(job|application|attempt|task|container)_[0-9a-z_]+|\d+(\.\d+)*|/[^\s,:)]+")


class Settings(Framework):
    name = "settings"
    text = "two jobs with each setting of Hadoop's defaults at another value, several at a time"
    #: Some settings are meant to fail a job; both sides must then fail.
    may_fail = True

    def run(self, side):
        examples = side.jar("hadoop-mapreduce-examples-*.jar")
        side.hadoop("rows", "jar", examples, "teragen", "-D", "mapreduce.job.maps=3", 30_000, f"{side.out}/rows")
        self.outcomes = {}
        for number, group in enumerate(_groups(side.home)):
            if any(self._both(side, examples, f"g{number:02}", group)):
                # One that fails hides what the others do.
                for index, setting in enumerate(group):
                    self._both(side, examples, f"g{number:02}-{index}", [setting])

    def _both(self, side, examples, label, group):
        options = ["-D", "mapreduce.job.reduces=2", *(part for setting in group for part in ("-D", "=".join(setting)))]
        return [
            self._job(side, f"{label}-words", group, examples, "wordcount", *options, f"{side.input}/words"),
            self._job(side, f"{label}-sort", group, examples, "terasort", *options, f"{side.out}/rows"),
        ]

    def _job(self, side, label, group, examples, program, *arguments):
        options = ["-D", f"mapreduce.job.name={label}"]
        status = side.status(label, "jar", examples, program, *options, *arguments, f"{side.out}/{label}")
        told = [f"{' '.join('='.join(setting) for setting in group)}: {status}\n"]
        if status:
            with open(os.path.join(side.logs, f"{label}.log"), encoding="utf-8", errors="replace") as log:
                told += sorted({_NAMES.sub("*", line.strip()) + "\n" for line in log if line.startswith(("Error:", "Exception in"))})
        self.outcomes[label] = told
        return status

    def results(self, side):
        files = {}
        for line in side.output("fs", "-ls", "-R", side.out, classpath=""):
            parts = line.decode().split()
            if len(parts) == 8 and "/part-" in parts[7]:
                # Rights and replicas are set by settings, too.
                files.setdefault(parts[7].split("/")[-2], []).append(f"{parts[0]} {parts[1]} {parts[7].split('/')[-1]}\n")
        found = encoded(
            {**{f"{label} outcome": told for label, told in self.outcomes.items()}, **{f"{label} files": lines for label, lines in files.items()}}
        )
        for label, told in self.outcomes.items():
            if told[0].endswith(": 0\n"):
                found[label] = side.text(f"{side.out}/{label}/part-*", "")
        return found


def _groups(home):
    """The same in each run of a release: lists of (key, value)."""
    found = sorted(setting for pattern, name in _DEFAULTS.items() for setting in _others(home, pattern, name))
    random.Random(len(found)).shuffle(found)
    return [found[first : first + _TOGETHER] for first in range(0, len(found), _TOGETHER)]


def _others(home, pattern, name):
    jars = glob.glob(os.path.join(home, "share", "hadoop", pattern))
    jars = [jar for jar in jars if not jar.endswith("-tests.jar")]
    if len(jars) != 1:
        raise BenchError(f"not one {pattern} in {home}: {jars}")
    with zipfile.ZipFile(jars[0]) as jar, jar.open(name) as source:
        for entry in xml.etree.ElementTree.parse(source).getroot():
            key, value = entry.findtext("name", "").strip(), (entry.findtext("value") or "").strip()
            other = None if _LEFT_OUT.search(key) else _WORDS.get(key) or _other(key, value)
            if other is not None:
                yield key, other


def _other(key, value):
    rng = random.Random(key)
    if value in ("true", "false"):
        return "false" if value == "true" else "true"
    if re.fullmatch(r"-?\d+", value):
        number = int(value)
        if number < 0:
            return "1000000000"
        if number == 0 and key.endswith("size"):
            return "65536"
        return str(rng.choice({0: (1, 2), 1: (2, 3)}.get(number, (number * 2, (number + 1) // 2))))
    if re.fullmatch(r"0?\.\d+|[01]\.\d+", value):
        return str(rng.choice([other for other in (0.1, 0.5, 0.9) if other != float(value)]))
    return None
