package org.mammoth.engine.isolation;

import java.util.HashMap;
import java.util.Map;

/**
 * What rewritten code calls instead of asking for threads: a task sees its own and the JVM's, and
 * its outermost group is its own. Stateless, thread-safe.
 */
public final class ThreadCalls {
  private ThreadCalls() {}

  /** {@code Thread.getAllStackTraces}. */
  @Replaces(Thread.class)
  public static Map<Thread, StackTraceElement[]> getAllStackTraces() {
    TaskProcess process = Owners.callerOrNull();
    Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
    if (process == null) {
      return all;
    }
    Map<Thread, StackTraceElement[]> own = new HashMap<>(all);
    own.keySet().removeIf(thread -> !isSeen(process, thread));
    return own;
  }

  /** Its own, and those that a JVM has before any program starts. */
  private static boolean isSeen(TaskProcess process, Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    return group != null && (group.getParent() == null || TaskProcess.ofOrNull(thread) == process);
  }

  /** {@code ThreadGroup.getParent}: above a task's own group there is none. */
  @Replaces(value = ThreadGroup.class, receiver = true)
  public static ThreadGroup getParent(ThreadGroup self) {
    boolean isOutermost = self instanceof TaskThreadGroup && Owners.callerOrNull() != null;
    return isOutermost ? null : self.getParent();
  }
}
