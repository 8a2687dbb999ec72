// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.merge;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.mammoth.engine.sort.keys.KeyOrder;

/**
 * Merges sorted cursors with a tree of losers: each step costs one comparison per level, most of
 * them between two prefixes, and records of one cursor with the same key none at all. Among equal
 * keys the record of the lower {@link RecordCursor#rank rank} comes first, then the cursor that
 * stands first in the list.
 *
 * <p>One thread at a time.
 */
public final class MergeQueue {

  private final KeyOrder order;
  private final RecordCursor[] cursors;
  private final long[] prefixes;
  private final boolean[] live;

  /** Losers of the inner nodes; the winner of all stands at 0. */
  private final int[] tree;

  private boolean started;

  /** The first record stands ready and nobody has asked for it yet. */
  private boolean ahead;

  /** What merges instead of the tree, or null. */
  private final CursorHeap heap;

  /** Merges {@code inputs}, of which none has moved to its first record yet. */
  public MergeQueue(KeyOrder order, List<? extends RecordCursor> inputs) {
    this(order, inputs, null);
  }

  private MergeQueue(KeyOrder order, List<? extends RecordCursor> inputs, CursorHeap heap) {
    this.heap = heap;
    this.order = order;
    this.cursors = inputs.toArray(new RecordCursor[0]);
    this.prefixes = new long[cursors.length];
    this.live = new boolean[cursors.length];
    this.tree = new int[Math.max(1, cursors.length)];
  }

  /**
   * The same in a heap like upstream's, from which equal keys come in the order in which they come
   * there from segments in this order. It takes longer.
   */
  public static MergeQueue likeUpstream(KeyOrder order, List<? extends RecordCursor> inputs) {
    return new MergeQueue(order, inputs, new CursorHeap(order, inputs));
  }

  /** Moves to the next record of all; false at the end. */
  public boolean next() throws IOException {
    if (cursors.length == 0) {
      return false;
    }
    if (!started) {
      return start();
    }
    if (heap != null) {
      return heap.next();
    }
    int winner = tree[0];
    if (ahead) {
      ahead = false;
      return live[winner];
    }
    if (!live[winner]) {
      return false;
    }
    if (advancedToSameKey(winner)) {
      // it won against all others with this key, and still does
      return true;
    }
    for (int node = winner + cursors.length >>> 1; node > 0; node >>>= 1) {
      int loser = tree[node];
      if (before(loser, winner)) {
        tree[node] = winner;
        winner = loser;
      }
    }
    tree[0] = winner;
    return live[winner];
  }

  /** Whether there is no record at all; asked before the first call of {@link #next}. */
  public boolean isEmpty() throws IOException {
    if (cursors.length == 0) {
      return true;
    }
    if (!started && heap != null) {
      started = true;
      heap.start();
    } else if (!started) {
      start();
      ahead = true;
    }
    return heap != null ? heap.size() == 0 : !live[tree[0]];
  }

  /** The cursor that stands on the current record. */
  public RecordCursor top() {
    return heap != null ? heap.top() : cursors[tree[0]];
  }

  private boolean start() throws IOException {
    started = true;
    if (heap != null) {
      heap.start();
      return heap.next();
    }
    int size = cursors.length;
    for (int i = 0; i < size; i++) {
      advance(i);
    }
    int[] winners = new int[2 * size];
    for (int i = 0; i < size; i++) {
      winners[size + i] = i;
    }
    for (int node = size - 1; node > 0; node--) {
      int left = winners[2 * node];
      int right = winners[2 * node + 1];
      boolean leftWins = before(left, right);
      winners[node] = leftWins ? left : right;
      tree[node] = leftWins ? right : left;
    }
    tree[0] = size == 1 ? 0 : winners[1];
    return live[tree[0]];
  }

  private void advance(int index) throws IOException {
    RecordCursor cursor = cursors[index];
    live[index] = cursor.next();
    prefixes[index] = cursor.prefix;
  }

  /** Moves a cursor on; true if its new record is known to have the key of the one before. */
  private boolean advancedToSameKey(int index) throws IOException {
    RecordCursor cursor = cursors[index];
    byte[] bytes = cursor.bytes;
    int keyAt = cursor.keyAt;
    int keyLength = cursor.keyLength;
    int moves = cursor.moves;
    int rank = cursor.rank;
    long prefix = prefixes[index];
    if (!cursor.next()) {
      live[index] = false;
      return false;
    }
    if (cursor.prefix != prefix) {
      prefixes[index] = cursor.prefix;
      return false;
    }
    return cursor.keyLength == keyLength
        && cursor.moves == moves
        && cursor.rank == rank
        && (order.decides(prefix)
            || Arrays.equals(
                bytes,
                keyAt,
                keyAt + keyLength,
                cursor.bytes,
                cursor.keyAt,
                cursor.keyAt + keyLength));
  }

  private boolean before(int left, int right) {
    if (!live[left] || !live[right]) {
      return live[left] || !live[right] && left < right;
    }
    long leftPrefix = prefixes[left];
    long rightPrefix = prefixes[right];
    if (leftPrefix != rightPrefix) {
      return leftPrefix < rightPrefix;
    }
    RecordCursor a = cursors[left];
    RecordCursor b = cursors[right];
    if (!order.decides(leftPrefix)) {
      int comparison = order.compare(a.bytes, a.keyAt, a.keyLength, b.bytes, b.keyAt, b.keyLength);
      if (comparison != 0) {
        return comparison < 0;
      }
    }
    return a.rank != b.rank ? a.rank < b.rank : left < right;
  }
}
