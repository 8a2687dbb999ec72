// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.config.ReduceSplit;

/** Measures what skewed reduces spill when memory is divided evenly and when by need. */
class SplitMeasurementTest {

  private static final int POOL = 800;
  private static final int REDUCES = 8;

  @Test
  void byNeedSpillsLessThanEvenlyWhenReducesAreSkewed() {
    for (double skew : new double[] {0, 0.5, 1, 1.5}) {
      for (double load : new double[] {0.7, 0.95, 1.5}) {
        for (double error : new double[] {0, 0.3}) {
          long even = spilled(ReduceSplit.EVEN, skew, load, error);
          long need = spilled(ReduceSplit.NEED, skew, load, error);
          System.out.printf(
              "skew %.1f, data %.2f of the pool, prediction off by %.0f%%:"
                  + " spilled of %d units: even %d, need %d, unavoidable %d%n",
              skew,
              load,
              error * 100,
              (long) (load * POOL),
              even,
              need,
              Math.max(0, (long) (load * POOL) - POOL));
          if (error == 0) {
            assertThat(need).as("skew %s load %s", skew, load).isLessThanOrEqualTo(even);
          }
        }
      }
    }
  }

  /** Units that went to disk because their reduce got no memory for them. */
  private static long spilled(ReduceSplit split, double skew, double load, double error) {
    Random random = new Random(7);
    long[] sizes = sizes(skew, (long) (load * POOL));
    long spilled = 0;
    try (MemoryFixture f = new MemoryFixture(POOL, 1, split)) {
      List<ReduceMemory> reduces = new ArrayList<>();
      List<CacheFile> files = new ArrayList<>();
      List<Integer> arriving = new ArrayList<>();
      for (int r = 0; r < REDUCES; r++) {
        ReduceMemory reduce = f.reduce("job", "reduce" + r);
        double off = 1 + error * (2 * random.nextDouble() - 1);
        reduce.desire((long) (sizes[r] * off) * MemoryFixture.UNIT);
        reduces.add(reduce);
        for (long i = 0; i < sizes[r]; i++) {
          arriving.add(r);
        }
      }
      Collections.shuffle(arriving, random);
      for (int r : arriving) {
        CacheFile file = new CacheFile(reduces.get(r).receive());
        if (file.tryAppend(new byte[MemoryFixture.UNIT], 0, MemoryFixture.UNIT)) {
          file.finish();
          files.add(file);
        } else {
          file.close();
          spilled++;
        }
      }
      files.forEach(CacheFile::close);
      reduces.forEach(ReduceMemory::close);
    }
    return spilled;
  }

  /** Sizes that fall as 1 / rank^skew and add up to {@code total}. */
  private static long[] sizes(double skew, long total) {
    double sum = 0;
    for (int r = 1; r <= REDUCES; r++) {
      sum += Math.pow(r, -skew);
    }
    long[] sizes = new long[REDUCES];
    long rest = total;
    for (int r = REDUCES; r > 1; r--) {
      sizes[r - 1] = (long) (total * Math.pow(r, -skew) / sum);
      rest -= sizes[r - 1];
    }
    sizes[0] = rest;
    return sizes;
  }
}
