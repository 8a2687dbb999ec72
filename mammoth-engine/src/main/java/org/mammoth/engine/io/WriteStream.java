// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.mammoth.engine.io.IoCharge.Memory;
import org.mammoth.engine.memory.CacheUnit;

/**
 * A file being written behind its producer's back. Pieces are queued and written in their order;
 * whoever adds one goes on at once unless the file has {@code mammoth.io.queue-units} waiting.
 *
 * <p>A piece belongs to the scheduler from the call of {@link #add} to its callback. The callback
 * is called exactly once, also if {@code add} throws an {@link IOException}, an {@link
 * InterruptedException} or an {@link IllegalStateException}, if the disk fails and if the file is
 * aborted. Only after an {@link IndexOutOfBoundsException} it is never called.
 *
 * <p>The first error ends the file: what waits is called back with it, {@link #add} throws it,
 * {@link #finish} completes with it, and the target is aborted. Pieces written before have been
 * called back without a failure and are lost with the file; its owner has to make it anew.
 *
 * <p>Safe for any thread.
 */
public final class WriteStream extends FileQueue implements AutoCloseable {

  /** A piece of the file. */
  private static final class Piece {
    final ByteBuffer bytes;
    final int length;
    final int held;
    final Memory memory;
    final WriteCallback callback;
    long since;

    Piece(ByteBuffer bytes, int held, Memory memory, WriteCallback callback) {
      this.bytes = bytes;
      this.length = bytes.remaining();
      this.held = held;
      this.memory = memory;
      this.callback = Objects.requireNonNull(callback, "callback");
    }
  }

  private final Target target;
  private final IoCharge charge;
  private final CompletableFuture<Written> result = new CompletableFuture<>();

  private final ArrayDeque<Piece> waiting = new ArrayDeque<>();
  private final List<Piece> inTurn = new ArrayList<>();
  private long waitingHeld;
  private long held;
  private boolean finishing;
  private boolean forcing;
  private boolean closing;
  private boolean disposing;
  private boolean done;
  private boolean disposed;
  private IOException failure;

  /** Of the thread that has the turn. */
  private boolean opened;

  private final BlockSums.Taker sums;
  private long written;

  WriteStream(DiskQueue diskQueue, Target target, IoClass ioClass, String owner, IoCharge charge) {
    super(diskQueue, target.path(), ioClass, IoDirection.WRITE, owner);
    this.target = target;
    this.charge = charge;
    this.sums = diskQueue.settings().checksum() ? new BlockSums.Taker() : null;
  }

  /**
   * Adds bytes of a unit; the unit counts in full against the bound.
   *
   * @param done told when the unit is free again
   * @throws IOException if the file has failed or was aborted
   * @throws InterruptedException if the task was killed while it waited for room
   * @throws IllegalStateException if the file was finished
   */
  public void add(CacheUnit unit, int from, int length, WriteCallback done)
      throws IOException, InterruptedException {
    Objects.checkFromIndexSize(from, length, unit.capacity());
    add(new Piece(unit.view(from, length), unit.capacity(), Memory.UNITS, done));
  }

  /**
   * Adds bytes of an array, which must not change before {@code done} is told. Otherwise as {@link
   * #add(CacheUnit, int, int, WriteCallback)}.
   */
  public void add(byte[] bytes, int offset, int length, WriteCallback done)
      throws IOException, InterruptedException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    add(new Piece(ByteBuffer.wrap(bytes, offset, length), length, Memory.HEAP, done));
  }

  /**
   * Adds bytes of an array that nobody will change any more. Otherwise as {@link #add(CacheUnit,
   * int, int, WriteCallback)}.
   */
  public void add(byte[] bytes, int offset, int length) throws IOException, InterruptedException {
    add(bytes, offset, length, failed -> {});
  }

  /** Whether {@link #add} of a piece holding {@code bytes} would not have to wait now. */
  public boolean hasRoom(int bytes) {
    diskQueue.lock().lock();
    try {
      return failure != null || finishing || fits(bytes);
    } finally {
      diskQueue.lock().unlock();
    }
  }

  private boolean fits(int bytes) {
    return held == 0 || held + bytes <= diskQueue.queueBytes();
  }

  private void add(Piece piece) throws IOException, InterruptedException {
    charge.changed(owner, piece.memory, piece.held);
    AfterUnlock after = new AfterUnlock();
    IOException refused = null;
    InterruptedException killed = null;
    IllegalStateException misused = null;
    diskQueue.lock().lock();
    try {
      while (failure == null && !finishing && !fits(piece.held)) {
        diskQueue.await(this, after);
      }
      if (failure != null) {
        refused = new IOException(failure.getMessage(), failure);
      } else if (finishing) {
        misused = new IllegalStateException(path + " was finished and cannot grow");
      } else {
        piece.since = diskQueue.now();
        waiting.add(piece);
        waitingHeld += piece.held;
        held += piece.held;
        diskQueue.changed(this);
      }
    } catch (InterruptedException e) {
      killed = e;
    } finally {
      diskQueue.lock().unlock();
    }
    after.run();
    if (refused == null && killed == null && misused == null) {
      diskQueue.wake();
      return;
    }
    charge.changed(owner, piece.memory, -piece.held);
    piece.callback.done(
        refused != null
            ? refused
            : new IOException("a piece of " + path + " was not taken", killed));
    if (killed != null) {
      throw killed;
    }
    if (misused != null) {
      throw misused;
    }
    throw refused;
  }

  /** As {@link #finish(boolean)} without waiting for the disk itself. */
  public CompletableFuture<Written> finish() {
    return finish(false);
  }

  /**
   * Ends the file. Returns at once; may be called again.
   *
   * @param force whether the disk itself must have the bytes, as after a sync
   * @return completed when the file is closed and every callback was called; or exceptionally with
   *     an {@link IOException}, the first error of the file, when the target was aborted, or at
   *     once if the disk hangs
   */
  public CompletableFuture<Written> finish(boolean force) {
    diskQueue.lock().lock();
    try {
      finishing = true;
      forcing |= force;
      progress.signalAll();
      diskQueue.changed(this);
    } finally {
      diskQueue.lock().unlock();
    }
    diskQueue.wake();
    return result.copy();
  }

  /** Gives the file up, unless it is complete or has failed already. Returns at once. */
  public void abort() {
    AfterUnlock after = new AfterUnlock();
    diskQueue.lock().lock();
    try {
      if (!done) {
        fail(new IOException("writing " + path + " was aborted by its owner " + owner), after);
        diskQueue.changed(this);
      }
    } finally {
      diskQueue.lock().unlock();
    }
    Throwable thrown = after.run();
    diskQueue.wake();
    if (thrown instanceof RuntimeException e) {
      throw e;
    } else if (thrown instanceof Error e) {
      throw e;
    }
  }

  /** Aborts the file if {@link #finish} was not called. */
  @Override
  public void close() {
    boolean abandoned;
    diskQueue.lock().lock();
    try {
      abandoned = !finishing;
    } finally {
      diskQueue.lock().unlock();
    }
    if (abandoned) {
      abort();
    }
  }

  @Override
  boolean wantsTurn() {
    return failure != null ? !disposed : !done && (finishing || holdsBurst());
  }

  /** Whether enough waits for a turn: a spinning disk is not sent for less than a burst at once. */
  private boolean holdsBurst() {
    return !waiting.isEmpty()
        && (diskQueue.burstUnits() == 1
            || waitingHeld >= burstBytes()
            || diskQueue.now() - waiting.peek().since >= diskQueue.settings().agingNanos());
  }

  private long burstBytes() {
    return (long) diskQueue.burstUnits() * diskQueue.settings().unitBytes();
  }

  @Override
  boolean over() {
    return !isBusy() && (done || disposed);
  }

  @Override
  void begin() {
    disposing = failure != null;
    if (disposing) {
      return;
    }
    long bytes = 0;
    while (!waiting.isEmpty() && (bytes == 0 || bytes + waiting.peek().length <= burstBytes())) {
      Piece next = waiting.poll();
      bytes += next.length;
      waitingHeld -= next.held;
      inTurn.add(next);
    }
    closing = finishing && waiting.isEmpty();
  }

  @Override
  long perform() throws IOException {
    if (disposing) {
      target.abort();
      return 0;
    }
    try {
      return write();
    } catch (Throwable e) {
      try {
        target.abort();
      } catch (Throwable alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      throw e;
    }
  }

  private long write() throws IOException {
    if (!opened) {
      opened = true;
      if (diskQueue.spinning()) {
        target.writeThrough();
      }
      target.open();
    }
    long bytes = 0;
    for (Piece piece : inTurn) {
      if (sums != null) {
        sums.update(piece.bytes);
      }
      pass(piece.bytes);
      if (piece.bytes.hasRemaining()) {
        throw new IOException("only a part of " + piece.length + " bytes was written");
      }
      bytes += piece.length;
    }
    if (closing) {
      if (forcing) {
        target.force();
      }
      target.close();
    }
    return bytes;
  }

  /** Direct I/O takes no bytes of the heap. */
  private void pass(ByteBuffer bytes) throws IOException {
    if (!diskQueue.spinning() || bytes.isDirect()) {
      target.write(bytes);
      return;
    }
    ByteBuffer scratch = diskQueue.takeScratch();
    try {
      while (bytes.hasRemaining()) {
        int now = Math.min(scratch.capacity(), bytes.remaining());
        scratch.clear().put(bytes.slice(bytes.position(), now)).flip();
        target.write(scratch);
        bytes.position(bytes.position() + now - scratch.remaining());
        if (scratch.hasRemaining()) {
          return;
        }
      }
    } finally {
      diskQueue.giveScratch(scratch);
    }
  }

  @Override
  void settle(Throwable failed, AfterUnlock after) {
    if (disposing) {
      disposed = true;
    } else if (failed != null) {
      disposed = true;
      fail(explain(failed), after);
    } else if (closing && failure == null) {
      done = true;
    }
    for (Piece piece : inTurn) {
      written += piece.length;
      release(piece, after);
    }
    inTurn.clear();
    progress.signalAll();
    if (done) {
      Written whole = new Written(written, Optional.ofNullable(sums).map(BlockSums.Taker::end));
      after.add(() -> complete(whole, after.thrown()));
    } else if (disposed) {
      after.add(() -> result.completeExceptionally(failure));
    }
  }

  private void complete(Written whole, Throwable thrown) {
    if (thrown == null) {
      result.complete(whole);
    } else {
      result.completeExceptionally(explain(thrown));
    }
  }

  @Override
  void endByOwner() {
    abort();
  }

  @Override
  void giveUp(IOException cause, AfterUnlock after) {
    if (!done) {
      fail(cause, after);
      after.add(() -> result.completeExceptionally(failure));
    }
  }

  private void fail(IOException cause, AfterUnlock after) {
    if (failure == null) {
      failure = cause;
    }
    while (!waiting.isEmpty()) {
      release(waiting.poll(), after);
    }
    waitingHeld = 0;
    progress.signalAll();
  }

  private void release(Piece piece, AfterUnlock after) {
    held -= piece.held;
    IOException why = failure;
    after.add(() -> charge.changed(owner, piece.memory, -piece.held));
    after.add(() -> piece.callback.done(why));
  }

  @Override
  long oldestRequest() {
    Piece oldest = inTurn.isEmpty() ? waiting.peek() : inTurn.get(0);
    return oldest == null ? NEVER : oldest.since;
  }

  @Override
  int countDepth() {
    return waiting.size() + inTurn.size();
  }

  @Override
  long countHeld() {
    return held;
  }
}
