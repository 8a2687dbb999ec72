// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.mammoth.mpcache.slave.SsdDirectory;

/**
 * A thread for each SSD directory that deletes its files, one after the other: the DataNode's own
 * threads wait for no SSD, and none for another. Safe for any thread.
 */
final class Deleters implements AutoCloseable {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Map<SsdDirectory, ExecutorService> threads = new IdentityHashMap<>();

  Deleters(List<SsdDirectory> directories, ThreadFactory factory) {
    for (SsdDirectory directory : directories) {
      ThreadPoolExecutor thread =
          new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
      // Who drops a copy starts none, and meets no limit of threads.
      thread.prestartCoreThread();
      threads.put(directory, thread);
    }
  }

  /** Who deletes the files of a directory, one after the other. */
  Executor of(SsdDirectory directory) {
    return threads.get(directory);
  }

  /** Takes nothing more, and waits some seconds at most for what is to be deleted. */
  @Override
  public void close() {
    threads.values().forEach(ExecutorService::shutdown);
    long end = System.nanoTime() + PATIENCE_NANOS;
    try {
      for (ExecutorService thread : threads.values()) {
        thread.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
