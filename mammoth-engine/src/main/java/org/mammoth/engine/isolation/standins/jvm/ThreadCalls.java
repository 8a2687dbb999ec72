// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.mammoth.engine.isolation.CommonPoolThreads;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.TaskThreadGroup;
import org.mammoth.engine.isolation.standins.Replaces;

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

  /**
   * Its own, and those that a JVM has before any program starts. The common pool's work for others
   * while it looks.
   */
  private static boolean isSeen(TaskProcess process, Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    if (thread instanceof CommonPoolThreads.Worker) {
      return false;
    }
    return group != null && (group.getParent() == null || TaskProcess.ofOrNull(thread) == process);
  }

  /** {@code ThreadMXBean.getAllThreadIds}. */
  @Replaces(value = ThreadMXBean.class, receiver = true)
  public static long[] getAllThreadIds(ThreadMXBean self) {
    Set<Long> seen = seenOrNull();
    long[] all = self.getAllThreadIds();
    return seen == null ? all : LongStream.of(all).filter(seen::contains).toArray();
  }

  /** {@code ThreadMXBean.getThreadCount}. */
  @Replaces(value = ThreadMXBean.class, receiver = true)
  public static int getThreadCount(ThreadMXBean self) {
    Set<Long> seen = seenOrNull();
    return seen == null ? self.getThreadCount() : seen.size();
  }

  /** {@code ThreadMXBean.dumpAllThreads}. */
  @Replaces(value = ThreadMXBean.class, receiver = true)
  public static ThreadInfo[] dumpAllThreads(ThreadMXBean self, boolean monitors, boolean locks) {
    return dumpAllThreads(self, monitors, locks, Integer.MAX_VALUE);
  }

  /** {@code ThreadMXBean.dumpAllThreads}. */
  @Replaces(value = ThreadMXBean.class, receiver = true)
  public static ThreadInfo[] dumpAllThreads(
      ThreadMXBean self, boolean monitors, boolean locks, int depth) {
    Set<Long> seen = seenOrNull();
    ThreadInfo[] all = self.dumpAllThreads(monitors, locks, depth);
    return seen == null
        ? all
        : Stream.of(all)
            .filter(each -> seen.contains(each.getThreadId()))
            .toArray(ThreadInfo[]::new);
  }

  /** Numbers of the threads that the calling task sees; null if no task calls. */
  private static Set<Long> seenOrNull() {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      return null;
    }
    ThreadGroup top = process.threads();
    while (top.getParent() != null) {
      top = top.getParent();
    }
    Thread[] found = new Thread[top.activeCount() * 2 + 16];
    int count = top.enumerate(found, true);
    return Stream.of(found)
        .limit(count)
        .filter(each -> isSeen(process, each))
        .map(Thread::getId)
        .collect(Collectors.toSet());
  }

  /** {@code Thread.getThreadGroup}: of a thread of the common pool, that of what it makes. */
  @Replaces(value = Thread.class, receiver = true)
  public static ThreadGroup getThreadGroup(Thread self) {
    ThreadGroup own = self.getThreadGroup();
    return self == Thread.currentThread() ? CommonPoolThreads.groupFor(own) : own;
  }

  /** {@code ThreadGroup.getName}: the outermost is called as that of a JVM. */
  @Replaces(value = ThreadGroup.class, receiver = true)
  public static String getName(ThreadGroup self) {
    boolean isOutermost = self instanceof TaskThreadGroup && Owners.callerOrNull() != null;
    return isOutermost ? TaskThreadGroup.OUTERMOST : self.getName();
  }

  /** {@code ThreadGroup.getParent}: above a task's own group there is none. */
  @Replaces(value = ThreadGroup.class, receiver = true)
  public static ThreadGroup getParent(ThreadGroup self) {
    boolean isOutermost = self instanceof TaskThreadGroup && Owners.callerOrNull() != null;
    return isOutermost ? null : self.getParent();
  }
}
