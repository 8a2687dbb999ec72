# SPDX-License-Identifier: Apache-2.0
"""Apache Sqoop, with a database that the suite serves."""

import os

from mammoth_bench.ports import free_ports

from .framework import HERE, Framework

_MAIN = "org.apache.sqoop.Sqoop"
_ROWS = 20_000
_MORE = 1_500
_COLUMNS = (
    "ID INTEGER PRIMARY KEY, NAME VARCHAR(60), PRICE DECIMAL(12,2), WEIGHT DOUBLE, ADDED DATE, SEEN TIMESTAMP, SOLD BOOLEAN, "
    "STOCK BIGINT, NOTE VARCHAR(200)"
)
#: Values of all kinds, some of them none, and text with the separators of files in it.
_VALUES = (
    "SELECT N, 'good ' || MOD(N * 7919, 1009), CAST(N AS DECIMAL(12,2)) / 7, N / 3.0E0, "
    "DATE '2020-01-01' + MOD(N, 2000) DAY, TIMESTAMP '2021-03-04 05:06:07' + N SECOND, "
    "CASE WHEN MOD(N, 3) = 0 THEN TRUE ELSE FALSE END, CAST(N AS BIGINT) * 1000000007, "
    "CASE MOD(N, 5) WHEN 0 THEN NULL WHEN 1 THEN 'a, \"b\"' WHEN 2 THEN 'back\\slash' WHEN 3 THEN '' ELSE 'ünï' END "
    "FROM UNNEST(SEQUENCE_ARRAY({first}, {last}, 1)) AS T(N)"
)
_TEXT = ("--fields-terminated-by", ",", "--escaped-by", "\\", "--optionally-enclosed-by", '"')
#: They come to a file by way of a string in Java's source.
_NULLS = ("--null-string", "\\\\N", "--null-non-string", "\\\\N")
_INPUT = ("--input-fields-terminated-by", ",", "--input-escaped-by", "\\", "--input-optionally-enclosed-by", '"')
_INPUT_NULLS = ("--input-null-string", "\\\\N", "--input-null-non-string", "\\\\N")


class Sqoop(Framework):
    name = "sqoop"
    text = "a table to text, sequence and Avro files, by query, appended and merged, and from files back to tables"
    module = "sqoop"
    #: What is exported, its tool's options, and the table it goes to. Sequence files would need the class that their import has made.
    exports = {"text": ((*_INPUT, *_INPUT_NULLS), "FROM_TEXT"), "avro": ((), "FROM_AVRO")}

    def run(self, side):
        # One port and so one name of the database for both sides.
        self.port = getattr(self, "port", None) or free_ports(["database"])["database"]
        self.classpath = ":".join(self.jars())
        with side.server(
            "database", "org.hsqldb.server.Server", "--database.0", "mem:shop", "--dbname.0", "shop", "--address", "127.0.0.1",
            "--port", self.port, "--silent", "true", port=self.port, classpath=":".join(self.jars("hsqldb-*.jar")),
        ):
            self._chain(side)

    def _chain(self, side):
        for table in ("GOODS", *(table for _, table in self.exports.values())):
            self._sql(side, f"create-{table}", f"CREATE TABLE {table} ({_COLUMNS})")
        self._sql(side, "fill", f"INSERT INTO GOODS {_VALUES.format(first=1, last=_ROWS)}")
        self._import(side, "text", "-m", 3, *_TEXT, *_NULLS, "--validate")
        self._import(side, "sequence", "-m", 2, "--as-sequencefile")
        self._import(side, "avro", "-m", 2, "--split-by", "STOCK", "--as-avrodatafile")
        self._import(side, "zipped", "-m", 2, "--columns", "ID,NOTE,NAME", "--where", "ID > 500", "-z")
        self._tool(
            side, "query", "import", "--target-dir", f"{side.out}/query", "-m", 2, "--split-by", "ID",
            "--query", "SELECT ID, NAME, PRICE * 2 AS TWICE FROM GOODS WHERE SOLD AND $CONDITIONS", *_NULLS,
        )
        for name, (options, table) in self.exports.items():
            self._tool(side, f"export-{name}", "export", "--table", table, "--export-dir", f"{side.out}/{name}", "-m", 2, *options)
        # More rows and changed ones, which an append adds and a merge puts in the place of the old.
        self._import(side, "appended", "-m", 1, *_TEXT, *_NULLS)
        self._import(side, "merged", "-m", 2, *_TEXT, *_NULLS)
        self._sql(side, "more", f"INSERT INTO GOODS {_VALUES.format(first=_ROWS + 1, last=_ROWS + _MORE)}")
        self._sql(side, "change", "UPDATE GOODS SET NAME = 'sold out', SEEN = TIMESTAMP '2031-01-01 00:00:00' WHERE MOD(ID, 10) = 0")
        self._import(
            side, "append", "-m", 2, *_TEXT, *_NULLS, "--incremental", "append", "--check-column", "ID", "--last-value", _ROWS,
            target="appended",
        )
        self._import(
            side, "merge", "-m", 2, *_TEXT, *_NULLS, "--incremental", "lastmodified", "--check-column", "SEEN",
            "--last-value", "2030-01-01 00:00:00", "--merge-key", "ID", target="merged",
        )
        self._tool(
            side, "export-update", "export", "--table", "FROM_TEXT", "--export-dir", f"{side.out}/merged", "--update-key", "ID",
            "-m", 2, *_INPUT, *_INPUT_NULLS,
        )
        for _, table in self.exports.values():
            self._tool(
                side, f"read-{table}", "import", "--table", table, "--target-dir", f"{side.out}/{table}", "-m", 1, *_TEXT, *_NULLS,
            )

    def _import(self, side, label, *options, target=None):
        self._tool(side, label, "import", "--table", "GOODS", "--target-dir", f"{side.out}/{target or label}", *options)

    def _sql(self, side, label, statement):
        self._tool(side, label, "eval", "--query", statement)

    def _tool(self, side, label, tool, *options):
        connect = ("--connect", f"jdbc:hsqldb:hsql://127.0.0.1:{self.port}/shop", "--username", "SA")
        code = ()
        if tool != "eval":
            code = ("--outdir", os.path.join(side.work, "src"), "--bindir", self._code(side, label))
        side.hadoop(
            label, _MAIN, tool, *connect, *code, *options, classpath=self.classpath,
            # The client needs an older commons-cli than Hadoop's.
            env={"SQOOP_HOME": os.path.join(HERE, self.module, "target"), "HADOOP_USER_CLASSPATH_FIRST": "true"},
        )

    @staticmethod
    def _code(side, label):
        """Where Sqoop puts the class of a table's rows, in a jar."""
        return os.path.join(side.work, "code", label)

    def results(self, side):
        found = {name: side.lines(f"{side.out}/{name}/part-m-*") for name in ("text", "query", "appended")}
        found["zipped"] = side.text(f"{side.out}/zipped/part-m-*", self.classpath)
        found["avro"] = side.text(f"{side.out}/avro/part-m-*", self.classpath)
        row = os.path.join(self._code(side, "sequence"), "GOODS.jar")
        found["sequence"] = side.text(f"{side.out}/sequence/part-m-*", f"{row}:{self.classpath}")
        found["merged"] = side.lines(f"{side.out}/merged/part-*")
        for _, table in self.exports.values():
            # A table's rows have no order.
            found[table] = sorted(side.lines(f"{side.out}/{table}/part-m-*"))
        return found
