// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

/** Hears when the cache pool becomes nearly full and when it is so no longer. */
@FunctionalInterface
public interface PressureListener {

  /**
   * Called outside the scheduler's lock by whatever thread crossed the watermark, which may hold
   * the lock of a cache file: hand over and return.
   *
   * @param high true above mammoth.memory.watermark.high, false below mammoth.memory.watermark.low
   */
  void pressureChanged(boolean high);
}
