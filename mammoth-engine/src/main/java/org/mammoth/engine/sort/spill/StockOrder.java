// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.spill;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.mammoth.engine.sort.elements.BlockCursor;
import org.mammoth.engine.sort.elements.PagedInts;
import org.mammoth.engine.sort.elements.PagedLongs;
import org.mammoth.engine.sort.elements.SortedBlock;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.RecordCursor;

/**
 * Puts sorted records into the order in which upstream's sort leaves equal keys: its algorithm, on
 * the records as they were collected, the last one first, with ranks in place of keys. Comparing
 * these reads no record.
 *
 * <p>One thread at a time; used once.
 */
public final class StockOrder {

  private final KeyOrder order;
  private final int partitions;

  StockOrder(KeyOrder order, int partitions) {
    this.order = order;
    this.partitions = partitions;
  }

  /**
   * Sorts the records of blocks.
   *
   * @param ends of each block, how many records it and those before it have
   * @param places of each record in its block's order, where it lay as it was collected, beside
   *     those of its block; lost
   * @param slabBits of the slabs that the blocks lie in
   * @param into with room for all: their ranks and places
   */
  void sort(
      List<SortedBlock> blocks, List<Integer> ends, PagedInts places, int slabBits, PagedLongs into)
      throws IOException {
    int count = ends.get(ends.size() - 1);
    int begin = 0;
    for (int end : ends) {
      numberByPlace(places, begin, end);
      begin = end;
    }
    List<BlockCursor> cursors = new ArrayList<>();
    begin = 0;
    for (int i = 0; i < blocks.size(); i++) {
      cursors.add(new BlockCursor(order, blocks.get(i), begin));
      begin = ends.get(i);
    }
    rank(cursors, places, count, slabBits, into);
    RankSort.sort(into, count);
  }

  /** Replaces each place by the number of the record among all that were collected. */
  private static void numberByPlace(PagedInts places, int begin, int end) {
    long[] byPlace = new long[end - begin];
    for (int i = begin; i < end; i++) {
      byPlace[i - begin] = (long) places.get(i) << Integer.SIZE | i;
    }
    Arrays.sort(byPlace);
    for (int i = 0; i < byPlace.length; i++) {
      places.set((int) byPlace[i], begin + i);
    }
  }

  /** Goes through all records in the order of their keys. */
  private void rank(
      List<BlockCursor> cursors, PagedInts numbers, int count, int slabBits, PagedLongs into)
      throws IOException {
    long rank = -1;
    for (int partition = 0; partition < partitions; partition++) {
      for (BlockCursor cursor : cursors) {
        cursor.enter(partition);
      }
      MergeQueue merged = new MergeQueue(order, cursors);
      byte[] bytes = null;
      int keyAt = 0;
      int keyLength = 0;
      long prefix = 0;
      while (merged.next()) {
        RecordCursor top = merged.top();
        if (bytes == null
            || top.prefix != prefix
            || !order.decides(prefix)
                && order.compare(bytes, keyAt, keyLength, top.bytes, top.keyAt, top.keyLength)
                    != 0) {
          rank++;
          bytes = top.bytes;
          keyAt = top.keyAt;
          keyLength = top.keyLength;
          prefix = top.prefix;
        }
        BlockCursor from = (BlockCursor) top;
        int number = numbers.get(from.number());
        long place = ((long) from.slab() << slabBits) + from.start;
        into.set(count - 1 - number, rank << Integer.SIZE | place);
      }
    }
  }
}
