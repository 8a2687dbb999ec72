// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.lifecycle;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Time, waiting and threads, so that a simulation can stand in for all three. Everything that
 * supervises engines waits here and nowhere else, and holds no lock while it does.
 */
public interface Pace {

  /** As {@link System#nanoTime}: never set back or forward by anybody. */
  long nanos();

  /** Does nothing for {@code ms} milliseconds. */
  void sleep(long ms) throws InterruptedException;

  /**
   * Waits for a result.
   *
   * @param ms longest time, ms
   * @throws TimeoutException if there is none then
   */
  <T> T await(CompletableFuture<T> result, long ms)
      throws InterruptedException, ExecutionException, TimeoutException;

  /**
   * Runs {@code work} on a daemon thread of its own.
   *
   * @throws OutOfMemoryError if the system has no thread left; nothing was started then
   */
  void start(String name, Runnable work);

  /** The machine's own. */
  static Pace real() {
    return new Pace() {
      @Override
      public long nanos() {
        return System.nanoTime();
      }

      @Override
      public void sleep(long ms) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(ms);
      }

      @Override
      public <T> T await(CompletableFuture<T> result, long ms)
          throws InterruptedException, ExecutionException, TimeoutException {
        return result.get(ms, TimeUnit.MILLISECONDS);
      }

      @Override
      public void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
      }
    };
  }
}
