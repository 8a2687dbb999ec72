// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.endpoint;

import java.io.Closeable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.mammoth.engine.shuffle.server.Readers;

/**
 * A few threads for each thing that reading may wait for: memory, and each disk. A disk that hangs
 * holds up its own threads only. Any thread.
 */
final class ReaderLanes implements Readers, Closeable {

  private static final long IDLE_S = 60;

  private final ConcurrentHashMap<String, ThreadPoolExecutor> lanes = new ConcurrentHashMap<>();
  private final ThreadFactory threads;
  private final int size;
  private volatile boolean closed;

  /**
   * Starts the threads for memory; those for a disk start when they are needed.
   *
   * @param threads makes daemon threads that inherit nothing from whoever first needs them
   * @param size threads of each lane, at least 1
   */
  ReaderLanes(ThreadFactory threads, int size) {
    this.threads = threads;
    this.size = size;
    lane(MEMORY).prestartAllCoreThreads();
  }

  private ThreadPoolExecutor lane(String waitsFor) {
    return lanes.computeIfAbsent(
        waitsFor,
        name -> {
          ThreadPoolExecutor made =
              new ThreadPoolExecutor(
                  size, size, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
          made.allowCoreThreadTimeOut(!name.equals(MEMORY));
          return made;
        });
  }

  @Override
  public void execute(String waitsFor, Runnable work) {
    if (closed) {
      throw new RejectedExecutionException("the shuffle is ending");
    }
    try {
      lane(waitsFor).execute(work);
    } catch (OutOfMemoryError e) {
      // who asks knows what to do without a reader, and would not know what to do without an answer
      throw new RejectedExecutionException("no thread can be started for " + waitsFor, e);
    }
  }

  @Override
  public void close() {
    closed = true;
    lanes.values().forEach(ThreadPoolExecutor::shutdownNow);
  }
}
