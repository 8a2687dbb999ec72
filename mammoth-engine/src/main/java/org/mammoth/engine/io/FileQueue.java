// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.Condition;

/**
 * What an open file wants from its disk. Fields and methods belong to the disk's lock, except
 * {@link #perform}, which only the thread having the file's turn calls, and the volatile figures,
 * which the console reads at any time.
 */
abstract class FileQueue {

  /** Stands for no time at all. */
  static final long NEVER = Long.MIN_VALUE;

  final DiskQueue diskQueue;
  final Path path;
  final IoClass ioClass;
  final IoDirection direction;
  final String owner;

  /** Signalled whenever a producer or consumer of this file may go on. */
  final Condition progress;

  private boolean busy;
  private volatile long busySince = NEVER;
  private volatile long waitingSince = NEVER;
  private volatile long oldest = NEVER;
  private volatile int depth;
  private volatile long heldBytes;

  FileQueue(DiskQueue diskQueue, Path path, IoClass ioClass, IoDirection direction, String owner) {
    this.diskQueue = diskQueue;
    this.path = path;
    this.ioClass = ioClass;
    this.direction = direction;
    this.owner = owner;
    this.progress = diskQueue.lock().newCondition();
  }

  /** Whether a turn would do something. */
  abstract boolean wantsTurn();

  /** Whether no turn will ever do something again. */
  abstract boolean over();

  /** Decides what this turn does. */
  abstract void begin();

  /** Does it, without the lock; returns the bytes moved. */
  abstract long perform() throws IOException;

  /**
   * Whether {@link #perform} asks a DataNode, which answers when it likes, and not a disk. Such a
   * turn has a thread of its own.
   */
  boolean isInput() {
    return false;
  }

  /** Takes note of how it went; {@code failure} is null if it went well. */
  abstract void settle(Throwable failure, AfterUnlock after);

  /** Ends the file by an error that did not come from a turn of its own, now and for all. */
  abstract void giveUp(IOException cause, AfterUnlock after);

  /** Ends the file as its owner would; without the lock. */
  abstract void endByOwner();

  /** When the oldest thing that waits began to wait, or {@link #NEVER}. */
  abstract long oldestRequest();

  /** Units that wait, counting the one being moved. */
  abstract int countDepth();

  /** Memory it holds. */
  abstract long countHeld();

  final int rank() {
    return ioClass.rank(direction);
  }

  final boolean ready() {
    return !busy && wantsTurn();
  }

  final boolean isBusy() {
    return busy;
  }

  final void startTurn(long now) {
    busy = true;
    busySince = now;
    begin();
  }

  final void endTurn() {
    busy = false;
    busySince = NEVER;
    waitingSince = NEVER;
  }

  /** To be called after every change: keeps the figures and the time it waits since. */
  final void refresh(long now) {
    if (!wantsTurn()) {
      waitingSince = NEVER;
    } else if (waitingSince == NEVER) {
      waitingSince = now;
    }
    oldest = oldestRequest();
    depth = countDepth();
    heldBytes = countHeld();
  }

  final long waitingSince() {
    return waitingSince;
  }

  final long busySince() {
    return busySince;
  }

  final long oldest() {
    return oldest;
  }

  final int depth() {
    return depth;
  }

  final long heldBytes() {
    return heldBytes;
  }

  /** An error of this file as its owner shall read it. */
  final IOException explain(Throwable cause) {
    return explain(path, cause);
  }

  /** An error with one of several files. */
  final IOException explain(Path file, Throwable cause) {
    String verb = direction == IoDirection.WRITE ? "writing " : "reading ";
    return new IOException(
        verb
            + file
            + " for "
            + owner
            + " failed on disk "
            + diskQueue.disk()
            + ": "
            + cause
            + ". "
            + DiskFault.of(cause, direction).remedy(),
        cause);
  }
}
