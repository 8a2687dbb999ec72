package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.diff.Differential;
import org.mammoth.compat.diff.Differential.Verdict;
import org.mammoth.compat.diff.PartJars;
import org.mammoth.compat.diff.Side;

/**
 * Random jobs on two nodes with little memory, whose reduces get hold of the other node's map
 * output in one way or another, give the same bytes and counters as on stock Hadoop.
 *
 * <p>{@code mammoth.compat.merges} says how many, {@code mammoth.compat.seed} which, and {@code
 * mammoth.compat.merge} in which way all of them, instead of one drawn for each.
 */
class RandomMergesIT {
  private static final String EXECUTOR =
      "org.mammoth.mapreduce.nodemanager.MammothContainerExecutor";
  private static final int JOBS = Integer.getInteger("mammoth.compat.merges", 6);
  private static final long SEED = Long.getLong("mammoth.compat.seed", 20260601);
  private static final String MODE = System.getProperty("mammoth.compat.merge", "");
  private static final List<String> MODES = List.of("levitated", "auto", "push", "spill", "node");
  private static final List<String> BLOCKS = List.of("4096", "65536", "1048576");

  /** Room for six containers on each node, and for a few of the maps' outputs. */
  private static final Map<String, String> LITTLE_MEMORY =
      Map.of(
          "yarn.nodemanager.resource.memory-mb", "3072",
          "mammoth.engine.memory-mb", "3072",
          "mammoth.engine.java.opts", "-Xmx1200m",
          "mammoth.memory.unit-kb", "64",
          "mammoth.memory.pool-fraction", "0.004",
          "mammoth.memory.element-kb", "256",
          "mammoth.memory.element-queue-mb", "1",
          "yarn.scheduler.capacity.maximum-am-resource-percent", "0.9");

  /** A mode and a block size for each seed. */
  private static Map<String, String> settings(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, String> settings = new HashMap<>();
    String drawn = MODES.get(random.nextInt(MODES.size()));
    settings.put("mammoth.shuffle.merge", MODE.isEmpty() ? drawn : MODE);
    settings.put(
        "mammoth.shuffle.levitated.block-bytes", BLOCKS.get(random.nextInt(BLOCKS.size())));
    return settings;
  }

  @Test
  void giveWhatStockGives(@TempDir Path temp) throws Exception {
    List<Verdict> bad = new ArrayList<>();
    try (MiniCluster cluster =
        new MiniCluster(temp, EXECUTOR, LITTLE_MEMORY, List.of(Map.of(), Map.of()))) {
      Differential differential =
          new Differential(
              cluster, new PartJars(temp.resolve("jars")), 2, RandomMergesIT::settings);
      for (int i = 0; i < JOBS; i++) {
        Verdict verdict = differential.run(SEED + i, List.of(Side.LOCAL));
        System.out.println(
            (verdict.differences().isEmpty() ? "same    " : "DIFFERS ")
                + settings(SEED + i)
                + " "
                + verdict);
        if (!verdict.differences().isEmpty()) {
          bad.add(verdict);
        }
      }
    }
    assertThat(bad).as("jobs that differ").isEmpty();
  }
}
