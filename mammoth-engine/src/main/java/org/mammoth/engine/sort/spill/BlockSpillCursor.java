// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.spill;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.mammoth.engine.sort.elements.BlockCursor;
import org.mammoth.engine.sort.elements.SortedBlock;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.PartitionCursor;
import org.mammoth.engine.sort.merge.RecordCursor;

/**
 * Merges the blocks of a {@link BlockSpill}. While no two different records have equal keys any
 * merge gives upstream's order; before it hands out the first such record, it has all records put
 * into that order, and goes on with them from there.
 *
 * <p>One thread at a time.
 */
public final class BlockSpillCursor extends PartitionCursor {

  private final KeyOrder order;
  private final List<BlockCursor> cursors;
  private final BlockSpill spill;
  private MergeQueue merged;
  private int partition;

  /** Whether the merge of this partition has begun. */
  private boolean started;

  /** Whether it stands on a record that was not handed out. */
  private boolean hasMore;

  /** How often the current record, byte by byte, comes again. */
  private int copies;

  /** How many records of this partition were handed out. */
  private int passed;

  /** All records in upstream's order, once that is needed. */
  private RankedCursor ordered;

  BlockSpillCursor(KeyOrder order, List<SortedBlock> blocks, BlockSpill spill) {
    this.order = order;
    this.cursors = blocks.stream().map(block -> new BlockCursor(order, block)).toList();
    this.spill = spill;
  }

  @Override
  public void enter(int wanted) {
    partition = wanted;
    if (ordered != null) {
      ordered.enter(wanted);
      return;
    }
    for (BlockCursor cursor : cursors) {
      cursor.enter(wanted);
    }
    merged = new MergeQueue(order, cursors);
    hasMore = false;
    copies = 0;
    passed = 0;
    started = false;
  }

  @Override
  public boolean next() throws IOException {
    if (ordered != null) {
      return nextOrdered();
    }
    if (copies > 0) {
      copies--;
      passed++;
      return true;
    }
    if (!started) {
      started = true;
      hasMore = merged.next();
    }
    if (!hasMore) {
      return false;
    }
    take(merged.top());
    while (hasMore = merged.next()) {
      RecordCursor following = merged.top();
      if (!hasKeyOf(following)) {
        break;
      }
      if (!isSameAs(following)) {
        ordered = spill.inStockOrder();
        ordered.enter(partition);
        ordered.skip(passed);
        return nextOrdered();
      }
      copies++;
    }
    passed++;
    return true;
  }

  private boolean nextOrdered() {
    if (!ordered.next()) {
      return false;
    }
    take(ordered);
    return true;
  }

  private void take(RecordCursor record) {
    bytes = record.bytes;
    start = record.start;
    keyAt = record.keyAt;
    keyLength = record.keyLength;
    end = record.end;
    prefix = record.prefix;
  }

  private boolean hasKeyOf(RecordCursor record) {
    return prefix == record.prefix
        && (order.decides(prefix)
            || order.compare(bytes, keyAt, keyLength, record.bytes, record.keyAt, record.keyLength)
                == 0);
  }

  private boolean isSameAs(RecordCursor record) {
    return Arrays.equals(bytes, start, end, record.bytes, record.start, record.end);
  }
}
