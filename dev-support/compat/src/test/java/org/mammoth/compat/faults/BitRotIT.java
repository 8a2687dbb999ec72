// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.mammoth.compat.cluster.Engines;
import org.mammoth.compat.faults.TotalsRun.Shape;

/**
 * Disks that flip bits in whatever a job keeps on them, at any time, while engines die: map output,
 * spills, their indexes, received segments, merged ones. Nobody chose which file, when, or in which
 * way it is read. The output is right or the job fails and says that a disk has damaged something;
 * a wrong byte reaches no reduce.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BitRotIT {

  private static final int ROUNDS = Integer.getInteger("mammoth.compat.faults", 3);
  private static final long SEED = Long.getLong("mammoth.compat.seed", System.nanoTime() % 100_000);

  private static final List<String> MERGES =
      List.of("auto", "spill", "levitated", "virtual", "node");
  private static final List<Shape> SHAPES =
      List.of(
          new Shape(12, 3, 20_000, 5_000, 100),
          new Shape(6, 3, 60_000, 5_000, 100),
          new Shape(30, 2, 4_000, 2_000, 200),
          new Shape(8, 2, 300, 50, 20_000));

  private FaultCluster cluster;

  @BeforeAll
  void start() throws Exception {
    cluster =
        FaultCluster.start(
            "bit-rot", Map.of(), List.of(Map.of(), Map.of("mammoth.memory.pool-fraction", "0.02")));
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void aWrongByteReachesNoReduce() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      // Seeds in a row begin alike.
      Random random = new Random((SEED + round) * 0x9E3779B97F4A7C15L);
      Map<String, String> settings = settings(random);
      Shape shape = SHAPES.get(random.nextInt(SHAPES.size()));
      String last = "m-" + (shape.maps() - 1) + "-end";
      TotalsRun run =
          TotalsRun.submit(
              cluster, shape, SEED + round, random.nextBoolean() ? last : "", settings);
      List<String> harmed = rot(run, random, last);
      String verdict = verdict(run);
      cluster.assertClean();
      System.out.printf(
          "bit rot, round %d of %d, seed %d: %s, %s, %d bits in %s: %s%n",
          round + 1, ROUNDS, SEED + round, shape, settings, harmed.size(), harmed, verdict);
    }
  }

  private static Map<String, String> settings(Random random) {
    Map<String, String> settings = new HashMap<>();
    settings.put("mapreduce.reduce.shuffle.retry-delay.max.ms", "1000");
    settings.put(
        "mapreduce.job.reduce.slowstart.completedmaps", random.nextBoolean() ? "0.05" : "1.0");
    settings.put("mammoth.shuffle.merge", MERGES.get(random.nextInt(MERGES.size())));
    // else so little is levitated, whatever was drawn
    settings.put("mammoth.sort.stock-order", "false");
    settings.put("mammoth.shuffle.push.enabled", Boolean.toString(random.nextBoolean()));
    settings.put("mammoth.shuffle.levitated.block-bytes", "16384");
    settings.put("mapreduce.map.output.compress", Boolean.toString(random.nextInt(3) == 0));
    settings.put("mapreduce.task.io.sort.mb", Integer.toString(1 + random.nextInt(20)));
    settings.put("mapreduce.task.io.sort.factor", Integer.toString(2 + random.nextInt(10)));
    return settings;
  }

  /** Flips bits until the job ends, and kills engines, so that nobody knows a file's checksums. */
  private List<String> rot(TotalsRun run, Random random, String last) throws Exception {
    int most = 1 + random.nextInt(6);
    int kills = random.nextInt(3);
    int opens = random.nextInt(20);
    List<String> harmed = new ArrayList<>();
    for (int moment = 0; !run.job().isComplete(); moment++) {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(500));
      List<Path> files = files(run);
      if (harmed.size() < most && !files.isEmpty()) {
        Path file = files.get(random.nextInt(files.size()));
        if (flip(file, random)) {
          harmed.add(file.getParent().getFileName() + "/" + file.getFileName());
        }
      }
      if (moment >= opens) {
        run.open(last);
        List<ProcessHandle> engines = cluster.engines();
        if (kills > 0 && !engines.isEmpty() && random.nextInt(5) == 0) {
          kills--;
          Engines.kill(engines.get(random.nextInt(engines.size())));
        }
      }
    }
    return harmed;
  }

  private List<Path> files(TotalsRun run) throws IOException {
    String application = run.jobId().replace("job_", "application_");
    return FaultyWire.files(cluster.cluster().home(), ".*/" + application + "/output/.*");
  }

  /** The file may be gone. */
  private static boolean flip(Path file, Random random) {
    try {
      if (!Files.exists(file) || Files.size(file) == 0) {
        return false;
      }
      FaultyWire.flip(file, random);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static String verdict(TotalsRun run) throws Exception {
    String diagnostics = run.diagnostics();
    assertThat(diagnostics).doesNotContain("WRONG BYTES");
    if (run.succeeds()) {
      run.assertRight();
      return "right, " + run.ways();
    }
    assertThat(diagnostics).containsIgnoringCase("checksum");
    return "failed: " + diagnostics.lines().limit(3).toList();
  }
}
