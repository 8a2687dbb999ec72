// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.mammoth.compat.faults.TotalsRun.Shape;

/**
 * Local disks that are full, break or stand still while maps spill and reduces merge: with another
 * disk the job goes on, without one it fails with the disk's error, and never is its output wrong.
 *
 * <p>{@code mammoth.compat.faults} says how often each, {@code mammoth.compat.seed} at which
 * moments.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiskFaultsIT {
  private static final int ROUNDS = Integer.getInteger("mammoth.compat.faults", 1);
  private static final long SEED = Long.getLong("mammoth.compat.seed", 6);
  private static final int DISK_MB = 160;

  /** 23 MB of map output, nearly twice the pool: it goes to both disks of the node. */
  private static final Shape SHAPE = new Shape(10, 2, 20_000, 5_000, 100);

  private FaultCluster cluster;

  /** The second local directory of the node. */
  private TestDisk disk;

  @BeforeAll
  void start() throws Exception {
    String missing = TestDisk.missing();
    if (!missing.isEmpty()) {
      System.out.println("DISK FAULTS ARE NOT TESTED HERE: " + missing);
    }
    Assumptions.assumeTrue(missing.isEmpty(), missing);
    Path home =
        Path.of(
            System.getProperty("java.io.tmpdir"), "disk-faults-" + ProcessHandle.current().pid());
    disk = TestDisk.mount(home.resolve("disks"), "small", DISK_MB);
    cluster =
        FaultCluster.start(
            "disk-faults",
            Map.of(
                "yarn.nodemanager.local-dirs",
                home.resolve("local") + "," + disk.folder(),
                "yarn.nodemanager.disk-health-checker.interval-ms",
                "1000",
                "yarn.nodemanager.disk-health-checker.min-free-space-per-disk-mb",
                "0",
                "mammoth.io.full.free-mb",
                "100",
                "mammoth.io.full.retry-ms",
                "200",
                "mammoth.io.quarantine.time-ms",
                "1000"),
            List.of(Map.of()));
    run("", Map.of()).assertRight();
    cluster.assertClean();
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
    if (disk != null) {
      disk.close();
    }
  }

  private TotalsRun run(String gates, Map<String, String> more) throws Exception {
    Map<String, String> all =
        new HashMap<>(Map.of("mapreduce.job.reduce.slowstart.completedmaps", "0.05"));
    all.putAll(more);
    return TotalsRun.submit(cluster, SHAPE, SEED, gates, all);
  }

  private interface Fault {
    String happens(int round, Random random) throws Exception;
  }

  private void rounds(String name, Fault fault) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      String verdict = fault.happens(round, new Random(SEED + round));
      long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      cluster.assertClean();
      healthy();
      System.out.printf(
          "%s, round %d of %d, seed %d, %d ms: %s%n", name, round + 1, ROUNDS, SEED, took, verdict);
    }
  }

  /** Both the engine and YARN use the disk again. */
  private void healthy() {
    Awaitility.await("both local directories in use")
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              assertThat(
                      cluster
                          .cluster()
                          .node()
                          .getNodeHealthChecker()
                          .getDiskHandler()
                          .getLocalDirs())
                  .hasSize(2);
              assertThat(
                      cluster.snapshots().stream()
                          .flatMap(engine -> engine.disks().stream())
                          .flatMap(one -> one.dirs().stream()))
                  .isNotEmpty()
                  .allMatch(dir -> dir.state().equals("HEALTHY"));
            });
  }

  private static String books(TotalsRun run) throws Exception {
    return "right output, failed maps "
        + run.counter(JobCounter.NUM_FAILED_MAPS)
        + ", failed reduces "
        + run.counter(JobCounter.NUM_FAILED_REDUCES)
        + ", spilled records "
        + run.counter(TaskCounter.SPILLED_RECORDS);
  }

  private static String rightOr(TotalsRun run, String... errors) throws Exception {
    if (run.succeeds()) {
      run.assertRight();
      return books(run);
    }
    String text = run.diagnostics();
    assertThat(text).doesNotContain("WRONG BYTES");
    assertThat(errors).as("%s", text).anyMatch(text::contains);
    return "failed: " + text.replace('\n', ' ');
  }

  @Test
  void oneOfTwoDisksIsFull() throws Exception {
    rounds(
        "one of two disks full",
        (round, random) -> {
          String gate = "m-" + random.nextInt(SHAPE.maps()) + "-middle";
          TotalsRun run = run(gate, Map.of());
          run.reached(gate);
          disk.fill(1 + random.nextInt(3));
          run.open(gate);
          try {
            run.assertRight();
            return books(run);
          } finally {
            disk.empty();
          }
        });
  }

  @Test
  void oneOfTwoDisksBreaks() throws Exception {
    rounds(
        "one of two disks breaks",
        (round, random) -> {
          String gate = "m-" + random.nextInt(SHAPE.maps()) + "-middle";
          TotalsRun run = run(gate, Map.of());
          run.reached(gate);
          disk.fail();
          run.open(gate);
          try {
            return rightOr(run, "Input/output error", "mkdir of");
          } finally {
            disk.repair();
          }
        });
  }

  @Test
  void oneOfTwoDisksStandsStillForAWhile() throws Exception {
    rounds(
        "one of two disks stands still",
        (round, random) -> {
          String gate = "m-" + random.nextInt(SHAPE.maps()) + "-middle";
          TotalsRun run = run(gate, Map.of());
          run.reached(gate);
          disk.hold();
          run.open(gate);
          TimeUnit.MILLISECONDS.sleep(1000 + random.nextInt(3000));
          disk.letGo();
          run.assertRight();
          assertThat(run.counter(JobCounter.NUM_FAILED_MAPS)).isZero();
          assertThat(run.counter(JobCounter.NUM_FAILED_REDUCES)).isZero();
          return books(run);
        });
  }
}
