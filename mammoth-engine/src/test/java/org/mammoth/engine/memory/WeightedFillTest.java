// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class WeightedFillTest {

  @Property(tries = 300)
  void givesOutAllAndFavoursNobodyWhileOthersWant(
      @ForAll @LongRange(min = 0, max = 100_000) long capacity,
      @ForAll @Size(min = 1, max = 8) List<@IntRange(max = 20_000) Integer> wants,
      @ForAll @Size(8) List<@IntRange(min = 1, max = 10) Integer> weights) {
    long[] demands = wants.stream().mapToLong(Integer::longValue).toArray();
    double[] w = weights.stream().limit(wants.size()).mapToDouble(Integer::doubleValue).toArray();
    long[] shares = WeightedFill.fill(capacity, w, demands);
    assertThat(Arrays.stream(shares).sum()).isEqualTo(capacity);
    boolean enough = Arrays.stream(demands).sum() <= capacity;
    double total = Arrays.stream(w).sum();
    for (int i = 0; i < shares.length; i++) {
      long fair = (long) Math.floor(capacity * (w[i] / total));
      assertThat(shares[i])
          .as("at least its demand or its fair share")
          .isGreaterThanOrEqualTo(Math.min(demands[i], fair) - 1);
      if (!enough) {
        assertThat(shares[i]).as("nothing beyond its demand").isLessThanOrEqualTo(demands[i] + 1);
      }
    }
  }

  @Test
  void dividesByWeightWhenAllWantAll() {
    long endless = ReduceMemory.ENDLESS;
    assertThat(
            WeightedFill.fill(12, new double[] {1, 3, 2}, new long[] {endless, endless, endless}))
        .containsExactly(2, 6, 4);
    assertThat(WeightedFill.fill(7, new double[0], new long[0])).isEmpty();
  }
}
