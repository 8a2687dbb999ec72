// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.util.List;
import org.apache.hadoop.util.IndexedSortable;
import org.apache.hadoop.util.QuickSort;

/**
 * Puts sorted records into the order in which upstream's sort leaves equal keys: its algorithm, on
 * the records in the order in which they were collected, with numbers in place of keys. Comparing
 * these reads no record, which lies anywhere in memory.
 *
 * <p>One thread at a time.
 */
final class RankSorter implements IndexedSortable {

  private final KeyOrder order;
  private EntryIndex index;

  RankSorter(KeyOrder order) {
    this.order = order;
  }

  /**
   * Sorts records anew.
   *
   * @param elements hold the records, with their own entries in the order in which they were
   *     collected; the prefixes of these are lost
   * @param ofLast how many entries of the last element, its first ones
   * @param sorted all records by partition and key, in any order of equal keys; its arrays are used
   *     again
   * @param comparison of two neighbours of it by partition and key
   * @param into empty, over the same arrays
   */
  void sort(
      List<Element> elements,
      int ofLast,
      EntryIndex sorted,
      NeighbourComparison comparison,
      EntryIndex into) {
    int count = sorted.count();
    long rank = 0;
    for (int i = 0; i < count; i++) {
      if (i > 0 && !comparison.isEqualToNext(i - 1)) {
        rank++;
      }
      int place = (int) sorted.place(i);
      int slab = sorted.slabOf(place);
      int entries = slab == elements.size() - 1 ? ofLast : elements.get(slab).count();
      elements.get(slab).index().setPrefix(sorted.start(place), entries, rank);
    }
    into.grow(count);
    int at = count;
    for (int slab = 0; slab < elements.size(); slab++) {
      EntryIndex from = elements.get(slab).index();
      int entries = slab == elements.size() - 1 ? ofLast : from.count();
      long distance = into.placeOf(slab);
      for (int i = 0; i < entries; i++) {
        into.set(--at, from.prefix(i), from.place(i) + distance);
      }
    }
    index = into;
    new QuickSort().sort(this, 0, count);
    index = null;
    for (int i = 0; i < count; i++) {
      long place = into.place(i);
      byte[] bytes = into.slab((int) place);
      int start = into.start((int) place);
      int keyAt = RecordForm.keyAt(bytes, start);
      into.set(i, order.prefix(bytes, keyAt, Vints.read(bytes, start)), place);
    }
  }

  /** Says of a sorted record whether the next one has its partition and key. */
  interface NeighbourComparison {
    boolean isEqualToNext(int index);
  }

  @Override
  public int compare(int left, int right) {
    return Long.compare(index.prefix(left), index.prefix(right));
  }

  @Override
  public void swap(int left, int right) {
    index.swap(left, right);
  }
}
