# SPDX-License-Identifier: Apache-2.0
"""Apache HBase's jobs, with an HBase that the suite runs in one process."""

import os
from xml.sax.saxutils import escape

from mammoth_bench.ports import free_ports

from .framework import Framework

_HBASE = "org.apache.hadoop.hbase"
#: What bin/hbase gives HBase's servers from Java 11 on, for the parts that are used here.
_OPENS = " ".join(
    f"--add-opens=java.base/{package}=ALL-UNNAMED"
    for package in ("java.lang", "java.lang.reflect", "java.nio", "java.util", "java.util.concurrent", "jdk.internal.ref", "sun.nio.ch")
)
#: The first and the last time of a visit.
_REGIONS = ("--firstrow", "1700000000", "--lastrow", "1700240000")
_COPIES = ("imported", "copied")


class HBase(Framework):
    name = "hbase"
    text = "lines to tables and to HFiles, which are loaded; rows and cells counted, tables exported, imported, copied, hashed and compared"
    module = "hbase"

    def run(self, side):
        self.port = getattr(self, "port", None) or free_ports(["zookeeper"])["zookeeper"]
        conf = self._configure(side)
        self.classpath = ":".join([conf, *self.jars()])
        with side.server(
            "server", f"{_HBASE}.master.HMaster", "start", port=self.port, classpath=self.classpath,
            env={"HADOOP_CLIENT_OPTS": f"-Xmx768m {_OPENS}"},
        ):
            self._chain(side)

    def _configure(self, side):
        """The configuration of the server and of all clients: one process, its files in HDFS."""
        settings = {
            "hbase.rootdir": f"{side.out}/hbase",
            "hbase.tmp.dir": os.path.join(side.work, "tmp"),
            "hbase.cluster.distributed": "false",
            "hbase.zookeeper.quorum": "127.0.0.1",
            "hbase.zookeeper.property.clientPort": self.port,
            "hbase.master.hostname": "localhost",
            "hbase.unsafe.regionserver.hostname": "localhost",
            "hbase.master.info.port": -1,
            "hbase.regionserver.info.port": -1,
            # The other one is written against insides of HDFS.
            "hbase.wal.provider": "filesystem",
        }
        folder = os.path.join(side.work, "conf")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "hbase-site.xml"), "w", encoding="utf-8") as out:
            out.write("<configuration>\n")
            for key, value in settings.items():
                out.write(f"  <property><name>{key}</name><value>{escape(str(value))}</value></property>\n")
            out.write("</configuration>\n")
        return folder

    def _chain(self, side):
        for table in ("visits", "users", *_COPIES):
            self._tool(side, f"create-{table}", "util.RegionSplitter", table, "DecimalStringSplit", "-c", 3, "-f", "f", *_REGIONS)
        self._job(
            side, "users", "importtsv", "-Dimporttsv.columns=HBASE_ROW_KEY,f:country,f:age", "-Dimporttsv.timestamp=1700000000000", "users",
            f"{side.input}/users",
        )
        columns = "-Dimporttsv.columns=f:user,f:url,HBASE_ROW_KEY,f:bytes"
        for name in ("kept", "loaded"):
            self._job(
                side, name, "importtsv", columns, "-Dimporttsv.timestamp=1700000000000", f"-Dimporttsv.bulk.output={side.out}/{name}",
                "visits", f"{side.input}/visits",
            )
        self._job(side, "load", "completebulkload", f"{side.out}/loaded", "visits")
        self._job(side, "rows", "rowcounter", "visits")
        self._job(side, "few-rows", "rowcounter", "visits", "--range=17000000,17000300", "f:user")
        self._job(side, "cells", "CellCounter", "users", f"{side.out}/cells", ";")
        self._job(side, "export", "export", "visits", f"{side.out}/exported")
        self._job(side, "import", "import", "imported", f"{side.out}/exported")
        self._job(side, "import-files", "import", f"-Dimport.bulk.output={side.out}/files", "imported", f"{side.out}/exported")
        self._job(side, "copy", "copytable", "--new.name=copied", "--startrow=1700000000", "--stoprow=1700100000", "visits")
        self._tool(side, "hash", "mapreduce.HashTable", "--numhashfiles=3", "visits", f"{side.out}/hashes")
        self._tool(side, "compare", "mapreduce.SyncTable", "--dryrun=true", f"{side.out}/hashes", "visits", "copied")
        self._tool(side, "synchronize", "mapreduce.SyncTable", f"{side.out}/hashes", "visits", "copied")
        self._job(side, "synchronized", "export", "copied", f"{side.out}/synchronized")
        self._job(side, "copied-files", "import", f"-Dimport.bulk.output={side.out}/copied", "copied", f"{side.out}/synchronized")

    def _job(self, side, label, *arguments):
        side.hadoop(label, "jar", self.jars("hbase-mapreduce-*.jar")[0], *arguments, classpath=self.classpath)

    def _tool(self, side, label, main, *arguments):
        side.hadoop(label, f"{_HBASE}.{main}", *arguments, classpath=self.classpath)

    def results(self, side):
        found = {"cells": side.lines(f"{side.out}/cells/part-*")}
        for name in ("kept", "files", "copied"):
            printed = []
            for path in side.files(f"{side.out}/{name}/f/*"):
                printed += side.output(f"{_HBASE}.io.hfile.HFilePrettyPrinter", "-p", "-f", path, classpath=self.classpath)
            # Of regions, each of which has a file of a name by chance.
            found[name] = sorted(line for line in printed if line.startswith(b"K: "))
        return found
