// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.merge;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.util.PriorityQueue;
import org.mammoth.engine.sort.keys.KeyOrder;

/**
 * Merges cursors as upstream's {@code Merger} merges segments, in the same heap: equal keys come in
 * its order. Slower than the tree of {@link MergeQueue}. One thread at a time.
 */
public final class CursorHeap extends PriorityQueue<RecordCursor> {

  private final KeyOrder order;
  private final List<? extends RecordCursor> inputs;

  /** Whether the record on top was asked for. */
  private boolean taken;

  /** Merges {@code inputs}, of which none has moved to its first record yet. */
  CursorHeap(KeyOrder order, List<? extends RecordCursor> inputs) {
    this.order = order;
    this.inputs = inputs;
  }

  /** Has each cursor move to its first record. */
  void start() throws IOException {
    initialize(inputs.size());
    for (RecordCursor cursor : inputs) {
      if (cursor.next()) {
        put(cursor);
      }
    }
  }

  /** Moves to the next record of all; false at the end. */
  boolean next() throws IOException {
    if (taken && size() > 0) {
      if (top().next()) {
        adjustTop();
      } else {
        pop();
      }
    }
    taken = true;
    return size() > 0;
  }

  @Override
  protected boolean lessThan(Object left, Object right) {
    RecordCursor a = (RecordCursor) left;
    RecordCursor b = (RecordCursor) right;
    if (a.prefix != b.prefix) {
      return a.prefix < b.prefix;
    }
    return !order.decides(a.prefix)
        && order.compare(a.bytes, a.keyAt, a.keyLength, b.bytes, b.keyAt, b.keyLength) < 0;
  }
}
