package org.mammoth.console.store;

import java.util.HashMap;
import java.util.Map;

/** Folds the rows of a minute into one: the mean of each column, then its maximum. */
final class MinuteFold {

  private static final class Sum {
    final long[] sum;
    final long[] max;
    int count;

    Sum(int width) {
      sum = new long[width];
      max = new long[width];
      java.util.Arrays.fill(max, Long.MIN_VALUE);
    }
  }

  private final Map<String, Sum> sums = new HashMap<>();

  void add(String key, long[] values) {
    Sum sum = sums.computeIfAbsent(key, k -> new Sum(values.length));
    for (int i = 0; i < values.length; i++) {
      sum.sum[i] += values[i];
      sum.max[i] = Math.max(sum.max[i], values[i]);
    }
    sum.count++;
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
    sums.forEach(
        (key, sum) -> {
          long[] row = new long[2 * sum.sum.length];
          for (int i = 0; i < sum.sum.length; i++) {
            row[i] = Math.round((double) sum.sum[i] / sum.count);
            row[sum.sum.length + i] = sum.max[i];
          }
          rows.put(key, row);
        });
    return rows;
  }
}
