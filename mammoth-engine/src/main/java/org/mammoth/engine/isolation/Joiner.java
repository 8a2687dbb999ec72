// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Waits for several threads with one deadline, by joining them. */
final class Joiner {
  private Joiner() {}

  /**
   * Joins each thread in turn until the deadline.
   *
   * @param deadline on the clock's scale, in nanoseconds
   * @return those still alive
   */
  static List<Thread> join(List<Thread> threads, long deadline, LongSupplier nanos)
      throws InterruptedException {
    List<Thread> alive = new ArrayList<>();
    for (Thread thread : threads) {
      long left = deadline - nanos.getAsLong();
      if (left > 0) {
        // timedJoin waits for ever on neither 0 nor a rounded-down fraction of a millisecond.
        TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
      }
      if (thread.isAlive()) {
        alive.add(thread);
      }
    }
    return alive;
  }
}
