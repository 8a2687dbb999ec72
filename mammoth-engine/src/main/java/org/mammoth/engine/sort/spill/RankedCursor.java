// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.spill;

import org.mammoth.engine.sort.elements.PagedLongs;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.Vints;
import org.mammoth.engine.sort.merge.PartitionCursor;

/** Goes through records by a list of their ranks and places. */
public final class RankedCursor extends PartitionCursor {

  private static final long NONE = -1;

  /** So many records are fetched from memory at once. */
  private static final int AHEAD = 32;

  private final KeyOrder order;
  private final byte[][] slabs;
  private final int slabBits;
  private final int slabMask;
  private final PagedLongs ranked;
  private final int[] ends;
  private int next;
  private int last;
  private long rank = NONE;

  /** The first record that was not fetched. */
  private int fetched;

  /** Keeps the compiler from leaving out what fetches. */
  private int seen;

  /**
   * Begins before the first record.
   *
   * @param ranked the rank of each record above its place, partition by partition
   * @param counts how many records each partition has
   */
  RankedCursor(KeyOrder order, byte[][] slabs, int slabBits, PagedLongs ranked, int[] counts) {
    this.order = order;
    this.slabs = slabs;
    this.slabBits = slabBits;
    this.slabMask = (1 << slabBits) - 1;
    this.ranked = ranked;
    this.ends = counts.clone();
    for (int i = 1; i < ends.length; i++) {
      ends[i] += ends[i - 1];
    }
  }

  @Override
  public void enter(int wanted) {
    next = wanted == 0 ? 0 : ends[wanted - 1];
    last = ends[wanted];
  }

  /** Leaves out so many records of the partition. */
  void skip(int records) {
    next += records;
  }

  /**
   * Reads a byte of each of the next records. They lie anywhere, and a processor waits for several
   * of them at a time, as reading one does not depend on another.
   */
  private void fetch() {
    fetched = Math.min(next + AHEAD, ends[ends.length - 1]);
    int bits = 0;
    for (int i = next; i < fetched; i++) {
      int place = (int) ranked.get(i);
      bits += slabs[place >>> slabBits][place & slabMask];
    }
    seen += bits;
  }

  @Override
  public boolean next() {
    if (next == last) {
      return false;
    }
    if (next >= fetched) {
      fetch();
    }
    long entry = ranked.get(next++);
    int place = (int) entry;
    bytes = slabs[place >>> slabBits];
    start = place & slabMask;
    keyLength = Vints.read(bytes, start);
    int at = start + Vints.size(bytes[start]);
    int valueLength = Vints.read(bytes, at);
    keyAt = at + Vints.size(bytes[at]);
    end = keyAt + keyLength + valueLength;
    if (entry >>> Integer.SIZE != rank) {
      rank = entry >>> Integer.SIZE;
      prefix = order.prefix(bytes, keyAt, keyLength);
    }
    return true;
  }
}
