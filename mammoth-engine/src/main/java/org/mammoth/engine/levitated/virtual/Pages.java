// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.util.Arrays;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.UnitSource;

/**
 * Units of the cache pool cut into pages, so that thousands of subtrees share them. Pages are
 * promised before they are taken: who was promised some finds them. Any thread; who holds a page
 * uses it alone.
 */
final class Pages implements AutoCloseable {

  static final int NONE = -1;

  private final UnitSource units;
  private final int pageBytes;
  private final int perUnit;
  private final int most;
  private CacheUnit[] held = new CacheUnit[4];

  /** The page after each one: in its chain, or among the free ones. */
  private int[] next = new int[0];

  private int unitsHeld;
  private int firstFree = NONE;
  private int free;
  private int promised;
  private int peak;
  private boolean closed;

  /**
   * No pages yet; units are taken when they are wanted.
   *
   * @param pageBytes size of a page, a divisor of a unit or less
   * @param mostBytes what all pages together may take
   */
  Pages(UnitSource units, int pageBytes, long mostBytes) {
    this.units = units;
    this.pageBytes = Math.min(pageBytes, units.unitBytes());
    this.perUnit = units.unitBytes() / this.pageBytes;
    this.most =
        (int) Math.max(1, Math.min(mostBytes / units.unitBytes(), Integer.MAX_VALUE / perUnit));
  }

  int pageBytes() {
    return pageBytes;
  }

  /** How many pages hold {@code bytes}. */
  int count(long bytes) {
    return (int) ((bytes + pageBytes - 1) / pageBytes);
  }

  /** Pages there may be altogether. */
  int most() {
    return most * perUnit;
  }

  /**
   * Promises pages if that leaves {@code spare} of those there may be.
   *
   * @param beyond whether more units may be taken than were planned
   */
  synchronized boolean promise(int pages, int spare, boolean beyond) {
    if (closed || !beyond && pages + spare > (most - unitsHeld) * perUnit + free - promised) {
      return false;
    }
    while (free - promised < pages) {
      CacheUnit unit = units.poll();
      if (unit == null) {
        return false;
      }
      add(unit);
    }
    promised += pages;
    return true;
  }

  private void add(CacheUnit unit) {
    if (unitsHeld == held.length) {
      held = Arrays.copyOf(held, 2 * unitsHeld);
    }
    int first = unitsHeld * perUnit;
    held[unitsHeld++] = unit;
    next = next.length < unitsHeld * perUnit ? Arrays.copyOf(next, held.length * perUnit) : next;
    for (int page = first + perUnit - 1; page >= first; page--) {
      next[page] = firstFree;
      firstFree = page;
    }
    free += perUnit;
  }

  /** Takes back a promise that was not used. */
  synchronized void forget(int pages) {
    promised -= pages;
  }

  /** A page that was promised, to be the last of a chain. */
  synchronized int take(int after) {
    if (promised == 0) {
      throw new IllegalStateException("a page was taken that nobody was promised");
    }
    int page = firstFree;
    firstFree = next[page];
    next[page] = NONE;
    if (after != NONE) {
      next[after] = page;
    }
    free--;
    promised--;
    peak = Math.max(peak, unitsHeld * perUnit - free);
    return page;
  }

  /** Frees the first page of a chain and tells the one after it. */
  synchronized int give(int page, boolean keepPromised) {
    int after = next[page];
    next[page] = firstFree;
    firstFree = page;
    free++;
    promised += keepPromised ? 1 : 0;
    return after;
  }

  private synchronized CacheUnit unit(int page) {
    return held[page / perUnit];
  }

  void put(int page, int at, byte[] from, int offset, int length) {
    unit(page).put(page % perUnit * pageBytes + at, from, offset, length);
  }

  void get(int page, int at, byte[] into, int offset, int length) {
    unit(page).get(page % perUnit * pageBytes + at, into, offset, length);
  }

  /** Bytes of pages that are in use or promised. */
  synchronized long usedBytes() {
    return (long) (unitsHeld * perUnit - free + promised) * pageBytes;
  }

  /** The most bytes of pages that were ever in use. */
  synchronized long peakBytes() {
    return (long) peak * pageBytes;
  }

  /** Bytes of the pool's memory it holds. */
  synchronized long heldBytes() {
    return (long) unitsHeld * units.unitBytes();
  }

  /** Gives all units back. */
  @Override
  public synchronized void close() {
    closed = true;
    for (int i = 0; i < unitsHeld; i++) {
      units.give(held[i]);
    }
    Arrays.fill(held, null);
    unitsHeld = 0;
    free = 0;
  }
}
