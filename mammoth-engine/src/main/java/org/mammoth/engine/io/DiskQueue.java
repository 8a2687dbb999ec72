// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.mammoth.api.status.DiskUse;
import org.mammoth.engine.config.IoKeys;
import org.mammoth.engine.memory.PageAligned;

/**
 * One disk: the files open on it and whose turn it is (Mammoth paper, Shi et al. 2015, §5.1, §5.2).
 * Each turn is one task of the executor and moves at most one unit of one file, on a spinning disk
 * {@code mammoth.io.burst-units}; at most {@code mammoth.io.threads-per-disk} turns are with the
 * executor at any time. The lock is never held during I/O nor while anyone is called back.
 *
 * <p>Input takes part in the turns, but a DataNode may be silent for minutes with nothing wrong
 * with the disk. So its turns have threads of their own, and the others wait {@link
 * #PATIENCE_NANOS} for the end of one. While one lasts longer than that, and none has read anything
 * for as long, all input goes on beside the turns. Input that is only slow keeps its turns: without
 * them it would be slower still.
 */
final class DiskQueue {

  /** Who wants to know what goes wrong on a disk. Called without a lock, before the owners know. */
  interface Faults {

    /** A turn failed. */
    void failed(Path file, IoDirection direction, Throwable error);

    /** A read or write does not come back. */
    void hung(String disk, String reason);
  }

  private static final int SCRATCH_BYTES = 1 << 20;
  private static final long WAIT_SLICE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Many times what a disk needs for a burst. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final String disk;
  private final boolean spinning;
  private final IoSettings settings;
  private final Executor executor;
  private final Executor inputExecutor;
  private final LongSupplier clock;
  private final Faults faults;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final TimeSliceOrder order;

  private final Set<FileQueue> files = ConcurrentHashMap.newKeySet();
  private final Map<IoDirection, Map<IoClass, Lane>> lanes = new EnumMap<>(IoDirection.class);
  private final Queue<ByteBuffer> scratch = new ConcurrentLinkedQueue<>();

  @GuardedBy("lock")
  private int turnsGiven;

  /** Input whose end the next turn waits for: each has one of the turns given. */
  @GuardedBy("lock")
  private final List<FileQueue> awaited = new ArrayList<>();

  /** When input last read something. */
  @GuardedBy("lock")
  private long inputRead;

  @GuardedBy("lock")
  private IOException closed;

  /**
   * @param spinning whether a seek costs as much as reading a megabyte: turns are longer then
   * @param inputExecutor where input is read, see {@link DiskExecutors#forInput}
   * @param clock nanoseconds, as {@link System#nanoTime}
   */
  DiskQueue(
      String disk,
      boolean spinning,
      IoSettings settings,
      Executor executor,
      Executor inputExecutor,
      LongSupplier clock,
      Faults faults) {
    this.disk = disk;
    this.spinning = spinning;
    this.settings = settings;
    this.executor = executor;
    this.inputExecutor = inputExecutor;
    this.clock = clock;
    this.faults = faults;
    this.inputRead = clock.getAsLong() - PATIENCE_NANOS - 1;
    this.order = new TimeSliceOrder(settings.agingNanos(), settings.agingTurns());
    for (IoDirection direction : IoDirection.values()) {
      Map<IoClass, Lane> ofDirection = new EnumMap<>(IoClass.class);
      for (IoClass ioClass : IoClass.values()) {
        ofDirection.put(ioClass, new Lane(ioClass, direction));
      }
      lanes.put(direction, ofDirection);
    }
  }

  String disk() {
    return disk;
  }

  boolean spinning() {
    return spinning;
  }

  /** Most units that one turn moves. */
  int burstUnits() {
    return spinning ? settings.burstUnits() : 1;
  }

  /** Most bytes that one file may have waiting: one turn's on the way, one turn's to come. */
  long queueBytes() {
    return Math.max(settings.queueBytes(), (2L * burstUnits() + 1) * settings.unitBytes());
  }

  ReentrantLock lock() {
    return lock;
  }

  IoSettings settings() {
    return settings;
  }

  long now() {
    return clock.getAsLong();
  }

  /** A buffer that lies where direct I/O wants it, for bytes that do not; one for each turn. */
  ByteBuffer takeScratch() {
    ByteBuffer spare = scratch.poll();
    return spare == null ? PageAligned.allocate(SCRATCH_BYTES) : spare.clear();
  }

  void giveScratch(ByteBuffer buffer) {
    scratch.add(buffer);
  }

  /** Takes a new file on. */
  void attach(FileQueue file) throws IOException {
    lock.lock();
    try {
      if (closed != null) {
        throw new IOException(file.path + " was not opened: " + closed.getMessage(), closed);
      }
      files.add(file);
      order.add(file);
      file.refresh(now());
    } finally {
      lock.unlock();
    }
    wake();
  }

  /** To be called with the lock after a change of a file from outside its turn. */
  @SuppressWarnings("GuardedBy") // files lock it by lock(), which the checker cannot know
  void changed(FileQueue file) {
    if (file.over()) {
      order.remove(file);
      files.remove(file);
    }
    file.refresh(now());
  }

  /** Lets a thread look for work if there is any; without the lock. */
  void wake() {
    lock.lock();
    try {
      passSilentInput();
      if (turnsGiven >= settings.threadsPerDisk() || !order.hasNext()) {
        return;
      }
      turnsGiven++;
    } finally {
      lock.unlock();
    }
    submit();
  }

  /** Lets those go on who have waited long enough for a DataNode. */
  @GuardedBy("lock")
  private void passSilentInput() {
    int before = awaited.size();
    awaited.removeIf(this::isLate);
    turnsGiven -= before - awaited.size();
  }

  private boolean isLate(FileQueue file) {
    return file.isInput() && file.isBusy() && now() - file.busySince() > PATIENCE_NANOS;
  }

  /** Whether a DataNode does not answer; one that answers somebody is slow at most. */
  @GuardedBy("lock")
  private boolean isInputSilent() {
    return now() - inputRead > PATIENCE_NANOS && files.stream().anyMatch(this::isLate);
  }

  private void submit() {
    try {
      executor.execute(this::turn);
    } catch (RejectedExecutionException e) {
      close(new IOException("the threads of disk " + disk + " were stopped", e));
      boolean ours = true;
      while (ours && hasTurn()) {
        // only what is left to be given up
        ours = oneTurn();
      }
      if (ours) {
        endTurn();
      }
    } catch (OutOfMemoryError e) {
      // No thread is to be had now. Who wakes the disk next tries again, a tick at the latest.
      giveTurnBack();
    }
  }

  private void giveTurnBack() {
    lock.lock();
    try {
      turnsGiven--;
    } finally {
      lock.unlock();
    }
  }

  private boolean hasTurn() {
    lock.lock();
    try {
      return order.hasNext();
    } finally {
      lock.unlock();
    }
  }

  private void turn() {
    boolean ours = true;
    try {
      ours = oneTurn();
    } finally {
      if (ours) {
        endTurn();
      }
    }
  }

  /** Gives the turn to the next file, or back. */
  private void endTurn() {
    lock.lock();
    try {
      if (!order.hasNext()) {
        turnsGiven--;
        return;
      }
    } finally {
      lock.unlock();
    }
    submit();
  }

  /** Returns whether the turn is the caller's to end; if not, the end of input ends it. */
  private boolean oneTurn() {
    FileQueue file;
    boolean waitFor;
    lock.lock();
    try {
      file = order.next(now());
      if (file == null) {
        return true;
      }
      file.startTurn(now());
      file.refresh(now());
      waitFor = file.isInput() && !isInputSilent();
      if (waitFor) {
        awaited.add(file);
      }
    } finally {
      lock.unlock();
    }
    if (!file.isInput()) {
      perform(file);
      return true;
    }
    try {
      inputExecutor.execute(() -> performInput(file));
      return !waitFor;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The scheduler was closed, and it is left to be given up; or no thread is to be had.
      perform(file);
      return !waitFor || noLongerAwaited(file);
    }
  }

  private void performInput(FileQueue file) {
    try {
      perform(file);
    } finally {
      if (noLongerAwaited(file)) {
        endTurn();
      } else {
        wake();
      }
    }
  }

  /** False if nobody waited for this file's end any more. */
  private boolean noLongerAwaited(FileQueue file) {
    lock.lock();
    try {
      return awaited.remove(file);
    } finally {
      lock.unlock();
    }
  }

  private void perform(FileQueue file) {
    Lane lane = lanes.get(file.direction).get(file.ioClass);
    long bytes = 0;
    Throwable failure = null;
    try {
      bytes = file.perform();
    } catch (Throwable e) {
      failure = e;
      lane.failed();
      report(file, e);
    }
    AfterUnlock after = new AfterUnlock();
    lock.lock();
    try {
      lane.moved(bytes, now());
      if (file.isInput() && bytes > 0) {
        inputRead = now();
      }
      file.endTurn();
      file.settle(failure, after);
      changed(file);
    } finally {
      lock.unlock();
    }
    tell(file, after);
  }

  private void report(FileQueue file, Throwable failure) {
    try {
      faults.failed(file.path, file.direction, failure);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Calls back; what is thrown fails the file it belongs to. Without the lock. */
  private void tell(FileQueue file, AfterUnlock after) {
    Throwable thrown = after.run();
    if (thrown != null) {
      lock.lock();
      try {
        file.giveUp(file.explain(thrown), after);
        changed(file);
      } finally {
        lock.unlock();
      }
      after.run();
    }
  }

  /**
   * Waits a while for the file to make progress; with the lock, which is held again on return.
   *
   * @throws InterruptedException if the task was killed
   */
  void await(FileQueue file, AfterUnlock after) throws InterruptedException {
    file.progress.awaitNanos(WAIT_SLICE_NANOS);
    checkHung(after);
  }

  /** Gives all files up if a read or write does not come back. Without the lock. */
  void checkHung() {
    AfterUnlock after = new AfterUnlock();
    lock.lock();
    try {
      checkHung(after);
    } finally {
      lock.unlock();
    }
    after.run();
  }

  private void checkHung(AfterUnlock after) {
    long limit = settings.outage().stallNanos();
    long now = now();
    for (FileQueue file : files) {
      if (!file.isInput() && file.isBusy() && now - file.busySince() > limit) {
        String reason =
            "disk "
                + disk
                + " has not answered for more than "
                + TimeUnit.NANOSECONDS.toMillis(limit)
                + " ms ("
                + IoKeys.STALL_TIMEOUT_MS.name()
                + ") while "
                + file.path
                + " was "
                + (file.direction == IoDirection.WRITE ? "written" : "read");
        after.add(() -> faults.hung(disk, reason));
        giveUpAll(new IOException(reason), after);
        return;
      }
    }
  }

  /** Ends the files of one owner; returns how many. */
  int abort(String owner) {
    int ended = 0;
    for (FileQueue file : files) {
      if (file.owner.equals(owner)) {
        file.endByOwner();
        ended++;
      }
    }
    return ended;
  }

  /** Gives up all files and takes no new ones. */
  void close(IOException cause) {
    AfterUnlock after = new AfterUnlock();
    lock.lock();
    try {
      if (closed == null) {
        closed = cause;
      }
      giveUpAll(cause, after);
    } finally {
      lock.unlock();
    }
    after.run();
    wake();
  }

  private void giveUpAll(IOException cause, AfterUnlock after) {
    for (FileQueue file : new ArrayList<>(files)) {
      file.giveUp(file.explain(cause), after);
      changed(file);
    }
  }

  DiskUse snapshot(List<DiskUse.Dir> dirs) {
    long now = now();
    int inFlight = 0;
    long longest = 0;
    for (FileQueue file : files) {
      long since = file.busySince();
      if (since != FileQueue.NEVER) {
        inFlight++;
        // A DataNode's silence is not the disk's.
        longest = file.isInput() ? longest : Math.max(longest, now - since);
      }
    }
    List<DiskUse.Lane> figures = new ArrayList<>();
    lanes
        .values()
        .forEach(
            ofDirection ->
                ofDirection.values().forEach(lane -> figures.add(lane.snapshot(files, now))));
    return new DiskUse(disk, inFlight, TimeUnit.NANOSECONDS.toMillis(longest), dirs, figures);
  }
}
