// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.mammoth.engine.levitated.table.SegmentTable;
import org.mammoth.engine.levitated.virtual.FillLevels;
import org.mammoth.engine.levitated.virtual.HeldUnits;
import org.mammoth.engine.levitated.virtual.OwnThreadStepRunner;
import org.mammoth.engine.levitated.virtual.VirtualMerge;
import org.mammoth.engine.levitated.virtual.VirtualSizing;
import org.mammoth.engine.shuffle.MergeList;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.SegmentSource;
import org.mammoth.engine.shuffle.server.SegmentUnavailableException;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.MergedInput;

/**
 * One merge of outputs of this node, read by ranges. Its bytes follow from its list alone, so it
 * can be put to rest and merged anew at any time: what comes before the offset that is wanted is
 * thrown away then. The last bytes that were read are kept, for a reader whose connection was cut.
 *
 * <p>Any thread; readers wait for one another.
 */
final class NodeMerge {

  /** Bytes of the checksum that stands behind a segment's records. */
  private static final int TRAILER = 4;

  private static final int ACTIVE = 3;
  private static final int MOST_TAIL = 512 << 10;
  private static final int LEAST_TAIL = 4 << 10;

  private final MergeList list;
  private final SegmentSource source;
  private final KeyOrder order;
  private final MergeMemory memory;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long lastUsed;
  private volatile boolean closed;

  /** Bytes of each part's records; null before they were looked up. */
  private long[] lengths;

  private long whole;

  /** Bytes of the merge; 0 before it was opened once. */
  private volatile long length;

  private SegmentUnavailableException failure;

  private MergeMemory.Loan loan;
  private HeldUnits units;
  private VirtualMerge merge;
  private MergedInput input;

  /** The last bytes up to {@link #position}, as a ring; byte n of the merge is at n mod length. */
  private byte[] tail;

  private long position;

  /** The first byte that is in {@link #tail}. */
  private long kept;

  /** Nothing is looked up yet. */
  NodeMerge(MergeList list, SegmentSource source, KeyOrder order, MergeMemory memory, long now) {
    this.list = list;
    this.source = source;
    this.order = order;
    this.memory = memory;
    this.lastUsed = now;
  }

  MergeList list() {
    return list;
  }

  /** When it was last read. */
  long lastUsed() {
    return lastUsed;
  }

  /** Bytes of the merge, once it was {@link #open opened}; 0 before. */
  long length() {
    return length;
  }

  /**
   * Sees to it that the merge is there and has memory.
   *
   * @throws SegmentUnavailableException if a part is missing, or there is no memory
   */
  void open(long now) throws IOException {
    lock.lock();
    try {
      lastUsed = now;
      mustBeFine();
      if (lengths == null) {
        look();
      }
      if (tail == null) {
        begin();
      }
      length = whole;
    } finally {
      leave();
    }
  }

  private void mustBeFine() throws SegmentUnavailableException {
    if (closed) {
      throw new SegmentUnavailableException(Reason.GONE, list.key() + " was given up");
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void look() throws IOException {
    long[] found = new long[list.parts().size()];
    long sum = MergedInput.MARK_BYTES;
    for (int i = 0; i < found.length; i++) {
      try (Segment segment = OwnOutputs.open(source, list, i)) {
        long part = segment.partLength();
        // A large value is read when it is wanted, and not compared with the segment's checksum.
        if (part > 0 && segment.rawLength() + TRAILER != part) {
          throw new SegmentUnavailableException(
              Reason.NO_SUCH_OUTPUT,
              "what "
                  + list.parts().get(i).attempt()
                  + " wrote is compressed or encrypted, and cannot be merged here");
        }
        if (part > 0 && !segment.verify()) {
          throw new SegmentUnavailableException(
              Reason.GONE,
              "the output of " + list.parts().get(i).attempt() + " does not fit its checksum");
        }
        found[i] = part == 0 ? 0 : part - TRAILER;
        sum += Math.max(0, found[i] - MergedInput.MARK_BYTES);
      }
    }
    lengths = found;
    whole = sum;
  }

  /** Begins to merge from the start. */
  private void begin() throws IOException {
    int[] parts = new int[lengths.length];
    int count = 0;
    for (int i = 0; i < lengths.length; i++) {
      if (lengths[i] > 0) {
        parts[count++] = i;
      }
    }
    loan = memory.lend(this, count);
    if (loan == null) {
      throw busy(count);
    }
    units = new HeldUnits(loan, loan.units());
    long bytes = (long) units.count() * units.unitBytes();
    int keep = (int) Math.max(LEAST_TAIL, Math.min(MOST_TAIL, bytes / 8));
    MergeQueue queue = new MergeQueue(order, List.of());
    if (count > 0) {
      VirtualSizing sizes =
          VirtualSizing.of(
              count, bytes - keep, units.unitBytes(), new VirtualSizing.Requested(0, 0, 0, ACTIVE));
      if (sizes == null) {
        rest();
        throw busy(count);
      }
      SegmentTable table = new SegmentTable(units, sizes.subtreeSegments());
      try {
        for (int i = 0; i < count; i++) {
          table.add(0, parts[i], 0, lengths[parts[i]], list.parts().get(parts[i]).identity());
        }
      } catch (IOException | RuntimeException e) {
        table.close();
        rest();
        throw e;
      }
      merge =
          new VirtualMerge(
              table,
              new OwnOutputs(source, list, Arrays.copyOf(parts, count)),
              units,
              TRAILER,
              () -> order,
              new OwnThreadStepRunner(),
              sizes,
              FillLevels.DEFAULT);
      queue = merge.queue();
    }
    input = new MergedInput(queue);
    tail = new byte[keep];
    position = 0;
    kept = 0;
  }

  private SegmentUnavailableException busy(int count) {
    return new SegmentUnavailableException(
        Reason.BUSY,
        "there is no memory to merge "
            + count
            + " outputs; mammoth.shuffle.node.buffer-bytes says how much all merges may have");
  }

  /** Fills {@code into} with bytes from {@code offset} on, waiting for disks. */
  void read(long offset, ByteBuffer into, long now) throws IOException {
    lock.lock();
    try {
      lastUsed = now;
      mustBeFine();
      if (tail == null || offset < kept) {
        // it was put to rest, or its reader goes back further than what is kept
        rest();
        begin();
      }
      advanceTo(offset);
      long at = offset;
      while (into.hasRemaining()) {
        if (at == position) {
          advance(into.remaining());
        }
        int from = (int) (at % tail.length);
        int here = (int) Math.min(position - at, tail.length - from);
        int count = Math.min(here, into.remaining());
        into.put(tail, from, count);
        at += count;
      }
    } catch (SegmentUnavailableException e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      // Which of its parts it was shows when the reduce reads them one by one.
      failure =
          new SegmentUnavailableException(
              Reason.GONE, list.key() + " cannot be merged: " + e.getMessage());
      failure.initCause(e);
      rest();
      throw failure;
    } finally {
      leave();
    }
  }

  private void advanceTo(long offset) throws IOException {
    while (position < offset) {
      advance((int) Math.min(tail.length, offset - position));
    }
  }

  /** Merges at least one byte and at most {@code most}. */
  private void advance(int most) throws IOException {
    int from = (int) (position % tail.length);
    int read = input.read(tail, from, Math.min(most, tail.length - from));
    if (read <= 0) {
      throw new IOException("it ends at byte " + position + " of " + length);
    }
    position += read;
    kept = Math.max(kept, position - tail.length);
    if (position == length) {
      endMerge();
    }
  }

  /** All that needs memory is done; what is kept of its bytes goes on being there. */
  private void endMerge() {
    if (merge != null) {
      merge.close();
      merge = null;
    }
    input = null;
    if (units != null) {
      units.close();
      units = null;
    }
    if (loan != null) {
      loan.close();
      loan = null;
    }
  }

  /** Gives its memory back, unless somebody reads it; it is merged anew when it is read again. */
  boolean restIfIdle() {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      boolean held = loan != null;
      rest();
      return held;
    } finally {
      lock.unlock();
    }
  }

  private void rest() {
    endMerge();
    tail = null;
  }

  private void leave() {
    if (closed) {
      rest();
    }
    lock.unlock();
    if (closed) {
      restIfIdle();
    }
  }

  /** Nobody wants it any more: gives its memory back, now or when its reader has left. */
  void close() {
    closed = true;
    restIfIdle();
  }
}
