// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.streaming.StreamJob;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.api.status.EngineDecisions;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.api.status.MemoryUse;
import org.mammoth.api.status.NodeDecisions;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.NodeStatus;
import org.mammoth.compat.cluster.Probe;
import org.mammoth.compat.cluster.SharedCluster;

/**
 * What needs a process gets one: the result is right, the log says why, the job counts it; and the
 * node tells over HTTP what falls back and what runs in engines.
 */
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FallbackTest {
  private static final String GROUP = "org.mammoth.mapreduce.MammothCounter";
  private static final String COUNTER = "ENGINE_FALLBACKS";

  private JobCode code;

  @BeforeAll
  void pack(MiniCluster cluster) throws IOException {
    code = JobCode.ofThisModule(cluster.home().resolve("jars").resolve("fallback.jar"));
  }

  @Test
  void streamingNeedsNoProcess(MiniCluster cluster) throws Exception {
    Path input = new Path("/fallback/streaming/input");
    write(cluster.fs(), new Path(input, "text"), "the cat\nthe dog\n");
    java.nio.file.Path scripts = Files.createDirectories(cluster.home().resolve("streaming"));
    Files.writeString(
        scripts.resolve("split.py"),
        "import sys\nfor line in sys.stdin:\n  for word in line.split():\n    print(word + '\\t1')\n");
    Files.writeString(
        scripts.resolve("total.py"),
        "import sys\n"
            + "from itertools import groupby\n"
            + "pairs = (line.rstrip('\\n').split('\\t') for line in sys.stdin)\n"
            + "for word, group in groupby(pairs, lambda pair: pair[0]):\n"
            + "  print(word + '\\t' + str(sum(int(one[1]) for one in group)))\n");
    Configuration conf = cluster.conf();
    conf.set("mapreduce.job.tags", "fallback-streaming");
    conf.setInt("mapreduce.job.reduces", 1);
    String[] arguments = {
      "-files", scripts.resolve("split.py") + "," + scripts.resolve("total.py"),
      "-input", input.toString(),
      "-output", "/fallback/streaming/output",
      "-mapper", "python3 split.py",
      "-reducer", "python3 total.py"
    };
    assertThat(ToolRunner.run(conf, new StreamJob(), arguments)).isZero();
    assertThat(read(cluster.fs(), new Path("/fallback/streaming/output/part-00000")))
        .isEqualTo("cat\t1\ndog\t1\nthe\t2\n");
    ApplicationId application = cluster.applications("fallback-streaming").get(0);
    assertThat(cluster.counters(application).findCounter(GROUP, COUNTER).getValue())
        .as("fallbacks")
        .isZero();
  }

  @Test
  void filesReadByRelativeNameNeedNoProcess(MiniCluster cluster) throws Exception {
    Probe probe =
        Probe.of(
            cluster,
            code,
            "fallback-files",
            List.of(List.of("file table.txt", "library table.txt")));
    java.nio.file.Path table = cluster.home().resolve("table.txt");
    Files.writeString(table, "from the table\n");
    Path shared = new Path("/fallback/table.txt");
    cluster.fs().copyFromLocalFile(new Path(table.toUri()), shared);
    probe.job().addCacheFile(cluster.fs().makeQualified(shared).toUri());
    assertThat(probe.submit().await()).isTrue();
    assertThat(probe.answers())
        .containsEntry("file table.txt", List.of("from the table"))
        .containsEntry("library table.txt", List.of("from the table, from the table"));
    assertThat(probe.notes().ordinary()).isEmpty();
    assertThat(probe.fallbacks()).isZero();
  }

  @Test
  void javaOptionsThatSharedClassesMayRead(MiniCluster cluster) throws Exception {
    Probe probe =
        Probe.of(cluster, code, "fallback-options", List.of(List.of("property org.mammoth.own")));
    probe.job().getConfiguration().set("mapreduce.map.java.opts", "-Dorg.mammoth.own=yes");
    assertThat(probe.submit().await()).isTrue();
    assertThat(probe.answers()).containsEntry("property org.mammoth.own", List.of("yes"));
    assertFellBack(probe, "-Dorg.mammoth.own=yes");
  }

  @Test
  void propertiesAndVariablesOfItsOwnNeedNoProcess(MiniCluster cluster) throws Exception {
    Probe probe =
        Probe.of(
            cluster,
            code,
            "fallback-property",
            List.of(List.of("property mammoth.compat.own", "environment COMPAT_OWN")));
    probe.job().getConfiguration().set("mapreduce.map.java.opts", "-Dmammoth.compat.own=yes");
    probe.job().getConfiguration().set("mapreduce.map.env", "COMPAT_OWN=yes");
    assertThat(probe.submit().await()).isTrue();
    assertThat(probe.answers())
        .containsEntry("property mammoth.compat.own", List.of("yes"))
        .containsEntry("environment COMPAT_OWN", List.of("yes"));
    assertThat(probe.notes().ordinary()).isEmpty();
    assertThat(probe.fallbacks()).isZero();
  }

  @Test
  void variablesThatTheJvmReads(MiniCluster cluster) throws Exception {
    Probe probe =
        Probe.of(cluster, code, "fallback-environment", List.of(List.of("environment TZ")));
    probe.job().getConfiguration().set("mapreduce.map.env", "TZ=Asia/Tokyo");
    assertThat(probe.submit().await()).isTrue();
    assertThat(probe.answers()).containsEntry("environment TZ", List.of("Asia/Tokyo"));
    assertFellBack(probe, "sets TZ");
    assertThat(NodeStatus.snapshot(cluster).fallbacks().last())
        .anyMatch(
            one ->
                one.reason().contains("sets TZ")
                    && one.container().contains(idOf(probe.application())));
  }

  @Test
  void nothingFallsBackWithoutReasonAndTheNodeTellsOfIt(MiniCluster cluster) throws Exception {
    Probe probe =
        Probe.of(cluster, code, "fallback-none", List.of(List.of("pass"), List.of("sleep 4000")));
    String job = "job_" + idOf(probe.submit().application());
    int seen = 0;
    while (!probe.job().isComplete()) {
      for (EngineSnapshot engine : NodeStatus.taskEngines(cluster)) {
        assertAddsUp(engine.memory());
        boolean sleeping =
            engine.tasks().stream()
                .anyMatch(task -> task.job().equals(job) && task.phase().equals("MAP"));
        seen += sleeping ? 1 : 0;
      }
    }
    assertThat(seen).as("readings while a map of the job ran").isPositive();
    assertThat(probe.await()).isTrue();
    assertThat(probe.fallbacks()).isZero();
    assertThat(probe.notes().ordinary()).isEmpty();
    assertThat(probe.notes().byAttempt()).isNotEmpty();
    assertNumbered(cluster, job);
    assertThat(NodeStatus.metrics(cluster).fieldNames())
        .toIterable()
        .contains("PoolUsedBytes", "SpilledBytes", "DecisionsRoom", "IoWriteBytesActive");
  }

  private static void assertAddsUp(MemoryUse memory) {
    Map<String, Long> byKind =
        memory.leases().stream()
            .collect(
                Collectors.groupingBy(
                    MemoryUse.Lease::kind, Collectors.summingLong(MemoryUse.Lease::bytes)));
    memory
        .byKind()
        .forEach((kind, bytes) -> assertThat(byKind.getOrDefault(kind, 0L)).isEqualTo(bytes));
    assertThat(byKind.values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(memory.usedBytes())
        .isPositive()
        .isLessThanOrEqualTo(memory.capBytes());
    assertThat(memory.poolUsedBytes())
        .isEqualTo(
            byKind.getOrDefault("SORT", 0L)
                + byKind.getOrDefault("SEND", 0L)
                + byKind.getOrDefault("RECEIVE", 0L));
  }

  private static void assertNumbered(MiniCluster cluster, String job) throws IOException {
    boolean seen = false;
    for (NodeDecisions.Engine engine : NodeStatus.decisions(cluster).engines()) {
      List<Long> numbers =
          engine.decisions().stream().map(EngineDecisions.Decision::sequence).toList();
      for (int i = 1; i < numbers.size(); i++) {
        assertThat(numbers.get(i)).isEqualTo(numbers.get(i - 1) + 1);
      }
      if (!numbers.isEmpty()) {
        assertThat(engine.next()).isEqualTo(numbers.get(numbers.size() - 1) + 1);
      }
      seen |= engine.decisions().stream().anyMatch(one -> one.job().equals(job));
    }
    assertThat(seen).as("decisions for " + job).isTrue();
  }

  private static String idOf(ApplicationId application) {
    return application.toString().replace("application_", "");
  }

  private static void assertFellBack(Probe probe, String reason) throws IOException {
    assertThat(probe.notes().ordinary()).as("maps in ordinary containers").hasSize(1);
    assertThat(probe.fallbacks()).as("fallbacks").isPositive();
    assertThat(reasons(probe.application())).isNotEmpty().anyMatch(line -> line.contains(reason));
  }

  /** The NodeManager's lines about tasks of an application that went to ordinary containers. */
  private static List<String> reasons(ApplicationId application) throws IOException {
    String id = idOf(application);
    return Files.readAllLines(MiniCluster.log(), StandardCharsets.UTF_8).stream()
        .filter(line -> line.contains("runs in ordinary container") && line.contains(id))
        .toList();
  }

  private static void write(FileSystem fs, Path path, String text) throws IOException {
    try (OutputStream out = fs.create(path)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String read(FileSystem fs, Path path) throws IOException {
    try (var in = fs.open(path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
