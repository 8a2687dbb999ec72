package org.mammoth.engine.memory;

import java.util.ArrayDeque;

/**
 * The node's memory for sorted intermediate data: a fixed number of equal {@link CacheUnit}s
 * (mammoth.txt §4.2.2), allocated once and never given back to the JVM. It knows nothing of owners
 * and quotas; the cache scheduler decides who may take.
 *
 * <p>Safe for any thread. Taking and giving is one short lock for 2 MiB of data.
 */
public class CachePool {

  private final int unitBytes;
  private final int units;
  private final ArrayDeque<CacheUnit> free;

  /**
   * Allocates the pool.
   *
   * @param type where the memory lies
   * @param unitBytes size of a unit, at least 1
   * @param units how many, at least 1
   * @throws OutOfMemoryError if the JVM does not have that much
   */
  public CachePool(BufferType type, int unitBytes, int units) {
    if (unitBytes < 1 || units < 1) {
      throw new IllegalArgumentException(
          "a cache pool needs units: " + units + " of " + unitBytes + " bytes were asked for");
    }
    this.unitBytes = unitBytes;
    this.units = units;
    this.free = new ArrayDeque<>(units);
    for (int i = 0; i < units; i++) {
      free.add(type.make(unitBytes));
    }
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
    return free.size();
  }

  /**
   * Lends a unit, or returns null when all are lent. Last given, first lent: its pages are warm.
   */
  public synchronized CacheUnit poll() {
    return free.pollLast();
  }

  /** Takes a unit back; whoever gives it must not touch it again. */
  public synchronized void give(CacheUnit unit) {
    if (free.size() == units) {
      throw new IllegalStateException("a unit was given back to a cache pool that lacks none");
    }
    free.addLast(unit);
  }
}
