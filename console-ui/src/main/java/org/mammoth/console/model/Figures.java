// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

import java.util.Arrays;

/**
 * Rows of numbers in which one may be unknown: of a node that was not read yet or does not answer,
 * of a part of it that it does not have, of a version that does not report it. Unknown is not 0;
 * the interface has null for it, the page a dash.
 */
public final class Figures {

  /** Stands for a number nobody told; no daemon reports it as one. */
  public static final long UNKNOWN = Long.MIN_VALUE;

  private Figures() {}

  public static boolean known(long value) {
    return value != UNKNOWN;
  }

  /** A row of which nothing is known. */
  public static long[] unknown(int width) {
    long[] row = new long[width];
    Arrays.fill(row, UNKNOWN);
    return row;
  }

  /** The sum of what is known; unknown if neither is. */
  public static long sum(long a, long b) {
    return known(a) ? known(b) ? a + b : a : b;
  }

  /** The larger of what is known; unknown if neither is. */
  public static long max(long a, long b) {
    return Math.max(a, b);
  }

  /** The value, or unknown where a row of an earlier version has no such column. */
  public static long at(long[] row, int column) {
    return column < row.length ? row[column] : UNKNOWN;
  }
}
