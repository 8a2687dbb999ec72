// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.Vints;
import org.mammoth.engine.sort.merge.PartitionCursor;

/** The records of a {@link SortedBlock}, one partition after the other. */
public final class BlockCursor extends PartitionCursor {

  private final KeyOrder order;
  private final SortedBlock block;
  private int number;
  private int piece;
  private int pieces;
  private int next;
  private int last;

  public BlockCursor(KeyOrder order, SortedBlock block) {
    this(order, block, 0);
  }

  /** The same, of a block whose first record has a number. */
  public BlockCursor(KeyOrder order, SortedBlock block, int first) {
    this.order = order;
    this.block = block;
    this.number = first - 1;
  }

  /** The number of the current record, if all partitions were gone through. */
  public int number() {
    return number;
  }

  /** The number of the slab that holds the current record. */
  public int slab() {
    return block.numbers()[piece - 1];
  }

  @Override
  public void enter(int wanted) {
    piece = block.begin(wanted);
    pieces = block.ends()[wanted];
    next = 0;
    last = 0;
  }

  @Override
  public boolean next() {
    if (next >= last && !nextPiece()) {
      return false;
    }
    int at = next;
    start = at;
    keyLength = Vints.read(bytes, at);
    at += Vints.size(bytes[at]);
    int valueLength = Vints.read(bytes, at);
    keyAt = at + Vints.size(bytes[at]);
    end = keyAt + keyLength + valueLength;
    next = end;
    number++;
    prefix = order.prefix(bytes, keyAt, keyLength);
    return true;
  }

  private boolean nextPiece() {
    if (piece == pieces) {
      return false;
    }
    bytes = block.slabs()[piece];
    next = block.froms()[piece];
    last = block.tos()[piece];
    piece++;
    return true;
  }
}
