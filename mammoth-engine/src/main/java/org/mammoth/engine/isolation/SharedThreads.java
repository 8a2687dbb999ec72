// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.util.function.Predicate;
import org.apache.hadoop.util.Daemon;

/**
 * Tells threads that Hadoop makes for the whole JVM from a task's own. They land in the group of
 * the task that happened to need them first, yet other tasks use them: interrupting an IPC
 * connection's reader would break the calls of all who share the connection.
 *
 * <p>Meant are IPC connections, the threads that send their calls (plain threads, known by their
 * name alone: one that is interrupted ends without closing its connection, whose callers then wait
 * for {@code ipc.client.rpc-timeout.ms}), Hadoop's daemons (peer cache, lease renewer), which end
 * by themselves when idle or when their file system is closed, and what watches the domain sockets
 * of short-circuit reads (a plain thread, too, which never ends; with Hadoop's native library there
 * is one per client context, whether or not reads are short-circuit). A subclass of them is the
 * task's: a user's own, and output streamers, which end with their stream. Executors that Hadoop
 * keeps in static fields make their threads in the group they were made in, so the engine should
 * make them before its first task.
 */
public final class SharedThreads implements Predicate<Thread> {
  private static final String CONNECTION = "org.apache.hadoop.ipc.Client$Connection";

  /** As {@code org.apache.hadoop.ipc.Client.Connection} of Hadoop 3.4 names it. */
  private static final String SENDER = "IPC Parameter Sending Thread for ";

  /** As {@code org.apache.hadoop.net.unix.DomainSocketWatcher} names a client's. */
  private static final String SOCKET_WATCHER = "client DomainSocketWatcher";

  @Override
  public boolean test(Thread thread) {
    Class<?> type = thread.getClass();
    return type == Daemon.class
        || type.getName().equals(CONNECTION)
        || (type == Thread.class && isHadoopsName(thread.getName()));
  }

  private static boolean isHadoopsName(String name) {
    return name.startsWith(SENDER) || name.equals(SOCKET_WATCHER);
  }
}
