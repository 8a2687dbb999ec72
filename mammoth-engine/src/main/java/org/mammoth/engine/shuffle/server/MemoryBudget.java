package org.mammoth.engine.shuffle.server;

import java.util.LinkedHashSet;

/**
 * The bytes of map output all connections together may hold. Those who find it empty stand in line;
 * whoever leaves the line for whatever reason lets the next one try. Any thread.
 */
final class MemoryBudget {

  /** Called, outside of the lock, when it is this one's turn to try again. */
  interface Waiter {
    void wake();
  }

  private final LinkedHashSet<Waiter> line = new LinkedHashSet<>();
  private final long total;
  private long free;

  MemoryBudget(long total) {
    this.total = total;
    this.free = total;
  }

  /** Takes {@code bytes}, or stands in line and returns false. */
  boolean take(long bytes, Waiter waiter) {
    Waiter next;
    synchronized (this) {
      boolean myTurn = line.isEmpty() || line.iterator().next() == waiter;
      if (!myTurn || free < bytes) {
        line.add(waiter);
        return false;
      }
      free -= bytes;
      line.remove(waiter);
      next = next();
    }
    wake(next);
    return true;
  }

  void give(long bytes) {
    Waiter next;
    synchronized (this) {
      free += bytes;
      next = next();
    }
    wake(next);
  }

  /** For one who does not want anything any more. */
  void leave(Waiter waiter) {
    Waiter next;
    synchronized (this) {
      if (!line.remove(waiter)) {
        return;
      }
      next = next();
    }
    wake(next);
  }

  /** Bytes lent at this moment. */
  synchronized long used() {
    return total - free;
  }

  private Waiter next() {
    return free > 0 && !line.isEmpty() ? line.iterator().next() : null;
  }

  private static void wake(Waiter waiter) {
    if (waiter != null) {
      waiter.wake();
    }
  }
}
