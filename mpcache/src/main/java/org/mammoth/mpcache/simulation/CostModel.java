// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.simulation;

import java.util.Arrays;

/**
 * What a job takes. The map phase is waves of as many tasks per node as it has slots; a wave ends
 * with its slowest node (the reason for all-or-nothing). On a node, tasks that miss share the hard
 * disk and tasks that hit share the SSD; each task then computes for as long as is left of Table
 * 2's map time once reading is taken off it. The reduce phase scales with the input, and shrinks by
 * what §4.3.1 measured, in proportion to the localized data that is on SSD.
 *
 * @param slots tasks of a node at once
 * @param diskBytesPerSecond of a node's hard disk under that many readers
 * @param ssdBytesPerSecond of a node's SSDs
 * @param strictWaves whether one miss makes a wave as long as if every task of it had missed:
 *     PACMan's assumption, all or nothing at its strongest
 */
public record CostModel(
    int slots, double diskBytesPerSecond, double ssdBytesPerSecond, boolean strictWaves) {

  /** One job's times, in seconds. */
  public record Time(double map, double reduce) {
    public double total() {
      return map + reduce;
    }
  }

  /**
   * The paper's nodes: 16 cores; 40 MB/s, as reading then explains the map speed-ups of §4.3.1; two
   * SATA SSDs in RAID 0.
   */
  public static final CostModel PAPER = new CostModel(16, 40e6, 500e6, false);

  /** The same, with strict waves. */
  public static final CostModel PAPER_STRICT = new CostModel(16, 40e6, 500e6, true);

  /**
   * @param missed per node, one flag per map task in the order they run: whether it read from disk
   * @param localizedOnSsd part of the localized data that is on SSD, 0..1
   */
  Time time(TraceJob job, boolean[][] missed, double localizedOnSsd) {
    int waves = 0;
    for (boolean[] node : missed) {
      waves = Math.max(waves, (node.length + slots - 1) / slots);
    }
    double compute = computePerWave(job, missed.length);
    double map = 0;
    for (int wave = 0; wave < waves; wave++) {
      double slowest = 0;
      for (boolean[] node : missed) {
        int from = Math.min(node.length, wave * slots);
        int to = Math.min(node.length, from + slots);
        slowest = Math.max(slowest, reading(job, node, from, to));
      }
      map += slowest + compute;
    }
    return new Time(map, reduce(job, localizedOnSsd));
  }

  private double reading(TraceJob job, boolean[] missed, int from, int to) {
    int misses = 0;
    for (int task = from; task < to; task++) {
      misses += missed[task] ? 1 : 0;
    }
    int hits = strictWaves && misses > 0 ? 0 : to - from - misses;
    int fromDisk = to - from - hits;
    return Math.max(
        fromDisk * job.blockBytes() / diskBytesPerSecond,
        hits * job.blockBytes() / ssdBytesPerSecond);
  }

  private double computePerWave(TraceJob job, int nodes) {
    return benchmark(job)
        .map(
            benchmark -> {
              double tasks = (double) benchmark.tableMaps / nodes;
              double read = tasks * PaperTrace.BLOCK_BYTES / diskBytesPerSecond;
              double left = benchmark.tableMapSeconds - read;
              return Math.max(0, left) / Math.ceil(tasks / slots);
            })
        .orElse(0.0);
  }

  private static double reduce(TraceJob job, double onSsd) {
    return benchmark(job)
        .map(
            benchmark ->
                benchmark.tableReduceSeconds
                    * job.blocks()
                    / benchmark.tableMaps
                    * (1 - onSsd + onSsd / benchmark.shuffle.reduceSpeedup))
        .orElse(0.0);
  }

  private static java.util.Optional<Benchmark> benchmark(TraceJob job) {
    return Arrays.stream(Benchmark.values())
        .filter(benchmark -> benchmark.name().equals(job.type()))
        .findFirst();
  }
}
