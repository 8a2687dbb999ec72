// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.network;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * The threads that tell a task what its asynchronous channels have done, where it names none. The
 * JDK has such threads once in a JVM: they would be of the task that first opens a channel, act for
 * it whoever's channel it is, and end with it. Thread-safe.
 */
public final class ChannelThreads implements Closeable {
  private final ExecutorService pool;
  private AsynchronousChannelGroup group;

  private ChannelThreads(TaskProcess process) {
    pool =
        Executors.newCachedThreadPool(
            work -> {
              // As the JDK makes them.
              Thread thread = new Thread(process.threads(), work);
              thread.setDaemon(true);
              return thread;
            });
    OpenSockets.opened(process, this);
  }

  /** Those of the calling task; null if none calls. */
  private static ChannelThreads ofCallerOrNull() {
    TaskProcess process = Owners.callerOrNull();
    return process == null
        ? null
        : process.part(ChannelThreads.class, () -> new ChannelThreads(process));
  }

  /** What a file is opened with that is to be opened with this. */
  public static ExecutorService orOwn(Path file, ExecutorService given) {
    if (given != null || file.getFileSystem() != FileSystems.getDefault()) {
      return given;
    }
    ChannelThreads own = ofCallerOrNull();
    return own == null ? null : own.pool;
  }

  /** What a socket is opened in that is to be opened in this. */
  static AsynchronousChannelGroup orOwn(AsynchronousChannelGroup given) throws IOException {
    ChannelThreads own = given == null ? ofCallerOrNull() : null;
    return own == null ? given : own.group();
  }

  private synchronized AsynchronousChannelGroup group() throws IOException {
    if (group == null) {
      // As many threads at first as the JDK starts.
      group = AsynchronousChannelGroup.withCachedThreadPool(pool, -1);
    }
    return group;
  }

  @Override
  public synchronized void close() throws IOException {
    if (group != null) {
      group.shutdownNow();
    }
    pool.shutdownNow();
  }
}
