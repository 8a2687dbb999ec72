// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

/**
 * Divides a whole number of units by weight, giving nobody more than it wants while others want
 * more (max-min fairness). What nobody wants is divided by weight all the same: a demand is a hint,
 * and unused memory helps no one.
 */
final class WeightedFill {

  private WeightedFill() {}

  /**
   * Divides {@code capacity}.
   *
   * @param weights positive, one per sharer
   * @param demands units each wants, at least 0
   * @return one share per sharer; they add up to {@code capacity} unless there is no sharer
   */
  static long[] fill(long capacity, double[] weights, long[] demands) {
    int n = weights.length;
    long[] shares = new long[n];
    boolean[] content = new boolean[n];
    long left = Math.max(0, capacity);
    boolean changed = true;
    while (changed) {
      changed = false;
      double weight = weightOf(weights, content);
      long round = left;
      for (int i = 0; i < n; i++) {
        if (!content[i] && demands[i] <= Math.floor(round * (weights[i] / weight))) {
          content[i] = true;
          shares[i] = demands[i];
          left -= demands[i];
          changed = true;
        }
      }
    }
    boolean allContent = true;
    for (boolean c : content) {
      allContent &= c;
    }
    spread(left, weights, shares, allContent ? new boolean[n] : content);
    return shares;
  }

  private static double weightOf(double[] weights, boolean[] without) {
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += without[i] ? 0 : weights[i];
    }
    return sum;
  }

  /** Adds {@code left} by weight; what rounding leaves goes to the first, one unit each. */
  private static void spread(long left, double[] weights, long[] shares, boolean[] without) {
    double weight = weightOf(weights, without);
    long rest = left;
    for (int i = 0; i < shares.length; i++) {
      if (!without[i]) {
        long part = Math.min(rest, (long) Math.floor(left * (weights[i] / weight)));
        shares[i] += part;
        rest -= part;
      }
    }
    while (rest > 0 && weight > 0) {
      for (int i = 0; i < shares.length && rest > 0; i++) {
        if (!without[i]) {
          shares[i]++;
          rest--;
        }
      }
    }
  }
}
