// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.JobCounter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.compat.cluster.EngineBean;
import org.mammoth.compat.cluster.Engines;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.Probe;

/** A new engine rehearses while it has no tasks, makes way for a job, and leaves nothing behind. */
class RehearsalIT {

  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final List<List<String>> MAPS = List.of(List.of("say one"), List.of("say two"));

  /** Two maps and a reduce of three jobs. */
  private static final long TASKS = 9;

  @TempDir private Path temp;

  private static void run(MiniCluster cluster, JobCode code, String name) throws Exception {
    Probe probe = Probe.of(cluster, code, name, MAPS).submit();
    assertThat(probe.await()).as(name).isTrue();
    assertThat(probe.notes().ordinary()).as("tasks of " + name + " outside the engine").isEmpty();
    for (JobCounter bad :
        List.of(
            JobCounter.NUM_FAILED_MAPS,
            JobCounter.NUM_KILLED_MAPS,
            JobCounter.NUM_FAILED_REDUCES,
            JobCounter.NUM_KILLED_REDUCES)) {
      assertThat(probe.count(bad)).as(bad.name()).isZero();
    }
  }

  /** Other suites may have engines of the same user. */
  private static ProcessHandle engineOf(MiniCluster cluster) {
    return Engines.running().stream()
        .filter(engine -> Engines.home(engine).startsWith(cluster.home()))
        .findFirst()
        .orElseThrow();
  }

  private static EngineSnapshot snapshot(ProcessHandle engine) throws Exception {
    try (EngineBean bean = EngineBean.of(engine)) {
      return bean.snapshot();
    }
  }

  /** What the engine has logged of its rehearsal. */
  private static List<String> told(ProcessHandle engine) throws IOException {
    String name = "mammoth-" + Engines.home(engine).getFileName() + ".out";
    return Files.readAllLines(MiniCluster.log().resolveSibling(name)).stream()
        .filter(line -> line.contains(".Rehearsal:"))
        .toList();
  }

  private static void assertOnlyJobs(EngineSnapshot engine) {
    assertThat(engine.tasks()).isEmpty();
    assertThat(engine.draining()).isEmpty();
    assertThat(engine.counts().started()).as("tasks of the jobs alone").isEqualTo(TASKS);
    assertThat(engine.counts().finished()).isEqualTo(TASKS);
  }

  @Test
  void makesWayAndLeavesNothing() throws Exception {
    try (MiniCluster cluster =
        new MiniCluster(
            temp.resolve("cluster"),
            "org.mammoth.mapreduce.nodemanager.MammothContainerExecutor",
            // Other suites run on the same processors.
            Map.of("mammoth.engine.rehearsal.ms", "30000", "mammoth.engine.rehearsal.load", "1"))) {
      JobCode code =
          JobCode.ofThisModule(Files.createDirectories(temp.resolve("jars")).resolve("j.jar"));
      run(cluster, code, "first");
      ProcessHandle engine = engineOf(cluster);
      Path folder = Engines.home(engine).resolve("rehearsal");
      Awaitility.await("a rehearsal").atMost(PATIENCE).until(() -> Files.exists(folder));
      run(cluster, code, "second");
      Awaitility.await("the end of rehearsing")
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(told(engine)).anyMatch(line -> line.contains("Rehearsed")));
      assertThat(folder).doesNotExist();
      run(cluster, code, "third");
      assertThat(told(engine))
          .noneMatch(line -> line.contains("WARN"))
          .last()
          .asString()
          .matches(".*Rehearsed \\d+ jobs, [1-9]\\d* of which made way for others");
      // A job succeeds before its last container has ended.
      Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertOnlyJobs(snapshot(engine)));
    }
  }
}
