// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What sockets' threads and timers leave for a reduce's own thread to do, so that all decisions of
 * a reduce are made by one thread.
 */
final class Inbox {

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Runnable wake;

  /** {@code wake} ends the owner's waiting, from any thread. */
  Inbox(Runnable wake) {
    this.wake = wake;
  }

  /** Leaves something to do; any thread. */
  void post(Runnable task) {
    tasks.add(task);
    wake.run();
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }

  /** Does what was left, in its order; the owner's thread. */
  void runAll() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }
}
