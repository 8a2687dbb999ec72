// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.mammoth.engine.config.BufferType;

/**
 * Buffers to read input ahead in. They lie beside the cache pool, which is for intermediate data,
 * are made when they are first wanted, charged to {@link BufferKind#IO} and kept for the next file.
 * Safe for any thread.
 */
public final class InputWindows {

  private final Supplier<CacheUnit> units;
  private final int unitBytes;
  private final Lease lease;

  @GuardedBy("this")
  private final ArrayDeque<CacheUnit> free = new ArrayDeque<>();

  /** Windows of units of {@code unitBytes}, as many as the ledger has room for. */
  public InputWindows(BufferType type, int unitBytes, Ledger ledger) {
    this(() -> NewUnits.of(type, unitBytes), unitBytes, ledger);
  }

  /** As above, of units that {@code units} makes, or fails to make. */
  InputWindows(Supplier<CacheUnit> units, int unitBytes, Ledger ledger) {
    this.units = units;
    this.unitBytes = unitBytes;
    this.lease = ledger.open(new LeaseOwner("engine", "", "input"), BufferKind.IO);
  }

  /** Size of each unit in bytes. */
  public int unitBytes() {
    return unitBytes;
  }

  /**
   * Lends a window of so many units.
   *
   * @return null if they are not to be had now
   */
  public Window open(int count) {
    List<CacheUnit> lent = new ArrayList<>(count);
    Window window = null;
    synchronized (this) {
      try {
        while (lent.size() < count) {
          CacheUnit unit = free.isEmpty() ? make() : free.poll();
          if (unit == null) {
            return null;
          }
          lent.add(unit);
        }
        window = new Window(lent);
        return window;
      } finally {
        if (window == null) {
          free.addAll(lent);
        }
      }
    }
  }

  /** One unit more, charged if it is there at last; null if there is no room for it. */
  private CacheUnit make() {
    if (!lease.tryAcquire(unitBytes)) {
      return null;
    }
    CacheUnit made = null;
    try {
      made = units.get();
      return made;
    } finally {
      if (made == null) {
        lease.release(unitBytes);
      }
    }
  }

  private synchronized void takeBack(CacheUnit unit) {
    free.push(unit);
  }

  /** The units of one file. What its reader still has when it is closed goes back when given. */
  public final class Window implements UnitSource, AutoCloseable {

    private final ArrayDeque<CacheUnit> unused;
    private boolean closed;

    private Window(List<CacheUnit> units) {
      unused = new ArrayDeque<>(units);
    }

    @Override
    public int unitBytes() {
      return unitBytes;
    }

    @Override
    public synchronized CacheUnit poll() {
      return unused.poll();
    }

    @Override
    public CacheUnit take() {
      throw new UnsupportedOperationException("a window never grows");
    }

    @Override
    public synchronized void give(CacheUnit unit) {
      if (closed) {
        takeBack(unit);
      } else {
        unused.push(unit);
      }
    }

    @Override
    public void move(UnitSource to, long bytes) {
      throw new UnsupportedOperationException("a window keeps its units");
    }

    /** Gives back what is not in use. Safe to call twice. */
    @Override
    public synchronized void close() {
      closed = true;
      while (!unused.isEmpty()) {
        takeBack(unused.poll());
      }
    }
  }
}
