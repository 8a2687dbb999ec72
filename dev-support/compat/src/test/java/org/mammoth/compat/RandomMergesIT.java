// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.diff.Differential;
import org.mammoth.compat.diff.Differential.Verdict;
import org.mammoth.compat.diff.PartJars;
import org.mammoth.compat.diff.Side;
import org.mammoth.mapreduce.MammothShuffleCounter;

/**
 * Random jobs on two nodes with little memory, whose reduces get hold of the other node's map
 * output in one way or another, give the same bytes and counters as on stock Hadoop.
 *
 * <p>{@code mammoth.compat.merges} says how many, {@code mammoth.compat.seed} which, and {@code
 * mammoth.compat.merge} in which way all of them, instead of one drawn for each. In a run of {@link
 * #MANY} each way has to have been gone.
 */
class RandomMergesIT {
  private static final String EXECUTOR =
      "org.mammoth.mapreduce.nodemanager.MammothContainerExecutor";
  private static final int JOBS = Integer.getInteger("mammoth.compat.merges", 4);
  private static final long SEED = Long.getLong("mammoth.compat.seed", 20260601);
  private static final String MODE = System.getProperty("mammoth.compat.merge", "");
  private static final List<String> MODES =
      List.of("levitated", "auto", "push", "spill", "virtual", "node");
  private static final List<String> BLOCKS = List.of("4096", "65536", "1048576");
  private static final List<String> BUFFERS = List.of("65536", "1048576", "67108864");
  private static final int MANY = 60;

  /** What only this mode counts. */
  private static final Map<String, MammothShuffleCounter> OWN_WAYS =
      Map.of(
          "levitated", MammothShuffleCounter.LEVITATED_SEGMENTS,
          "push", MammothShuffleCounter.PUSHED_SEGMENTS,
          "spill", MammothShuffleCounter.PULLED_SEGMENTS,
          "virtual", MammothShuffleCounter.VIRTUAL_SEGMENTS,
          "node", MammothShuffleCounter.NODE_MERGED_RECORDS);

  /** Room for six containers on each node, and for a few of the maps' outputs. */
  private static final Map<String, String> LITTLE_MEMORY =
      Map.of(
          "yarn.nodemanager.resource.memory-mb", "3072",
          "mammoth.engine.memory-mb", "3072",
          "mammoth.engine.java.opts", MiniCluster.engineOptions("1200m"),
          "mammoth.memory.unit-kb", "64",
          "mammoth.memory.pool-fraction", "0.004",
          "mammoth.memory.element-kb", "256",
          "mammoth.memory.element-queue-mb", "1",
          "yarn.scheduler.capacity.maximum-am-resource-percent", "0.9");

  /**
   * A mode and memory for each seed, from ample to bare. Two modes do what they are there for only
   * with plain map output, so most of their jobs write such.
   */
  private static Map<String, String> settings(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, String> settings = new HashMap<>();
    String drawn = MODES.get(random.nextInt(MODES.size()));
    String mode = MODE.isEmpty() ? drawn : MODE;
    settings.put("mammoth.shuffle.merge", mode);
    settings.put(
        "mammoth.shuffle.levitated.block-bytes", BLOCKS.get(random.nextInt(BLOCKS.size())));
    String buffer = BUFFERS.get(random.nextInt(BUFFERS.size()));
    settings.put("mammoth.shuffle.levitated.buffer-bytes", buffer);
    settings.put("mammoth.shuffle.virtual.buffer-bytes", buffer);
    boolean plain = List.of("virtual", "node").contains(mode) && random.nextInt(4) > 0;
    settings.put("mammoth.compat.plain-map-output", String.valueOf(plain));
    if (plain) {
      // stock's order of so little is known, and would be kept by a levitated merge
      settings.put("mapreduce.reduce.memory.totalbytes", "1");
    }
    return settings;
  }

  @Test
  void giveWhatStockGives(@TempDir Path temp) throws Exception {
    List<Verdict> bad = new ArrayList<>();
    Map<String, Map<MammothShuffleCounter, Long>> ways = new TreeMap<>();
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
                + verdict.ways()
                + " "
                + verdict);
        Map<MammothShuffleCounter, Long> ofMode =
            ways.computeIfAbsent(
                settings(SEED + i).get("mammoth.shuffle.merge"),
                mode -> new EnumMap<>(MammothShuffleCounter.class));
        verdict.ways().forEach((way, count) -> ofMode.merge(way, count, Long::sum));
        if (!verdict.differences().isEmpty()) {
          bad.add(verdict);
        }
      }
    }
    System.out.println("ways: " + ways);
    assertThat(bad).as("jobs that differ").isEmpty();
    if (JOBS >= MANY) {
      ways.forEach(
          (mode, counts) -> {
            if (OWN_WAYS.containsKey(mode)) {
              assertThat(counts).as("what jobs of %s did", mode).containsKey(OWN_WAYS.get(mode));
            }
          });
    }
  }
}
