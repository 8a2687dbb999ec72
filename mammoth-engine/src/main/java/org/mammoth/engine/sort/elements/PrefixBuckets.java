// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

import java.util.Arrays;

/**
 * Spreads entries of an {@link EntryIndex} over buckets by the leading bits in which their prefixes
 * differ, in place and in three passes, so that what is left to sort by comparing is small. One
 * thread at a time; the counters are used again.
 */
public final class PrefixBuckets {

  private static final int MOST_BITS = 11;

  /** Entries per bucket that are aimed at, as a power of two. */
  private static final int FILL_BITS = 3;

  private final int[] next = new int[1 << MOST_BITS];
  private final int[] ends = new int[1 << MOST_BITS];
  private int buckets;
  private long least;
  private int shift;

  /**
   * Spreads the entries from {@code from} inclusive to {@code to} exclusive; bucket i then ends at
   * {@link #end}, and every prefix in it is smaller than those of the next bucket.
   *
   * @return false, and nothing changed, if all prefixes are equal
   */
  boolean spread(EntryIndex index, int from, int to) {
    long most = index.prefix(from);
    least = most;
    for (int i = from + 1; i < to; i++) {
      long prefix = index.prefix(i);
      least = Math.min(least, prefix);
      most = Math.max(most, prefix);
    }
    if (least == most) {
      return false;
    }
    int sizeBits = 31 - Integer.numberOfLeadingZeros(to - from);
    int bits = Math.max(1, Math.min(MOST_BITS, sizeBits - FILL_BITS));
    // the difference of two longs is right as an unsigned number
    shift = Math.max(0, 64 - Long.numberOfLeadingZeros(most - least) - bits);
    buckets = bucket(most) + 1;
    Arrays.fill(ends, 0, buckets, 0);
    for (int i = from; i < to; i++) {
      ends[bucket(index.prefix(i))]++;
    }
    int sum = from;
    for (int i = 0; i < buckets; i++) {
      next[i] = sum;
      sum += ends[i];
      ends[i] = sum;
    }
    for (int i = 0; i < buckets; i++) {
      while (next[i] < ends[i]) {
        int home = bucket(index.prefix(next[i]));
        if (home == i) {
          next[i]++;
        } else {
          index.swap(next[i], next[home]++);
        }
      }
    }
    return true;
  }

  private int bucket(long prefix) {
    return (int) (prefix - least >>> shift);
  }

  /** Buckets of the last spread. */
  int count() {
    return buckets;
  }

  /** Where a bucket ends; the next begins there. */
  int end(int bucket) {
    return ends[bucket];
  }
}
