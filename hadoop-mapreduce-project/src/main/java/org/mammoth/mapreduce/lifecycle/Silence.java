// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.lifecycle;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long somebody has not been heard of, as far as one has listened: the time between two looks
 * counts for no more than a look may take. So neither a jump of the clock nor a machine that stood
 * still is taken for the other's silence. Thread-safe.
 */
public final class Silence {

  private final LongSupplier nanos;
  private final long longestStepNanos;
  private long lookedAt;
  private long silentNanos;

  /**
   * Begins now.
   *
   * @param nanos as {@link System#nanoTime}
   * @param longestStepMs what the time between two looks counts for at most, ms, positive
   */
  public Silence(LongSupplier nanos, long longestStepMs) {
    this.nanos = nanos;
    this.longestStepNanos = TimeUnit.MILLISECONDS.toNanos(longestStepMs);
    this.lookedAt = nanos.getAsLong();
  }

  /** The other was heard of just now. */
  public synchronized void heard() {
    lookedAt = nanos.getAsLong();
    silentNanos = 0;
  }

  /** Looks: how long the silence has lasted, ms. */
  public synchronized long lookMs() {
    long now = nanos.getAsLong();
    silentNanos += Math.max(0, Math.min(now - lookedAt, longestStepNanos));
    lookedAt = now;
    return TimeUnit.NANOSECONDS.toMillis(silentNanos);
  }
}
