// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.util.ArrayDeque;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.UnitSource;

/**
 * Units that are taken at once, so that a merge knows beforehand what memory it has and never waits
 * for more. Any thread.
 */
public final class HeldUnits implements UnitSource, AutoCloseable {

  private final UnitSource from;
  private final ArrayDeque<CacheUnit> free = new ArrayDeque<>();
  private final int count;
  private boolean closed;

  /**
   * Takes {@code most} units, or as many as are to be had. Who has all it may have gets none, but
   * has what it can do without asked back for the next time: only two refusals in a row are the
   * end.
   */
  public HeldUnits(UnitSource from, int most) {
    this.from = from;
    int refused = 0;
    while (free.size() < most && refused < 2) {
      CacheUnit unit = from.poll();
      if (unit == null) {
        refused++;
      } else {
        free.add(unit);
        refused = 0;
      }
    }
    this.count = free.size();
  }

  /** How many it got. */
  public int count() {
    return count;
  }

  @Override
  public int unitBytes() {
    return from.unitBytes();
  }

  @Override
  public synchronized CacheUnit poll() {
    return free.pollLast();
  }

  @Override
  public CacheUnit take() {
    throw new UnsupportedOperationException("what is held is all there is");
  }

  @Override
  public void give(CacheUnit unit) {
    synchronized (this) {
      if (!closed) {
        free.add(unit);
        return;
      }
    }
    from.give(unit);
  }

  @Override
  public void move(UnitSource to, long bytes) {
    throw new UnsupportedOperationException("these units stay with their merge");
  }

  /** Gives back what is free, and later what comes back. Safe to call twice. */
  @Override
  public void close() {
    ArrayDeque<CacheUnit> all;
    synchronized (this) {
      closed = true;
      all = new ArrayDeque<>(free);
      free.clear();
    }
    all.forEach(from::give);
  }
}
