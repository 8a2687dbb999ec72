package org.mammoth.engine.isolation;

import java.util.function.Predicate;
import org.apache.hadoop.util.Daemon;

/**
 * Tells threads that Hadoop makes for the whole JVM from a task's own. They land in the group of
 * the task that happened to need them first, yet other tasks use them: interrupting an IPC
 * connection's reader would break the calls of all who share the connection.
 *
 * <p>Meant are IPC connections and Hadoop's daemons (peer cache, lease renewer, output streamers);
 * they end by themselves when idle or when their file system is closed. A user's subclass of them
 * is the user's. Executors that Hadoop keeps in static fields make their threads in the group their
 * class was initialized in, so the engine should initialize those classes before its first task.
 */
public final class SharedThreads implements Predicate<Thread> {
  private static final String CONNECTION = "org.apache.hadoop.ipc.Client$Connection";

  @Override
  public boolean test(Thread thread) {
    return thread.getClass() == Daemon.class || thread.getClass().getName().equals(CONNECTION);
  }
}
