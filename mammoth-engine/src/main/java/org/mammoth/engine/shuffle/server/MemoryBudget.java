// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The bytes of map output all connections together may hold. Those who find it empty stand in line;
 * whoever leaves the line for whatever reason lets the next one try. Those whose disk has its share
 * of it stand beside the line until the disk has read something. Any thread.
 */
final class MemoryBudget {

  /** Called, outside of the lock, when it is this one's turn to try again. */
  interface Waiter {
    void wake();

    /** The disk has read something. */
    void wake(String disk);
  }

  /** What became of a request. */
  enum Answer {
    TAKEN,
    /** It stands in line. */
    LATER,
    /** Its disk has enough to do. */
    DISK_BUSY
  }

  private final LinkedHashSet<Waiter> line = new LinkedHashSet<>();
  private final Map<String, Set<Waiter>> behindDisk = new HashMap<>();
  private final DiskShare disks;
  private final long total;
  private long free;

  MemoryBudget(long total) {
    this.total = total;
    this.free = total;
    this.disks = new DiskShare(total);
  }

  /** Takes {@code bytes}, which wait for {@code disk}, or stands in line. */
  Answer take(long bytes, String disk, Waiter waiter) {
    Waiter next;
    synchronized (this) {
      if (!disks.may(disk, bytes)) {
        behindDisk.computeIfAbsent(disk, name -> new LinkedHashSet<>()).add(waiter);
        return Answer.DISK_BUSY;
      }
      boolean myTurn = line.isEmpty() || line.iterator().next() == waiter;
      if (!myTurn || free < bytes) {
        line.add(waiter);
        return Answer.LATER;
      }
      free -= bytes;
      disks.begin(disk, bytes);
      line.remove(waiter);
      next = next();
    }
    wake(next);
    return Answer.TAKEN;
  }

  /** Takes {@code bytes} if nobody stands in line for them. */
  synchronized boolean tryTake(long bytes, String disk) {
    if (!line.isEmpty() || free < bytes || !disks.may(disk, bytes)) {
      return false;
    }
    free -= bytes;
    disks.begin(disk, bytes);
    return true;
  }

  /** The disk has read bytes that were taken for it; they are still held. */
  void read(String disk, long bytes) {
    Set<Waiter> again;
    synchronized (this) {
      disks.end(disk, bytes);
      again = behindDisk.remove(disk);
    }
    if (again != null) {
      again.forEach(waiter -> waiter.wake(disk));
    }
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

  private static void wake(Waiter next) {
    if (next != null) {
      next.wake();
    }
  }
}
