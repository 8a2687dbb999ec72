// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.groups;

import org.apache.hadoop.util.IndexedSortable;
import org.apache.hadoop.util.QuickSort;
import org.mammoth.engine.sort.keys.KeyOrder;

/** Brings a table's groups into the order of their keys. One thread at a time. */
public final class GroupIndex implements IndexedSortable {

  private final KeyOrder order;
  private final GroupTable table;
  private final int[] groups;
  private final long[] prefixes;
  private final QuickSort quick = new QuickSort();

  /**
   * An index of groups that the table keeps while this is used.
   *
   * @param groups their numbers; {@link #sort} moves them
   */
  GroupIndex(KeyOrder order, GroupTable table, int[] groups) {
    this.order = order;
    this.table = table;
    this.groups = groups;
    this.prefixes = new long[groups.length];
    for (int i = 0; i < groups.length; i++) {
      int group = groups[i];
      prefixes[i] = order.prefix(table.keyBytes(group), table.keyAt(group), table.keyLength(group));
    }
  }

  /**
   * Sorts a range of the numbers.
   *
   * @param from the first, inclusive
   * @param to the last, exclusive
   */
  void sort(int from, int to) {
    if (to - from > 1) {
      quick.sort(this, from, to);
    }
  }

  @Override
  public int compare(int i, int j) {
    if (prefixes[i] != prefixes[j]) {
      return prefixes[i] < prefixes[j] ? -1 : 1;
    }
    if (order.decides(prefixes[i])) {
      return 0;
    }
    int left = groups[i];
    int right = groups[j];
    return order.compare(
        table.keyBytes(left),
        table.keyAt(left),
        table.keyLength(left),
        table.keyBytes(right),
        table.keyAt(right),
        table.keyLength(right));
  }

  @Override
  public void swap(int i, int j) {
    int group = groups[i];
    groups[i] = groups[j];
    groups[j] = group;
    long prefix = prefixes[i];
    prefixes[i] = prefixes[j];
    prefixes[j] = prefix;
  }
}
