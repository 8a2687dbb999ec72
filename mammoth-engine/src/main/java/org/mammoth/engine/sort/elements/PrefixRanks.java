// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

import java.util.List;
import org.mammoth.engine.sort.keys.KeyOrder;

/**
 * Ranks of 32 bits for keys that compare by their prefixes alone, where these lie near enough to
 * each other: small numbers, mostly. A rank and a place then fit a number, and sorting moves half
 * as much as with entries.
 */
public final class PrefixRanks {

  private final long smallest;
  private final long range;

  private PrefixRanks(long smallest, long range) {
    this.smallest = smallest;
    this.range = range;
  }

  /**
   * Ranks for the records of elements; null if a key is to be read to compare it, or prefixes lie
   * too far from each other.
   *
   * @param ofLast how many records of the last element, its first ones
   */
  public static PrefixRanks of(KeyOrder order, int partitions, List<Element> elements, int ofLast) {
    long smallest = Long.MAX_VALUE;
    long largest = Long.MIN_VALUE;
    int last = elements.size() - 1;
    for (int i = 0; i <= last; i++) {
      EntryIndex index = elements.get(i).index();
      int count = i == last ? ofLast : index.count();
      for (int entry = 0; entry < count; entry++) {
        long prefix = index.prefix(entry);
        if (!order.decides(prefix)) {
          return null;
        }
        smallest = Math.min(smallest, prefix);
        largest = Math.max(largest, prefix);
      }
    }
    // negative if it takes 64 bits
    long distance = largest - smallest;
    long most = (1L << Integer.SIZE) / partitions;
    return distance < 0 || distance >= most ? null : new PrefixRanks(smallest, distance + 1);
  }

  /** Less than 2^32: lower for a lower partition or key, equal for equal keys of a partition. */
  public long of(int partition, long prefix) {
    return partition * range + prefix - smallest;
  }
}
