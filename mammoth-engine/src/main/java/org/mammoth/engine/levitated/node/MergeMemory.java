// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.node;

import java.util.Collection;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.InputWindows;
import org.mammoth.engine.memory.UnitSource;

/**
 * Memory of all merges of an engine, charged to its ledger as {@link
 * org.mammoth.engine.memory.BufferKind#IO}. What merges hold that nobody has read for a while goes
 * to others. Any thread; waits for nobody.
 */
final class MergeMemory {

  /** What a merge takes for each of its segments, if it can. */
  private static final long A_SEGMENT = 64 << 10;

  /** What it takes whatever it merges. */
  private static final long A_MERGE = 1 << 20;

  /** No merge takes more than this part of all. */
  private static final int PARTS = 4;

  private static final int LEAST_UNITS = 4;
  private static final long IDLE_NANOS = 10_000_000_000L;

  private final InputWindows windows;
  private final Collection<NodeMerge> merges;
  private final long totalUnits;
  private long lent;

  /**
   * Nothing is lent.
   *
   * @param windows where units come from; null if there are none
   * @param merges those that may hold some
   * @param totalBytes of all merges together
   */
  MergeMemory(InputWindows windows, Collection<NodeMerge> merges, long totalBytes) {
    this.windows = windows;
    this.merges = merges;
    this.totalUnits = windows == null ? 0 : totalBytes / windows.unitBytes();
  }

  /** Memory of one merge. */
  final class Loan implements UnitSource, AutoCloseable {
    private final InputWindows.Window window;
    private final int units;
    private boolean closed;

    private Loan(InputWindows.Window window, int units) {
      this.window = window;
      this.units = units;
    }

    /** How many units it has. */
    int units() {
      return units;
    }

    @Override
    public int unitBytes() {
      return window.unitBytes();
    }

    @Override
    public CacheUnit poll() {
      return window.poll();
    }

    @Override
    public CacheUnit take() {
      return window.take();
    }

    @Override
    public void give(CacheUnit unit) {
      window.give(unit);
    }

    @Override
    public void move(UnitSource to, long bytes) {
      window.move(to, bytes);
    }

    @Override
    public void close() {
      window.close();
      synchronized (MergeMemory.this) {
        lent -= closed ? 0 : units;
        closed = true;
      }
    }
  }

  /** Units lent now. */
  synchronized long lent() {
    return lent;
  }

  /** Lends memory to merge so many segments; null if too little is to be had. */
  Loan lend(NodeMerge to, int segments) {
    if (windows == null) {
      return null;
    }
    long wanted = (A_MERGE + segments * A_SEGMENT) / windows.unitBytes();
    int units = (int) Math.max(LEAST_UNITS, Math.min(wanted, totalUnits / PARTS));
    if (free() < units) {
      restIdle(to, units);
    }
    synchronized (this) {
      units = (int) Math.min(units, totalUnits - lent);
      while (units >= LEAST_UNITS) {
        InputWindows.Window window = windows.open(units);
        if (window != null) {
          lent += units;
          return new Loan(window, units);
        }
        units /= 2;
      }
    }
    return null;
  }

  private synchronized long free() {
    return totalUnits - lent;
  }

  private void restIdle(NodeMerge except, int units) {
    long now = except.lastUsed();
    for (NodeMerge each : merges) {
      if (each != except && now - each.lastUsed() > IDLE_NANOS && free() < units) {
        each.restIfIdle();
      }
    }
  }
}
