// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.buffers;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.mammoth.engine.datacache.DataCache;
import org.mammoth.engine.datacache.KeptWriter;

/**
 * One attempt's part in the engine's data cache. A task that is killed does not close what it
 * writes; {@link #close} sees to it that nothing of that is kept. Any thread.
 */
public final class TaskCache implements AutoCloseable {

  private final DataCache cache;
  private final String job;
  private final Set<KeptWriter> writers = ConcurrentHashMap.newKeySet();
  private final LongAdder bytesRead = new LongAdder();
  private volatile boolean closed;

  /**
   * @param job the attempt's
   */
  public TaskCache(DataCache cache, String job) {
    this.cache = cache;
    this.job = job;
  }

  /** The cache that all tasks of the engine share. */
  public DataCache cache() {
    return cache;
  }

  /** The task has created a file. */
  public KeptWriter begin(String path) {
    KeptWriter writer = cache.begin(path, job);
    writers.add(writer);
    if (closed) {
      // A thread that has outlived its task.
      writer.abandon();
    }
    return writer;
  }

  /** The task has closed it. */
  public void ended(KeptWriter writer) {
    writers.remove(writer);
  }

  /** The task has deleted a file or a folder. */
  public void deleted(String path) {
    cache.drop(path);
  }

  /** The task has read so many bytes from memory. */
  public void read(long bytes) {
    bytesRead.add(bytes);
  }

  /** Bytes that the task has read from memory. */
  public long bytesRead() {
    return bytesRead.sum();
  }

  /** The attempt has ended: what it has not closed is not kept. */
  @Override
  public void close() {
    closed = true;
    writers.forEach(KeptWriter::abandon);
    writers.clear();
  }
}
