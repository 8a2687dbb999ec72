// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

import org.mammoth.engine.memory.SpareUnit;

/**
 * Takes what a task writes to a file, as it passes. Bytes gather on the heap and go to spare units
 * of the pool; where there are none, the file is not kept, and nobody waits. One thread at a time
 * for {@link #append} and {@link #admit}; {@link #abandon} is for any.
 */
public final class KeptWriter {

  /** Copies into units are of this size. */
  private static final int STAGE = 64 << 10;

  private final DataCache cache;
  private final KeptFile file;
  private final long most;
  private byte[] stage;
  private int staged;
  private long length;

  /** Bytes in units. */
  private long flushed;

  private SpareUnit last;

  /** Whether an append has not come to its end, as for want of memory: what it took is unknown. */
  private boolean brokenOff;

  /** Whether only its end is waited for, to learn whether it should have been kept. */
  private volatile boolean watching;

  private volatile boolean ended;

  KeptWriter(DataCache cache, KeptFile file, long most, boolean watching) {
    this.cache = cache;
    this.file = file;
    this.most = most;
    this.watching = watching;
  }

  KeptFile file() {
    return file;
  }

  /** Adds bytes that the file system has taken. */
  public void append(byte[] from, int offset, int count) {
    boolean before = brokenOff;
    brokenOff = true;
    take(from, offset, count);
    brokenOff = before;
  }

  private void take(byte[] from, int offset, int count) {
    length += count;
    if (watching) {
      return;
    }
    if (length > most) {
      stopKeeping();
      return;
    }
    int at = offset;
    int left = count;
    while (left > 0 && !watching) {
      if (stage == null) {
        stage = new byte[Math.min(STAGE, cache.unitBytes())];
      }
      int now = Math.min(left, stage.length - staged);
      System.arraycopy(from, at, stage, staged, now);
      staged += now;
      at += now;
      left -= now;
      if (staged == stage.length && !flush()) {
        stopKeeping();
      }
    }
  }

  private boolean flush() {
    int done = 0;
    while (done < staged) {
      int inUnit = (int) (flushed % cache.unitBytes());
      int now = Math.min(staged - done, cache.unitBytes() - inUnit);
      boolean ready;
      if (inUnit == 0) {
        last = cache.newUnit(file);
        ready = last != null;
      } else {
        ready = cache.spares().borrow(last);
      }
      if (!ready) {
        return false;
      }
      try {
        last.put(inUnit, stage, done, now);
      } finally {
        cache.spares().keep(last);
      }
      flushed += now;
      done += now;
    }
    staged = 0;
    return true;
  }

  /**
   * The file is closed: whoever opens it from now on finds it.
   *
   * @param block identity of the last block, its length included
   */
  public void admit(BlockIdentity block) {
    if (ended) {
      return;
    }
    FileIdentity identity =
        new FileIdentity(block.pool(), block.block(), block.stamp(), block.length(), length);
    watching |= brokenOff;
    int first = 0;
    if (!watching && staged > 0) {
      if (flushed == 0) {
        first = cache.share(file, stage, staged);
        watching = first < 0;
      } else {
        watching = !flush();
      }
    }
    if (watching) {
      stopKeeping();
    }
    end();
    cache.finished(file, identity, first, !watching);
  }

  /** The file was not closed as it should be, or its task has ended: nothing of it is kept. */
  public synchronized void abandon() {
    if (!ended) {
      watching = true;
      end();
      cache.abandoned(file);
    }
  }

  private synchronized void end() {
    if (!ended) {
      ended = true;
      cache.writerEnded(file);
    }
  }

  private void stopKeeping() {
    watching = true;
    stage = null;
    cache.abandoned(file);
  }
}
