// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.mammoth.engine.io.IoCharge.Memory;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.UnitSource;

/**
 * A range of a file being read ahead of its consumer. Buffers are units of the given source while
 * it has some, else at most two arrays, which are no larger than what is left to read, so that
 * reading never waits for the pool.
 *
 * <p>Bytes read before an error are delivered, then {@link #read} throws it; if the disk hangs it
 * is thrown at once. {@link #close} may be called by any thread; one thread reads. A read takes a
 * lock or two: read in blocks, not in records.
 */
public final class ReadStream extends FileQueue implements AutoCloseable {

  private static final int ARRAYS = 2;

  /**
   * What it reads ahead into.
   *
   * @param buffers most that are filled and not consumed
   * @param units where they come from; null for arrays only
   * @param arrayBytes of each array
   */
  record Ahead(int buffers, UnitSource units, int arrayBytes) {}

  private final Source source;
  private final boolean input;
  private final UnitSource units;
  private final IoCharge charge;
  private final int readAhead;
  private final int arrayBytes;
  private final long end;

  /** Keeps a block from being given back while it is copied; taken before the disk's lock. */
  private final Object consuming = new Object();

  private Block current;

  private final ArrayDeque<Block> ready = new ArrayDeque<>();
  private final ArrayDeque<byte[]> spare = new ArrayDeque<>();
  private int arraysMade;
  private long held;
  private long position;
  private boolean shortOfBuffers;
  private boolean disposing;
  private boolean disposed;
  private boolean closed;
  private IOException failure;

  /** Of the thread that has the turn, then of {@link #settle}. */
  private final List<Block> filling = new ArrayList<>();

  /** How many of them are filled. */
  private int whole;

  /**
   * @param input whether the source is a DataNode's
   */
  ReadStream(
      DiskQueue diskQueue,
      Source source,
      boolean input,
      long offset,
      long length,
      IoClass ioClass,
      String owner,
      Ahead ahead,
      IoCharge charge) {
    super(diskQueue, source.path(), ioClass, IoDirection.READ, owner);
    if (offset < 0 || length < 0 || ahead.buffers < 1 || offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException(
          length + " bytes from " + offset + " cannot be read " + ahead.buffers + " units ahead");
    }
    this.source = source;
    this.input = input;
    if (diskQueue.spinning()) {
      source.readThrough();
    }
    this.units = ahead.units;
    this.charge = charge;
    this.readAhead = ahead.buffers;
    this.arrayBytes = ahead.arrayBytes;
    this.position = offset;
    this.end = offset + length;
  }

  /**
   * Copies at least one byte, waiting for the disk.
   *
   * @return how many, or -1 at the end of the range; 0 only if {@code length} is 0
   * @throws IOException if the disk failed, the file is shorter than the range or was closed
   * @throws InterruptedException if the task was killed while it waited
   */
  public int read(byte[] into, int offset, int length) throws IOException, InterruptedException {
    Objects.checkFromIndexSize(offset, length, into.length);
    if (length == 0) {
      return 0;
    }
    int copied = copy(into, offset, length);
    while (copied == 0) {
      if (!awaitBlock()) {
        return -1;
      }
      copied = copy(into, offset, length);
    }
    return copied;
  }

  /** Copies what is there; 0 if there is nothing. */
  private int copy(byte[] into, int offset, int length) {
    Block used = null;
    int copied;
    synchronized (consuming) {
      if (current == null) {
        current = next();
      }
      if (current == null) {
        return 0;
      }
      copied = current.take(into, offset, length);
      if (current.used()) {
        used = current;
        current = null;
      }
    }
    if (used != null) {
      recycle(used);
    }
    return copied;
  }

  private Block next() {
    diskQueue.lock().lock();
    try {
      return ready.poll();
    } finally {
      diskQueue.lock().unlock();
    }
  }

  /** Waits until there is a block; false if there will be none. */
  private boolean awaitBlock() throws IOException, InterruptedException {
    AfterUnlock after = new AfterUnlock();
    try {
      diskQueue.lock().lock();
      try {
        while (ready.isEmpty()) {
          if (closed) {
            throw new IOException("reading " + path + " was ended by its owner " + owner);
          }
          if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
          }
          if (position == end) {
            return false;
          }
          diskQueue.await(this, after);
        }
        return true;
      } finally {
        diskQueue.lock().unlock();
      }
    } finally {
      after.run();
    }
  }

  /** Whether {@link #read} would not have to wait now. */
  public boolean isReady() {
    synchronized (consuming) {
      diskQueue.lock().lock();
      try {
        return current != null || !ready.isEmpty() || closed || failure != null || position == end;
      } finally {
        diskQueue.lock().unlock();
      }
    }
  }

  private void recycle(Block block) {
    AfterUnlock after = new AfterUnlock();
    diskQueue.lock().lock();
    try {
      free(block, after);
      diskQueue.changed(this);
    } finally {
      diskQueue.lock().unlock();
    }
    after.run();
    diskQueue.wake();
  }

  /**
   * Ends reading and gives all buffers back before it returns; one that the disk is filling at the
   * moment follows as soon as the disk lets go of it. May be called again.
   */
  @Override
  public void close() {
    AfterUnlock after = new AfterUnlock();
    synchronized (consuming) {
      diskQueue.lock().lock();
      try {
        closed = true;
        if (current != null) {
          free(current, after);
          current = null;
        }
        freeAll(after);
        progress.signalAll();
        diskQueue.changed(this);
      } finally {
        diskQueue.lock().unlock();
      }
    }
    after.run();
    diskQueue.wake();
  }

  @Override
  boolean wantsTurn() {
    if (disposed) {
      return false;
    }
    if (closed || failure != null || position == end) {
      return true;
    }
    return !shortOfBuffers
        && (ready.isEmpty() || ready.size() + diskQueue.burstUnits() <= readAhead);
  }

  @Override
  boolean over() {
    return !isBusy() && disposed && held == 0;
  }

  @Override
  boolean isInput() {
    return input;
  }

  @Override
  void begin() {
    disposing = closed || failure != null || position == end;
  }

  @Override
  long perform() throws IOException {
    if (disposing) {
      source.close();
      return 0;
    }
    try {
      return source.boundary() > 1 ? fillAtOnce() : fillOneByOne();
    } catch (Throwable e) {
      try {
        source.close();
      } catch (Throwable alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      throw e;
    }
  }

  /** Whether a turn that has read so many bytes wants another buffer. */
  private boolean isForMore(long bytes) {
    return filling.size() < Math.min(diskQueue.burstUnits(), readAhead) && position + bytes < end;
  }

  private long fillOneByOne() throws IOException {
    long bytes = 0;
    while (isForMore(bytes)) {
      Block block = block(filling.isEmpty());
      if (block == null) {
        break;
      }
      filling.add(block);
      bytes += fill(block, position + bytes);
      whole++;
    }
    return bytes;
  }

  /** Has the disk fill all buffers of the turn without being asked for anything else between. */
  private long fillAtOnce() throws IOException {
    int boundary = source.boundary();
    int lead = (int) (position % boundary);
    List<ByteBuffer> into = new ArrayList<>();
    long bytes = 0;
    while (isForMore(bytes)) {
      Block block = block(filling.isEmpty());
      if (block == null) {
        break;
      }
      filling.add(block);
      int before = filling.size() == 1 ? lead : 0;
      int data = (int) Math.min(block.capacity() - before, end - position - bytes);
      int all = Math.min(block.capacity(), (before + data + boundary - 1) / boundary * boundary);
      into.add(block.toFill(before, data, all));
      bytes += data;
    }
    if (bytes > 0) {
      try {
        source.read(position - lead, into.toArray(new ByteBuffer[0]), lead + bytes);
      } catch (EOFException e) {
        throw new EOFException(e.getMessage() + ", wanted up to " + end);
      }
      whole = filling.size();
    }
    return bytes;
  }

  /**
   * A buffer to fill, or null if there is none.
   *
   * @param first whether the turn has none yet: only then an array is good enough
   */
  private Block block(boolean first) {
    CacheUnit unit = units == null ? null : units.poll();
    if (unit != null) {
      charge.changed(owner, Memory.UNITS, unit.capacity());
      return new Block(unit);
    }
    if (!first) {
      return null;
    }
    int bytes = arrayBytes();
    diskQueue.lock().lock();
    try {
      if (!spare.isEmpty()) {
        return new Block(spare.poll());
      }
      if (arraysMade == ARRAYS) {
        return null;
      }
      arraysMade++;
    } finally {
      diskQueue.lock().unlock();
    }
    charge.changed(owner, Memory.HEAP, bytes);
    return new Block(new byte[bytes]);
  }

  private int arrayBytes() {
    // What stands before the range on the disk's page is read, too.
    long boundary = source.boundary();
    long left = end - position + (boundary > 1 ? 2 * boundary : 0);
    return (int) Math.min(Math.max(arrayBytes, 2 * boundary), Math.max(1, left));
  }

  private long fill(Block block, long from) throws IOException {
    int length = (int) Math.min(block.capacity(), end - from);
    ByteBuffer into = block.toFill(length);
    while (into.hasRemaining()) {
      long at = from + length - into.remaining();
      int count = source.read(at, into);
      if (count < 0) {
        throw new EOFException("the file ends at " + at + ", wanted up to " + end);
      }
      if (count == 0) {
        throw new IOException("nothing was read at " + at);
      }
    }
    return length;
  }

  @Override
  void settle(Throwable failed, AfterUnlock after) {
    boolean wanted = !closed && failure == null;
    if (disposing) {
      disposed = true;
    } else if (failed != null) {
      disposed = true;
      if (failure == null) {
        failure = explain(failed);
      }
    }
    if (filling.isEmpty() && !disposing && failed == null) {
      shortOfBuffers = spare.isEmpty() && arraysMade == ARRAYS;
    }
    for (Block block : filling) {
      held += block.capacity();
      if (wanted && whole-- > 0) {
        position += block.data();
        ready.add(block);
      } else {
        free(block, after);
      }
    }
    filling.clear();
    whole = 0;
    if (closed) {
      freeAll(after);
    } else if (disposed) {
      dropSpare(after);
    }
    progress.signalAll();
  }

  @Override
  void giveUp(IOException cause, AfterUnlock after) {
    if (failure == null && position != end) {
      failure = cause;
      freeAll(after);
    }
    progress.signalAll();
  }

  @Override
  void endByOwner() {
    close();
  }

  private void freeAll(AfterUnlock after) {
    while (!ready.isEmpty()) {
      free(ready.poll(), after);
    }
    dropSpare(after);
  }

  private void free(Block block, AfterUnlock after) {
    held -= block.capacity();
    shortOfBuffers = false;
    if (block.unit() != null) {
      int bytes = block.capacity();
      after.add(() -> charge.changed(owner, Memory.UNITS, -bytes));
      after.add(() -> units.give(block.unit()));
      return;
    }
    spare.add(block.array());
    if (closed || disposed) {
      dropSpare(after);
    }
  }

  private void dropSpare(AfterUnlock after) {
    while (!spare.isEmpty()) {
      long bytes = spare.poll().length;
      arraysMade--;
      after.add(() -> charge.changed(owner, Memory.HEAP, -bytes));
    }
  }

  @Override
  long oldestRequest() {
    if (isBusy()) {
      return busySince();
    }
    return closed || failure != null || position == end ? NEVER : waitingSince();
  }

  @Override
  int countDepth() {
    if (closed || failure != null) {
      return 0;
    }
    long left =
        (end - position + diskQueue.settings().unitBytes() - 1) / diskQueue.settings().unitBytes();
    return (int) Math.min(left, Math.max(0, readAhead - ready.size()));
  }

  @Override
  long countHeld() {
    return held;
  }
}
