// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.util.concurrent.locks.LockSupport;

/** Time and waiting, so that tests decide how fast both go. */
public interface Pace {

  /** A clock that only goes forward, in nanoseconds. */
  long nanoTime();

  /**
   * Waits.
   *
   * @throws InterruptedException if the thread is told to stop
   */
  void pause(long nanos) throws InterruptedException;

  /** The machine's own. */
  static Pace ofSystem() {
    return new Pace() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public void pause(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
          if (Thread.interrupted()) {
            throw new InterruptedException("told to stop while waiting for cache bandwidth");
          }
          LockSupport.parkNanos(left);
        }
      }
    };
  }
}
