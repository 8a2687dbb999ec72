# SPDX-License-Identifier: Apache-2.0
"""Apache Hive, its queries as chains of MapReduce jobs."""

import os

from mammoth_bench import confdirs

from .framework import HERE, Framework

# Hive 4.0 is of the time of Java 8; these are what its client reaches into beyond what Hadoop's launchers open.
_OPENS = " ".join(f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in ("java.nio", "java.util.concurrent.atomic", "java.util.regex"))

# And what its tasks reach into, in a JVM of their own (Kryo reads the plan field by field).
_TASK_OPENS = " ".join(
    f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in ("java.lang", "java.net", "java.nio", "java.util", "java.util.concurrent.atomic", "java.util.regex")
)
_TASK_OPTS = f"{confdirs.CONTAINER_OPTS} {_TASK_OPENS}"


class Hive(Framework):
    name = "hive"
    text = "tables as text, ORC and Parquet; joins, group by, order by, windows, insert overwrite, a function of ours"
    module = "hive"
    scripts = ("tables", "queries", "formats")
    outputs = {
        "countries": True, "hosts": True, "windows": True, "semi": True, "multi_young": False, "multi_old": False,
        "orc": True, "parquet": True, "partitions": True,
    }

    def run(self, side):
        libraries = os.path.join(HERE, self.module, "target", "lib", "*")
        metastore = os.path.join(side.work, "metastore")
        scratch = os.path.join(side.work, "scratch")
        settings = {
            "hive.execution.engine": "mr",
            "mapreduce.map.java.opts": _TASK_OPTS,
            "mapreduce.reduce.java.opts": _TASK_OPTS,
            "javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={metastore};create=true",
            "datanucleus.schema.autoCreateAll": "true",
            "hive.metastore.schema.verification": "false",
            # Their tables are not among those that the metastore makes on its own.
            "hive.stats.column.autogather": "false",
            "metastore.try.direct.sql": "false",
            "hive.metastore.warehouse.dir": f"{side.out}/warehouse",
            "hive.metastore.warehouse.external.dir": f"{side.out}/external",
            "hive.exec.scratchdir": f"{side.out}/scratch",
            "hive.exec.local.scratchdir": scratch,
            # Its tasks need it, and neither Hadoop 3.4.2 nor the jar that Hive gives its tasks holds it.
            "hive.aux.jars.path": ",".join(f"file://{jar}" for jar in self.jars("commons-collections-3*.jar")),
            "hive.downloaded.resources.dir": os.path.join(side.work, "resources"),
            "hive.querylog.location": side.logs,
            "hive.exec.mode.local.auto": "false",
            # In a process of their own Hive 4.0.1's local tasks end with a NullPointerException (ExecDriver.main has no configuration yet).
            "hive.exec.submit.local.task.via.child": "false",
            "hive.exec.dynamic.partition.mode": "nonstrict",
            "hive.server2.logging.operation.enabled": "false",
        }
        options = [word for key, value in settings.items() for word in ("--hiveconf", f"{key}={value}")]
        for script in self.scripts:
            side.hadoop(
                script, "org.apache.hadoop.hive.cli.CliDriver", *options,
                "--hivevar", f"in={side.input}", "--hivevar", f"out={side.out}", "--hivevar", f"jobs={self.jobs_jar()}",
                "-f", os.path.join(HERE, "hive", "src", "main", "hive", f"{script}.sql"), classpath=libraries,
                env={"HADOOP_HOME": side.home, "HADOOP_CLIENT_OPTS": f"-Xmx1g {_OPENS} -Dderby.stream.error.file={side.logs}/derby.log"},
            )

    def results(self, side):
        found = {}
        for name, ordered in self.outputs.items():
            lines = side.lines(f"{side.out}/{name}/*")
            found[name] = lines if ordered else sorted(lines)
        return found
