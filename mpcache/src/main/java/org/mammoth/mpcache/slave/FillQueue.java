// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Background work of a slave, bounded in threads and in length. What does not fit is dropped: a
 * reader never waits for the cache.
 *
 * <p>Safe for any thread.
 */
public final class FillQueue {

  private final Executor executor;
  private final int maxRunning;
  private final int maxWaiting;

  @GuardedBy("this")
  private final Deque<Runnable> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private int running;

  @GuardedBy("this")
  private long dropped;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param executor runs the workers; it must not run them in the caller's thread
   * @param maxRunning workers at once, at least 1
   * @param maxWaiting pieces of work that may wait, at least 0
   */
  public FillQueue(Executor executor, int maxRunning, int maxWaiting) {
    if (maxRunning < 1 || maxWaiting < 0) {
      throw new IllegalArgumentException(
          "filling needs a thread and a queue: mammoth.mpcache.fill.threads is "
              + maxRunning
              + ", mammoth.mpcache.fill.queue is "
              + maxWaiting);
    }
    this.executor = executor;
    this.maxRunning = maxRunning;
    this.maxWaiting = maxWaiting;
  }

  /** Hands work over without waiting; false if it was dropped. */
  public boolean offer(Runnable work) {
    synchronized (this) {
      if (closed || running == maxRunning && waiting.size() >= maxWaiting) {
        dropped++;
        return false;
      }
      if (running == maxRunning) {
        waiting.addLast(work);
        return true;
      }
      running++;
    }
    try {
      executor.execute(() -> drain(work));
      return true;
    } catch (RejectedExecutionException e) {
      synchronized (this) {
        running--;
        dropped++;
      }
      return false;
    }
  }

  private void drain(Runnable first) {
    Runnable work = first;
    while (work != null) {
      boolean finished = false;
      try {
        work.run();
        finished = true;
      } finally {
        if (!finished) {
          afterFailure();
        }
      }
      work = next();
    }
  }

  private synchronized Runnable next() {
    Runnable work = waiting.pollFirst();
    if (work == null) {
      running--;
    }
    return work;
  }

  /** The failure goes on to the executor and this worker with it; another takes what waits. */
  private void afterFailure() {
    Runnable work = next();
    if (work != null) {
      synchronized (this) {
        running--;
      }
      offer(work);
    }
  }

  /** Forgets what waits and takes nothing more; what runs goes on. */
  public synchronized void close() {
    closed = true;
    waiting.clear();
  }

  /** Pieces of work not begun. */
  public synchronized int waiting() {
    return waiting.size();
  }

  /** Workers at this moment. */
  public synchronized int running() {
    return running;
  }

  /** Work refused so far. */
  public synchronized long dropped() {
    return dropped;
  }
}
