// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.mammoth.console.model.Figures;

/**
 * Folds the rows of a minute into one: the mean of what is known of each column, then its maximum.
 * Rows of an earlier version may have fewer columns.
 */
final class MinuteFold {

  private static final class Sum {
    private long[] sum = new long[0];
    private long[] max = new long[0];
    private int[] count = new int[0];

    void add(long[] values) {
      if (values.length > sum.length) {
        int before = max.length;
        sum = Arrays.copyOf(sum, values.length);
        count = Arrays.copyOf(count, values.length);
        max = Arrays.copyOf(max, values.length);
        Arrays.fill(max, before, max.length, Figures.UNKNOWN);
      }
      for (int i = 0; i < values.length; i++) {
        if (Figures.known(values[i])) {
          sum[i] += values[i];
          count[i]++;
          max[i] = Figures.max(max[i], values[i]);
        }
      }
    }

    long[] row() {
      long[] row = Arrays.copyOf(sum, 2 * sum.length);
      for (int i = 0; i < sum.length; i++) {
        row[i] = count[i] == 0 ? Figures.UNKNOWN : Math.round((double) sum[i] / count[i]);
        row[sum.length + i] = max[i];
      }
      return row;
    }
  }

  private final Map<String, Sum> sums = new HashMap<>();

  void add(String key, long[] values) {
    sums.computeIfAbsent(key, k -> new Sum()).add(values);
  }

  boolean isEmpty() {
    return sums.isEmpty();
  }

  /** Begins anew. */
  void clear() {
    sums.clear();
  }

  /** The folded rows. */
  Map<String, long[]> rows() {
    Map<String, long[]> rows = new HashMap<>();
    sums.forEach((key, sum) -> rows.put(key, sum.row()));
    return rows;
  }
}
