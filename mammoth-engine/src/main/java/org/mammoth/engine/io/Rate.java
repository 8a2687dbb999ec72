// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Bytes per second, each byte weighing less the longer ago it was moved: after 5 s a third is left.
 * Safe for any thread.
 */
final class Rate {

  private static final double SECONDS = 5;

  @GuardedBy("this")
  private double perSecond;

  @GuardedBy("this")
  private long at;

  @GuardedBy("this")
  private boolean started;

  synchronized void add(long bytes, long now) {
    perSecond = decayed(now) + bytes / SECONDS;
    at = now;
    started = true;
  }

  synchronized double get(long now) {
    return decayed(now);
  }

  @GuardedBy("this")
  private double decayed(long now) {
    return started ? perSecond * Math.exp(-Math.max(0, now - at) / 1e9 / SECONDS) : 0;
  }
}
