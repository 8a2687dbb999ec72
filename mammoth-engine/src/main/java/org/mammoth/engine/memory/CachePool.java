// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import org.mammoth.engine.config.BufferType;

/**
 * The node's memory for sorted intermediate data: a fixed number of equal {@link CacheUnit}s
 * (Mammoth paper, Shi et al. 2015, §4.2.2), allocated by {@link #makeAll}, by {@link #makeAhead} or
 * when first lent, and never given back to the JVM. It knows nothing of owners and quotas; the
 * cache scheduler decides who may take.
 *
 * <p>Safe for any thread. Taking and giving is one short lock for 2 MiB of data, longer by the time
 * to clear these where they are lent for the first time.
 */
public class CachePool {

  private final BufferType type;
  private final int unitBytes;
  private final int units;

  @GuardedBy("this")
  private final ArrayDeque<CacheUnit> free;

  /** Units that have been allocated, lent or free. */
  @GuardedBy("this")
  private int made;

  /**
   * A pool of units that are not allocated yet.
   *
   * @param type where the memory lies
   * @param unitBytes size of a unit, at least 1
   * @param units how many, at least 1
   */
  public CachePool(BufferType type, int unitBytes, int units) {
    if (unitBytes < 1 || units < 1) {
      throw new IllegalArgumentException(
          "a cache pool needs units: " + units + " of " + unitBytes + " bytes were asked for");
    }
    this.type = type;
    this.unitBytes = unitBytes;
    this.units = units;
    this.free = new ArrayDeque<>(units);
  }

  /** Size of each unit in bytes. */
  public int unitBytes() {
    return unitBytes;
  }

  /** How many units there are, lent or not. */
  public int units() {
    return units;
  }

  /** How many units nobody holds at this moment. */
  public synchronized int freeUnits() {
    return units - made + free.size();
  }

  /**
   * Allocates all units that are not there yet, so that nobody waits for their memory to be
   * cleared: some seconds per gigabyte. Units may be lent meanwhile.
   *
   * @throws OutOfMemoryError if the JVM does not have that much
   */
  public void makeAll() {
    boolean more = lacksUnits();
    while (more) {
      // Cleared outside the lock: whoever wants a unit now must not wait for all of them.
      more = add(NewUnits.of(type, unitBytes));
    }
  }

  /**
   * Allocates units as they are asked for, so many ahead that nobody waits for their memory to be
   * cleared, and no more than are used: until all are there, on the calling thread.
   *
   * @param ahead units that are to be free at any time, at least 1
   * @throws OutOfMemoryError if the JVM does not have that much
   */
  public void makeAhead(int ahead) throws InterruptedException {
    while (awaitDemand(ahead)) {
      add(NewUnits.of(type, unitBytes));
    }
  }

  private synchronized boolean awaitDemand(int ahead) throws InterruptedException {
    while (lacksUnits() && free.size() >= ahead) {
      wait();
    }
    return lacksUnits();
  }

  /** How many units have been allocated. */
  public synchronized int madeUnits() {
    return made;
  }

  private synchronized boolean lacksUnits() {
    return made < units;
  }

  /** Adds a unit if it lacks one, and says whether it still does. */
  private synchronized boolean add(CacheUnit unit) {
    if (lacksUnits()) {
      free.addFirst(unit);
      made++;
    }
    return lacksUnits();
  }

  /**
   * Lends a unit, or returns null when all are lent. Last given, first lent: its pages are warm.
   *
   * @throws OutOfMemoryError if it is lent for the first time and the JVM does not have the memory
   */
  public synchronized CacheUnit poll() {
    CacheUnit unit = free.pollLast();
    if (lacksUnits()) {
      if (unit == null) {
        unit = NewUnits.of(type, unitBytes);
        made++;
      }
      notifyAll();
    }
    return unit;
  }

  /** Takes a unit back; whoever gives it must not touch it again. */
  public synchronized void give(CacheUnit unit) {
    if (free.size() == made) {
      throw new IllegalStateException("a unit was given back to a cache pool that lacks none");
    }
    free.addLast(unit);
  }
}
