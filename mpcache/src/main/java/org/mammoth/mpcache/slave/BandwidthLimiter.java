// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Lets bytes pass at a rate. Nothing is saved up: after a pause the first chunk starts at once and
 * the next waits for the time the first one took. Fractions of a nanosecond are carried over, so
 * that over any time the rate is met exactly: n bytes take n/rate seconds, rounded up to 1 ns.
 *
 * <p>Safe for any thread; all threads share the rate.
 */
public final class BandwidthLimiter {

  private static final long NANOS = 1_000_000_000L;

  private final Pace pace;

  @GuardedBy("this")
  private long bytesPerSecond;

  @GuardedBy("this")
  private boolean started;

  @GuardedBy("this")
  private long free;

  @GuardedBy("this")
  private long carried;

  /**
   * @param bytesPerSecond the rate; 0 means without limit
   */
  public BandwidthLimiter(Pace pace, long bytesPerSecond) {
    this.pace = pace;
    this.bytesPerSecond = checked(bytesPerSecond);
  }

  private static long checked(long rate) {
    if (rate < 0) {
      throw new IllegalArgumentException(
          "a bandwidth of " + rate + " bytes/s cannot be; see mammoth.mpcache.fill.bandwidth-mb");
    }
    return rate;
  }

  /**
   * Changes the rate; bytes that wait already wait as long as they were told.
   *
   * @param rate bytes per second; 0 means without limit
   */
  public synchronized void bytesPerSecond(long rate) {
    bytesPerSecond = checked(rate);
    carried = 0;
  }

  /** The rate; 0 means without limit. */
  public synchronized long bytesPerSecond() {
    return bytesPerSecond;
  }

  /** Waits until {@code bytes} more may pass. */
  public void pass(int bytes) throws InterruptedException {
    long wait = reserve(bytes);
    if (wait > 0) {
      pace.pause(wait);
    }
  }

  /** Books the bytes; the answer is how many nanoseconds to wait before they may start. */
  private synchronized long reserve(int bytes) {
    if (bytesPerSecond == 0) {
      return 0;
    }
    long now = pace.nanoTime();
    if (!started || free - now < 0) {
      started = true;
      free = now;
      carried = 0;
    }
    long wait = free - now;
    // bytes < 2^31 and NANOS < 2^30: no overflow.
    long scaled = bytes * NANOS + carried;
    free += scaled / bytesPerSecond;
    carried = scaled % bytesPerSecond;
    return wait;
  }
}
