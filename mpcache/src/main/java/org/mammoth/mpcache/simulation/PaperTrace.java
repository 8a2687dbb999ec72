// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The workload of the mpCache paper (Wang et al. 2016, §4.2): each job one of the 13 benchmarks
 * with equal chance, its input 1 to 20 times the unit of Table 1 by equation (3). Benchmarks of one
 * source share data sets.
 */
final class PaperTrace {

  static final long BLOCK_BYTES = 64L << 20;
  static final int SIZES = 20;

  private PaperTrace() {}

  /**
   * @param jobs how many
   * @param s Zipf's parameter, not negative
   * @param seed the same seed, the same trace
   */
  static List<TraceJob> make(int jobs, double s, long seed) {
    Random random = new Random(seed);
    double[] cumulated = new double[SIZES];
    double sum = 0;
    for (int k = 1; k <= SIZES; k++) {
      sum += 1 / Math.pow(k, s);
      cumulated[k - 1] = sum;
    }
    List<TraceJob> trace = new ArrayList<>(jobs);
    Benchmark[] benchmarks = Benchmark.values();
    for (int i = 0; i < jobs; i++) {
      Benchmark benchmark = benchmarks[random.nextInt(benchmarks.length)];
      double dice = random.nextDouble() * sum;
      int k = 1;
      while (k < SIZES && dice > cumulated[k - 1]) {
        k++;
      }
      trace.add(
          new TraceJob(
              benchmark.name(),
              benchmark.dataSet(k),
              benchmark.blocks(k),
              BLOCK_BYTES,
              benchmark.localizedBytes(k)));
    }
    return trace;
  }
}
