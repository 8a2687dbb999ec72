// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.Probe;
import org.mammoth.compat.cluster.SharedCluster;

/**
 * Tasks of one engine share a heap: each gets what its own -Xmx would have given it, and who wants
 * more fails as in a process, without harm to those beside it.
 */
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long") // until it has been seen with the containers' state machine
class SharedHeapIT {

  private static final String LARGE = "org.mammoth.compat.jobs.LargeJob";
  private static final String EXHAUSTED = "Error: Java heap space";
  private static final List<TaskCounter> SAME =
      List.of(
          TaskCounter.MAP_INPUT_RECORDS,
          TaskCounter.MAP_OUTPUT_RECORDS,
          TaskCounter.REDUCE_INPUT_RECORDS,
          TaskCounter.REDUCE_INPUT_GROUPS,
          TaskCounter.REDUCE_OUTPUT_RECORDS);

  private JobCode code;

  @BeforeAll
  void pack(MiniCluster cluster) throws IOException {
    code = JobCode.ofThisModule(cluster.home().resolve("jars").resolve("heap.jar"));
  }

  private static void ordinary(Probe probe) {
    probe.job().getConfiguration().setBoolean("mammoth.engine.enabled", false);
  }

  private static void assertNothingFailed(Probe probe) throws IOException {
    for (JobCounter counter :
        List.of(
            JobCounter.NUM_FAILED_MAPS,
            JobCounter.NUM_KILLED_MAPS,
            JobCounter.NUM_FAILED_REDUCES,
            JobCounter.NUM_KILLED_REDUCES)) {
      assertThat(probe.count(counter)).as(counter.name()).isZero();
    }
  }

  /**
   * Records that once took four times their size of the heap. More of them than the cache pool
   * holds, so that they pass through memory and through disks.
   */
  @Test
  void recordsThatFitAProcessFitTheEngine(MiniCluster cluster) throws Exception {
    List<List<String>> maps =
        List.of(
            List.of("3 104857600", "1 104857600", "7 40", "5 30000000"),
            List.of("4 104857600", "2 20", "1 20", "6 104857600", "8 2000000"));
    List<Probe> sides = new ArrayList<>();
    for (String side : List.of("engine", "stock")) {
      Probe probe = Probe.of(cluster, code, LARGE, "large-" + side, maps);
      Configuration conf = probe.job().getConfiguration();
      conf.setInt(MRJobConfig.MAP_MEMORY_MB, 1024);
      conf.setInt(MRJobConfig.REDUCE_MEMORY_MB, 1024);
      if (side.equals("stock")) {
        ordinary(probe);
      }
      assertThat(probe.submit().await()).as(side).isTrue();
      assertNothingFailed(probe);
      sides.add(probe);
    }
    Probe engine = sides.get(0);
    Probe stock = sides.get(1);
    assertThat(engine.notes().ordinary()).isEmpty();
    assertThat(sorted(engine.answers())).isEqualTo(sorted(stock.answers())).hasSize(8);
    for (TaskCounter counter : SAME) {
      assertThat(engine.job().getCounters().findCounter(counter).getValue())
          .as(counter.name())
          .isEqualTo(stock.job().getCounters().findCounter(counter).getValue());
    }
  }

  @Test
  void whoLeaksFailsAsInAProcessAndNobodyElse(MiniCluster cluster) throws Exception {
    Probe stock = Probe.of(cluster, code, "leak-stock", List.of(List.of("leak 400")));
    ordinary(stock);
    assertThat(stock.submit().await()).isFalse();

    List<Probe> neighbours = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      List<String> lines = List.of("churn 20000", "pass");
      neighbours.add(
          Probe.of(cluster, code, "leak-neighbour-" + i, List.of(lines, lines)).submit());
    }
    Probe leaking = Probe.of(cluster, code, "leak", List.of(List.of("leak 400")));
    assertThat(leaking.submit().await()).isFalse();
    List<String> failures = leaking.failures();
    // On stock it is at times another thread of the process that meets the error and halts it.
    assertThat(stock.failures())
        .hasSize(4)
        .allMatch(text -> text.equals(EXHAUSTED) || text.contains("Halting due to Out Of Memory"));
    assertThat(failures).hasSize(4);
    assertThat(failures.stream().filter(text -> text.equals(EXHAUSTED)).count())
        .as("attempts that failed as most do on stock, those in the engine among them")
        .isGreaterThanOrEqualTo(4 - leaking.notes().ordinary().size());
    // While its heap is full, and while it is replaced, an engine takes no tasks.
    List<String> ordinary = leaking.notes().ordinary();
    assertThat(ordinary).noneMatch(attempt -> attempt.endsWith("_0")).hasSizeLessThan(4);
    assertThat(syslogs(cluster, leaking))
        .filteredOn(text -> text.contains("Error running child : java.lang.OutOfMemoryError"))
        // Those of engines: a JVM's own error has no stack when there is no memory for it.
        .filteredOn(text -> text.contains("org.mammoth.mapreduce.engine."))
        .as("logs that say where the leaking task stood")
        .hasSizeGreaterThanOrEqualTo(4 - ordinary.size())
        .allMatch(text -> text.contains("at org.mammoth.compat.jobs.ProbeMapper.leak"));

    Probe alone = Probe.of(cluster, code, "leak-alone", List.of(List.of("churn 20000", "pass")));
    ordinary(alone);
    assertThat(alone.submit().await()).isTrue();
    for (Probe neighbour : neighbours) {
      assertThat(neighbour.await()).isTrue();
      assertThat(neighbour.count(JobCounter.NUM_FAILED_MAPS)).isZero();
      assertThat(neighbour.answers().get("churn 20000"))
          .hasSize(2)
          .containsOnly(alone.answers().get("churn 20000").get(0));
    }
  }

  /** Answers by key; which of two maps answers first is nobody's promise. */
  private static Map<String, List<String>> sorted(Map<String, List<String>> answers) {
    Map<String, List<String>> sorted = new TreeMap<>();
    answers.forEach((key, values) -> sorted.put(key, values.stream().sorted().toList()));
    return sorted;
  }

  /** The syslogs of a job's containers. */
  private static List<String> syslogs(MiniCluster cluster, Probe probe) throws IOException {
    String application = probe.application().toString();
    List<String> texts = new ArrayList<>();
    try (Stream<java.nio.file.Path> files = Files.walk(cluster.home().resolve("logs"))) {
      for (java.nio.file.Path file : files.toList()) {
        if (file.getFileName().toString().equals("syslog")
            && file.toString().contains(application)) {
          texts.add(Files.readString(file, StandardCharsets.UTF_8));
        }
      }
    }
    return texts;
  }

  @Test
  void whoAsksForMoreThanAnEngineHasGetsAProcess(MiniCluster cluster) throws Exception {
    Probe probe = Probe.of(cluster, code, "heap-too-large", List.of(List.of("pass")));
    Configuration conf = probe.job().getConfiguration();
    conf.setInt(MRJobConfig.MAP_MEMORY_MB, 2048);
    conf.set("mapreduce.map.java.opts", "-Xmx1500m");
    assertThat(probe.submit().await()).isTrue();
    assertThat(probe.notes().ordinary()).hasSize(1);
    assertThat(probe.fallbacks()).isEqualTo(1);
    assertNothingFailed(probe);
    assertThat(Files.readString(MiniCluster.log(), StandardCharsets.UTF_8))
        .contains("its heap of up to 1500 MiB");
  }

  /**
   * Upstream's TestJobCounters does so: its task is alone in its engine and takes more than that
   * has, though not more than it was promised. Nobody's fault, so it has all its attempts left.
   */
  @Test
  void whoIsAloneAndDoesNotFitTheEngineGetsAProcess(MiniCluster cluster) throws Exception {
    Probe probe = Probe.of(cluster, code, "heap-of-its-own", List.of(List.of("keep 1180")));
    Configuration conf = probe.job().getConfiguration();
    conf.setInt(MRJobConfig.MAP_MEMORY_MB, 2048);
    conf.set("mapreduce.map.java.opts", "-Xmx1200m");
    conf.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, 1);
    assertThat(probe.submit().await()).as("a process has no room for it either").isFalse();
    assertThat(probe.count(JobCounter.NUM_KILLED_MAPS)).as("tries in engines").isEqualTo(2);
    assertThat(probe.failures())
        .hasSize(1)
        .allMatch(text -> text.equals(EXHAUSTED) || text.contains("Halting due to Out Of Memory"));
    assertThat(probe.notes().ordinary()).hasSize(1).allMatch(attempt -> attempt.endsWith("_2"));
    assertThat(Files.readString(MiniCluster.log(), StandardCharsets.UTF_8))
        .contains("The engine's heap has no room for the task's -Xmx, though it ran alone there");
    awaitNewEngine(cluster);
  }

  /** An engine that ran out of memory is replaced when it has ended; other tests want one. */
  private void awaitNewEngine(MiniCluster cluster) throws Exception {
    for (int i = 0; i < 10; i++) {
      Probe pass = Probe.of(cluster, code, "engine-again-" + i, List.of(List.of("pass")));
      assertThat(pass.submit().await()).isTrue();
      if (pass.notes().ordinary().isEmpty()) {
        return;
      }
    }
    throw new AssertionError("no engine takes tasks again");
  }
}
