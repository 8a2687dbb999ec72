// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

import java.util.Arrays;
import java.util.List;

/**
 * Copies the entries of several elements into one index, each to its bucket: by partition, and
 * within a partition by the leading bits in which its prefixes differ. What is left is to sort each
 * bucket by comparing. One thread at a time; the counters are used again.
 */
public final class EntryScatter {

  /** Entries per bucket that are aimed at, as a power of two. */
  private static final int FILL_BITS = 2;

  private static final int WORTH_SPREADING = 16;

  private final int[] counts;
  private final long[] least;
  private final long[] most;
  private final int[] shifts;
  private final int[] firsts;
  private int[] next = new int[0];
  private int[] ends = new int[0];
  private int buckets;

  EntryScatter(int partitions) {
    counts = new int[partitions];
    least = new long[partitions];
    most = new long[partitions];
    shifts = new int[partitions];
    firsts = new int[partitions];
  }

  /**
   * Copies all entries; bucket i then ends at {@link #end}, and no entry in it belongs behind one
   * of the next bucket.
   *
   * @param ofLast how many entries of the last element, its first ones
   * @param into empty, with room for them; the record of element i lies in its slab i
   */
  void scatter(List<Element> elements, int ofLast, EntryIndex into) {
    Arrays.fill(counts, 0);
    int last = elements.size() - 1;
    for (int slab = 0; slab <= last; slab++) {
      EntryIndex index = elements.get(slab).index();
      survey(index, slab == last ? ofLast : index.count());
    }
    lay();
    for (int slab = 0; slab <= last; slab++) {
      EntryIndex index = elements.get(slab).index();
      count(index, slab == last ? ofLast : index.count());
    }
    int sum = 0;
    for (int i = 0; i < buckets; i++) {
      next[i] = sum;
      sum += ends[i];
      ends[i] = sum;
    }
    into.grow(sum);
    for (int slab = 0; slab <= last; slab++) {
      EntryIndex index = elements.get(slab).index();
      copy(index, slab == last ? ofLast : index.count(), into, into.placeOf(slab));
    }
  }

  private void survey(EntryIndex index, int count) {
    for (int i = 0; i < count; i++) {
      int partition = index.partition(i);
      long prefix = index.prefix(i);
      if (counts[partition]++ == 0) {
        least[partition] = prefix;
        most[partition] = prefix;
      } else {
        least[partition] = Math.min(least[partition], prefix);
        most[partition] = Math.max(most[partition], prefix);
      }
    }
  }

  /** Decides how many buckets each partition has. */
  private void lay() {
    buckets = 0;
    for (int partition = 0; partition < counts.length; partition++) {
      firsts[partition] = buckets;
      int count = counts[partition];
      int bits = count < WORTH_SPREADING ? 0 : 31 - Integer.numberOfLeadingZeros(count) - FILL_BITS;
      // the difference of two longs is right as an unsigned number; a shift of 64 would be one of 0
      long range = count == 0 ? 0 : most[partition] - least[partition];
      int shift = Math.max(0, 64 - Long.numberOfLeadingZeros(range) - bits);
      shifts[partition] = Math.min(shift, 63);
      buckets += (int) (range >>> shifts[partition]) + 1;
    }
    if (buckets > ends.length) {
      next = new int[buckets];
      ends = new int[buckets];
    } else {
      Arrays.fill(ends, 0, buckets, 0);
    }
  }

  private void count(EntryIndex index, int count) {
    for (int i = 0; i < count; i++) {
      ends[bucket(index.partition(i), index.prefix(i))]++;
    }
  }

  private void copy(EntryIndex from, int count, EntryIndex into, long distance) {
    for (int i = 0; i < count; i++) {
      long prefix = from.prefix(i);
      long place = from.place(i);
      into.set(next[bucket((int) (place >>> 32), prefix)]++, prefix, place + distance);
    }
  }

  private int bucket(int partition, long prefix) {
    return firsts[partition] + (int) (prefix - least[partition] >>> shifts[partition]);
  }

  /** Buckets of the last copy. */
  int buckets() {
    return buckets;
  }

  /** Where a bucket ends; the next begins there. */
  int end(int bucket) {
    return ends[bucket];
  }
}
