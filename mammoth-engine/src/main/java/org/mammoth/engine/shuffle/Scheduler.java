// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Time, as far as the shuffle needs it. Any thread. */
public interface Scheduler {

  /** Nanoseconds since some fixed moment, never going back. */
  long nanoTime();

  /**
   * Runs {@code task} once, after {@code delayMs} milliseconds.
   *
   * @return runs to cancel the task; no effect once it began
   */
  Runnable after(long delayMs, Runnable task);

  /** Real time, with tasks run by {@code executor}. */
  static Scheduler of(ScheduledExecutorService executor) {
    return new Scheduler() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public Runnable after(long delayMs, Runnable task) {
        Future<?> future = executor.schedule(task, delayMs, TimeUnit.MILLISECONDS);
        return () -> future.cancel(false);
      }
    };
  }
}
