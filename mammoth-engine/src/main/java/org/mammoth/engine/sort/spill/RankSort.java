// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.spill;

import org.apache.hadoop.util.IndexedSortable;
import org.apache.hadoop.util.QuickSort;
import org.mammoth.engine.sort.elements.PagedLongs;

/**
 * Sorts ranks as upstream sorts records: by its algorithm, so that equal ones come in the order in
 * which it leaves equal keys. A rank is the upper half of a number; the lower half goes with it.
 *
 * <p>One thread at a time.
 */
public final class RankSort implements IndexedSortable {

  private final PagedLongs ranked;

  private RankSort(PagedLongs ranked) {
    this.ranked = ranked;
  }

  /** Sorts the first numbers. */
  static void sort(PagedLongs ranked, int count) {
    new QuickSort().sort(new RankSort(ranked), 0, count);
  }

  @Override
  public int compare(int left, int right) {
    return Long.compare(ranked.get(left) >>> Integer.SIZE, ranked.get(right) >>> Integer.SIZE);
  }

  @Override
  public void swap(int left, int right) {
    long moved = ranked.get(left);
    ranked.set(left, ranked.get(right));
    ranked.set(right, moved);
  }
}
