// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.Vints;
import org.mammoth.engine.sort.merge.RecordCursor;

/**
 * The merged records of one subtree, for the merge of all of them. Of a record whose value stayed
 * at its source the value is read when it is asked for. Before each record stands its rank, if the
 * subtree is ranked. The reduce's thread.
 */
final class SubtreeCursor extends RecordCursor {

  /**
   * Stands before a record whose value is at its source: segment and offset follow, then lengths.
   */
  static final byte LATE = -2;

  /** Bytes before the lengths of such a record. */
  static final int LATE_HEAD = 1 + Integer.BYTES + Long.BYTES;

  private static final int LARGEST = Integer.MAX_VALUE - 8;
  private static final int PIECE = 4 << 20;

  private final KeyOrder order;
  private final VirtualMerge merge;
  private final Subtree subtree;

  /** Whether the rank of each record stands before it, as what it is above {@link #firstRank}. */
  private final boolean ranked;

  private final int firstRank;
  private byte[] window;
  private int filled;
  private int position;
  private boolean done;
  private int lateSegment;
  private long lateOffset;

  SubtreeCursor(KeyOrder order, VirtualMerge merge, Subtree subtree, int windowBytes) {
    this.order = order;
    this.merge = merge;
    this.subtree = subtree;
    this.ranked = subtree.ranked;
    this.firstRank = subtree.firstRank;
    this.rank = firstRank;
    this.window = new byte[Math.max(windowBytes, 64)];
    this.bytes = window;
  }

  @Override
  public boolean next() throws IOException {
    if (done) {
      return false;
    }
    bytes = window;
    apart = 0;
    int at = position;
    if (filled - at < LATE_HEAD + 2 * Vints.MAX_BYTES) {
      if (at == filled && !more(at)) {
        return false;
      }
      at = position;
    }
    at = need(at, 1);
    if (ranked) {
      int tag = Vints.size(window[at]);
      at = need(at, tag + 1);
      rank = firstRank + Vints.read(window, at);
      at += tag;
    }
    boolean late = window[at] == LATE;
    if (late) {
      at = need(at, LATE_HEAD + 1);
      ByteBuffer head = ByteBuffer.wrap(window, at + 1, LATE_HEAD - 1);
      lateSegment = head.getInt();
      lateOffset = head.getLong();
      at += LATE_HEAD;
    }
    at = need(at, Vints.size(window[at]) + 1);
    int one = Vints.size(window[at]);
    at = need(at, one + Vints.size(window[at + one]));
    int key = Vints.read(window, at);
    int value = Vints.read(window, at + one);
    int header = one + Vints.size(window[at + one]);
    long size = (long) header + key + value;
    if (size > LARGEST) {
      throw new IOException(
          "segment "
              + lateSegment
              + " has a record of "
              + size
              + " bytes, more than an array holds");
    }
    int here = late ? header + key : (int) size;
    at = need(at, here);
    if (late && size > LARGEST - at) {
      // places are counted as if the record lay in one array
      moveToFront(at, window);
      at = 0;
    }
    start = at;
    keyAt = at + header;
    keyLength = key;
    end = at + (int) size;
    apart = late ? value : 0;
    position = at + here;
    prefix = order.prefix(bytes, keyAt, keyLength);
    return true;
  }

  /** Sees to at least one more byte; false at the end. */
  private boolean more(int at) throws IOException {
    if (at == filled) {
      filled = 0;
      position = 0;
      moves++;
    }
    int read = merge.read(subtree, window, filled, window.length - filled);
    if (read == 0) {
      done = true;
      return false;
    }
    filled += read;
    return true;
  }

  /** Sees to it that {@code count} bytes from {@code at} are here; tells where they are. */
  private int need(int at, int count) throws IOException {
    int from = at;
    while (filled - from < count) {
      if (from > 0 || count > window.length) {
        // keys may be larger than the window
        moveToFront(from, count > window.length ? new byte[count] : window);
        from = 0;
      }
      int read = merge.read(subtree, window, filled, window.length - filled);
      if (read == 0) {
        throw new IllegalStateException("a subtree's buffer ends in the middle of a record");
      }
      filled += read;
    }
    return from;
  }

  private void moveToFront(int from, byte[] into) {
    int kept = filled - from;
    System.arraycopy(window, from, into, 0, kept);
    window = into;
    bytes = into;
    moves++;
    filled = kept;
  }

  @Override
  protected void readRest(byte[] into, int at) throws IOException {
    int place = at;
    int left = apart;
    while (left > 0) {
      int piece = Math.min(left, PIECE);
      merge.readLate(lateSegment, lateOffset, ByteBuffer.wrap(into, place, piece));
      lateOffset += piece;
      place += piece;
      left -= piece;
    }
  }

  @Override
  protected int readPart(byte[] into, int at, int count) throws IOException {
    int piece = Math.min(Math.min(apart, count), PIECE);
    merge.readLate(lateSegment, lateOffset, ByteBuffer.wrap(into, at, piece));
    lateOffset += piece;
    apart -= piece;
    return piece;
  }

  @Override
  protected void writeRest(OutputStream out, byte[] copy) throws IOException {
    while (apart > 0) {
      int piece = Math.min(apart, copy.length);
      merge.readLate(lateSegment, lateOffset, ByteBuffer.wrap(copy, 0, piece));
      out.write(copy, 0, piece);
      lateOffset += piece;
      apart -= piece;
    }
  }
}
