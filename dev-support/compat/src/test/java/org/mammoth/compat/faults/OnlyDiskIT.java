// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.mammoth.compat.faults.TotalsRun.Shape;

/**
 * The node's only local disk gets full while maps spill: the job fails with the error that stock
 * gives, or finds room enough; it neither hangs nor is its output wrong, and the engine serves the
 * next job as soon as there is room.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OnlyDiskIT {
  private static final int ROUNDS = Integer.getInteger("mammoth.compat.faults", 1);
  private static final long SEED = Long.getLong("mammoth.compat.seed", 8);
  private static final int DISK_MB = 200;

  /** 23 MB of map output. */
  private static final Shape SHAPE = new Shape(10, 2, 20_000, 5_000, 100);

  private FaultCluster cluster;
  private TestDisk disk;

  @BeforeAll
  void start() throws Exception {
    String missing = TestDisk.missing();
    if (!missing.isEmpty()) {
      System.out.println("THE FULL DISK IS NOT TESTED HERE: " + missing);
    }
    Assumptions.assumeTrue(missing.isEmpty(), missing);
    Path home =
        Path.of(System.getProperty("java.io.tmpdir"), "only-disk-" + ProcessHandle.current().pid());
    disk = TestDisk.mount(home.resolve("disks"), "only", DISK_MB);
    cluster =
        FaultCluster.start(
            "only-disk",
            Map.of(
                "yarn.nodemanager.local-dirs", disk.folder().toString(),
                // YARN itself would take the node out of service, and jobs wait for another one.
                "yarn.nodemanager.disk-health-checker.enable", "false",
                "mammoth.io.full.free-mb", "8",
                "mammoth.io.full.retry-ms", "200",
                "mammoth.io.quarantine.time-ms", "1000"),
            List.of(Map.of()));
    run("").assertRight();
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

  private TotalsRun run(String gates) throws Exception {
    return TotalsRun.submit(
        cluster,
        SHAPE,
        SEED,
        gates,
        Map.of(
            "mapreduce.job.reduce.slowstart.completedmaps", "0.05",
            "mapreduce.map.maxattempts", "2",
            "mapreduce.reduce.maxattempts", "2"));
  }

  @Test
  void theOnlyDiskIsFull() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(SEED + round);
      long start = System.nanoTime();
      String gate = "m-" + random.nextInt(SHAPE.maps()) + "-middle";
      TotalsRun run = run(gate);
      run.reached(gate);
      int left = random.nextInt(4);
      disk.fill(left);
      run.open(gate);
      String verdict;
      try {
        verdict = ending(run);
      } finally {
        disk.empty();
      }
      long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      cluster.assertClean();
      System.out.printf(
          "the only disk is full, round %d of %d, seed %d, %d ms: %d MB left, %s%n",
          round + 1, ROUNDS, SEED, took, left, verdict);
      run("").assertRight();
    }
  }

  private static String ending(TotalsRun run) throws Exception {
    if (run.succeeds()) {
      run.assertRight();
      return "right output";
    }
    String text = run.diagnostics();
    assertThat(text).doesNotContain("WRONG BYTES");
    assertThat(List.of("No space left on device", "Could not find any valid local directory"))
        .as("%s", text)
        .anyMatch(text::contains);
    return "failed: " + text.replace('\n', ' ');
  }
}
