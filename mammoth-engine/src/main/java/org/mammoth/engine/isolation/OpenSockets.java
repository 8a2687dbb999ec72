// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The sockets, channels and selectors that a task has opened. Left open, its ports would be taken
 * for all later tasks, and its peers would wait for what no longer comes.
 *
 * <p>Hadoop's own are not among them: connections to DataNodes are kept for other tasks, too, and
 * its clients close theirs. Thread-safe.
 */
public final class OpenSockets {
  private static final String HADOOP = "org.apache.hadoop.";
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

  /** Notes what the calling task has opened; null of a server that has no connection yet. */
  static void opened(Closeable socket) {
    TaskProcess process = socket == null ? null : Owners.callerOrNull();
    if (process != null && !isHadoops()) {
      of(process).all.add(socket);
    }
  }

  private static boolean isHadoops() {
    return WALKER.walk(
        frames ->
            frames
                .map(StackWalker.StackFrame::getDeclaringClass)
                .filter(type -> !type.getPackageName().equals(OpenSockets.class.getPackageName()))
                .findFirst()
                .map(
                    type ->
                        type.getName().startsWith(HADOOP)
                            && !(type.getClassLoader() instanceof TaskClassLoader))
                .orElse(false));
  }

  /** Closes them all; what cannot be closed is left. */
  private void close() {
    List<Closeable> left;
    synchronized (all) {
      left = new ArrayList<>(all);
      all.clear();
    }
    for (Closeable each : left) {
      try {
        each.close();
      } catch (IOException | RuntimeException e) {
        // A class of the job's may throw anything, and its connection is gone or goes with it.
        continue;
      }
    }
  }
}
