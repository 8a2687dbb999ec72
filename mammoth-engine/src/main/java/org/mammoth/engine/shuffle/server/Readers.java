// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import java.util.concurrent.Executor;

/**
 * Opens and reads segments beside the event loops. Work that may wait for one thing, as a disk,
 * never stands in the way of work that waits for another. Any thread.
 */
@FunctionalInterface
public interface Readers {

  /** What work waits for that waits for no disk. */
  String MEMORY = "memory";

  /**
   * Runs {@code work} soon.
   *
   * @param waitsFor names what it may wait for; of few different values
   * @throws java.util.concurrent.RejectedExecutionException if there is no thread for it
   */
  void execute(String waitsFor, Runnable work);

  /** Does all work alike. */
  static Readers of(Executor executor) {
    return (waitsFor, work) -> executor.execute(work);
  }
}
