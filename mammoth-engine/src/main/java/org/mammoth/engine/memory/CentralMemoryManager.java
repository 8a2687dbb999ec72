// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

/**
 * The upper level of the cache scheduler: divides the pool between maps and reduces by equation 2
 * of the Mammoth paper (Shi et al. 2015, §4.3). All amounts are units of the pool.
 */
final class CentralMemoryManager {

  /**
   * How the pool is divided at a moment.
   *
   * @param sortBuffer what running maps are expected to need for sorting
   * @param map the maps' quota
   * @param borrowed what maps hold beyond their quota, as nobody else needed it
   * @param reduce the reduces' quota
   */
  record Quotas(long sortBuffer, long map, long borrowed, long reduce) {}

  private final long whole;
  private long total;

  CentralMemoryManager(long total) {
    this.whole = total;
    this.total = total;
  }

  /** What may be lent now. */
  long total() {
    return total;
  }

  /** What there is. */
  long whole() {
    return whole;
  }

  /** Lends {@code units} at most from now on, though more may be lent at this moment. */
  void limit(long units) {
    if (units < 1 || units > whole) {
      throw new IllegalArgumentException(
          "a cache pool of " + whole + " units cannot be limited to " + units);
    }
    total = units;
  }

  /**
   * Applies the formulas.
   *
   * @param sortBuffer peak × running maps, or what they use now while there is no peak
   * @param sortUsed units of sort buffers now
   * @param sendUsed units of send buffers now
   */
  Quotas quotas(long sortBuffer, long sortUsed, long sendUsed) {
    long map = Math.min(sortBuffer + sendUsed, total);
    // Algorithm 2 (a): a map's request beyond the quota that still fits shrinks the reduces' part.
    long borrowed = Math.max(0, sortUsed + sendUsed - map);
    // Below a limit that has just shrunk maps may hold more than there is to divide.
    return new Quotas(sortBuffer, map, borrowed, Math.max(0, total - map - borrowed));
  }
}
