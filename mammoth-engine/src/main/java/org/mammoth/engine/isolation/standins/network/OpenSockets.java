// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.network;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * The sockets, channels and selectors that a task has opened. Left open, its ports would be taken
 * for all later tasks, and its peers would wait for what no longer comes.
 *
 * <p>Hadoop's own and the engine's are not among them: connections to DataNodes and to other
 * engines are kept for other tasks, too, and their clients close them. Thread-safe.
 */
public final class OpenSockets {
  private static final String HADOOP = "org.apache.hadoop.";
  private static final String ENGINE = "org.mammoth.";
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  // What the task itself has dropped is not kept from being collected.
  private final Set<Closeable> all =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private OpenSockets(TaskProcess process) {
    process.atClose(this::close);
  }

  /** Closes what a task has open, as the kernel does when a process ends. */
  public static void close(TaskProcess process) {
    of(process).close();
  }

  private static OpenSockets of(TaskProcess process) {
    return process.part(OpenSockets.class, () -> new OpenSockets(process));
  }

  /** Notes what a task has open, and keeps it itself for as long as it is in use. */
  static void opened(TaskProcess process, Closeable socket) {
    of(process).all.add(socket);
  }

  /** Notes what the calling task has opened; null of a server that has no connection yet. */
  static void opened(Closeable socket) {
    TaskProcess process = socket == null ? null : Owners.callerOrNull();
    if (process != null && !isOurs()) {
      // In this order: what is not refused is closed with the others.
      opened(process, socket);
      try {
        process.checkGoesOn();
      } catch (TaskExit ended) {
        closeQuietly(socket);
        throw ended;
      }
    }
  }

  /**
   * Whether Hadoop or the engine opens this socket for its own use. The code that wants it is the
   * nearest of theirs or of the job's: what lies between, such as the JDK and Netty, opens sockets
   * for whoever calls it.
   */
  private static boolean isOurs() {
    return WALKER.walk(
        frames ->
            frames
                .map(StackWalker.StackFrame::getDeclaringClass)
                .filter(type -> !Owners.isOurs(type))
                .filter(type -> isOfJob(type) || isHost(type))
                .findFirst()
                .map(type -> !isOfJob(type))
                .orElse(false));
  }

  private static boolean isOfJob(Class<?> type) {
    return !Owners.isShared(type.getClassLoader());
  }

  private static boolean isHost(Class<?> type) {
    return type.getName().startsWith(HADOOP) || type.getName().startsWith(ENGINE);
  }

  /** Closes them all; what cannot be closed is left. */
  private void close() {
    List<Closeable> left;
    synchronized (all) {
      left = new ArrayList<>(all);
      all.clear();
    }
    left.forEach(OpenSockets::closeQuietly);
  }

  private static void closeQuietly(Closeable socket) {
    try {
      socket.close();
    } catch (IOException | RuntimeException e) {
      // A class of the job's may throw anything, and its connection is gone or goes with it.
      return;
    }
  }
}
