// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

/** Whether the pool is nearly full, with hysteresis. Guarded by the scheduler's lock. */
final class PressureGauge {

  private final double high;
  private final double low;
  private boolean pressed;

  PressureGauge(double high, double low) {
    this.high = high;
    this.low = low;
  }

  /** Takes a new reading and says whether the answer changed. */
  boolean read(long lent, long total) {
    boolean before = pressed;
    pressed = lent >= (pressed ? low : high) * total && lent > 0;
    return pressed != before;
  }

  boolean pressed() {
    return pressed;
  }

  /** Units above the low watermark. */
  long excess(long lent, long total) {
    return Math.max(0, lent - (long) Math.floor(low * total));
  }
}
