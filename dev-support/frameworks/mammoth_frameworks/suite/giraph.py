# SPDX-License-Identifier: Apache-2.0
"""Apache Giraph."""

from .framework import Framework

_FORMATS = "org.apache.giraph.io.formats"
_EXAMPLES = "org.apache.giraph.examples"
_JSON = f"{_FORMATS}.JsonLongDoubleFloatDoubleVertexInputFormat"
#: As Hadoop has them, but for log4j: the ZooKeeper that Giraph runs in a task looks for a part of it that Hadoop's has no more.
_SYSTEM_CLASSES = (
    "-org.apache.log4j.,java.,javax.accessibility.,javax.annotation.,javax.crypto.,javax.management.,javax.naming.,javax.net.,"
    "javax.script.,javax.security.auth.,javax.security.cert.,javax.security.sasl.,javax.sql.,javax.xml.,org.w3c.dom.,org.xml.sax.,"
    "org.apache.commons.logging.,org.apache.hadoop.,core-default.xml,hdfs-default.xml,mapred-default.xml,yarn-default.xml"
)


class Giraph(Framework):
    name = "giraph"
    text = "shortest paths, ranks by aggregators, components and strong components of a graph, by workers that talk to each other"
    module = "giraph"
    #: Giraph puts its classes before Hadoop's, and with a class loader of the job's there is nothing to put.
    loader = ("-Dmapreduce.job.classloader=true", f"-Dmapreduce.job.classloader.system.classes={_SYSTEM_CLASSES}")
    #: Name: (Hadoop's options, the example, the graph, workers, Giraph's options).
    chain = {
        "first": ((), "SimpleShortestPathsComputation", "graph-json", 2, ("-vif", _JSON)),
        "paths": (loader, "SimpleShortestPathsComputation", "graph-json", 2, ("-vif", _JSON)),
        "ranks": (
            loader, "SimplePageRankComputation", "graph-json", 1,
            (
                "-vif", _JSON, "-mc", f"{_EXAMPLES}.SimplePageRankComputation$SimplePageRankMasterCompute",
                "-wc", f"{_EXAMPLES}.SimplePageRankComputation$SimplePageRankWorkerContext",
            ),
        ),
        "components": (
            loader, "ConnectedComponentsComputation", "graph-both", 2,
            ("-vif", f"{_FORMATS}.IntIntNullTextInputFormat"),
        ),
        "strong": (
            loader, "scc.SccComputation", "graph-lines", 2,
            ("-vif", f"{_EXAMPLES}.scc.SccLongLongNullTextInputFormat", "-mc", f"{_EXAMPLES}.scc.SccPhaseMasterCompute"),
        ),
    }

    def run(self, side):
        own = self.jars()
        runner = self.jars("giraph-examples-*.jar")[0]
        for name, (hadoop, example, graph, workers, giraph) in self.chain.items():
            # Any tracker but "local" tells Giraph that its tasks run at once.
            side.hadoop(
                name, "jar", runner, "org.apache.giraph.GiraphRunner", *hadoop, "-libjars", ",".join(own),
                f"{_EXAMPLES}.{example}", "-w", workers, *giraph, "-vip", f"{side.input}/{graph}",
                "-vof", f"{_FORMATS}.IdWithValueTextOutputFormat", "-op", f"{side.out}/{name}", "-ca", "mapreduce.jobtracker.address=yarn",
                classpath=":".join(own),
            )

    def results(self, side):
        # Partitions have no order.
        found = {name: sorted(side.lines(f"{side.out}/{name}/part-*")) for name in self.chain}
        found["ranks"] = [_rounded(line) for line in found["ranks"]]
        return found


def _rounded(line):
    """Sums go by the order in which messages come."""
    vertex, _, value = line.decode().partition("\t")
    return f"{vertex}\t{float(value):.9e}\n".encode()
