// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one task. A thread or pool that task code makes lands here by inheritance, which
 * is how every other part finds out whose thread is running without a thread-local that pools would
 * copy or keep.
 *
 * <p>An exception that no user handler takes ends here: on the task's stderr, the way a JVM prints
 * it, and at the task's listener. The engine's own default handler never sees it.
 */
public final class TaskThreadGroup extends ThreadGroup {
  /** The name that the outermost group of a JVM has, and a task's for the task. */
  public static final String OUTERMOST = "system";

  private final TaskProcess process;
  private final ThreadGroup main;
  private volatile boolean released;
  private final AtomicInteger detours = new AtomicInteger();

  /**
   * The outermost group of a task's, which the task sees as the JVM's ({@link ThreadCalls}).
   *
   * @param name the task's, by which profiles know it
   */
  TaskThreadGroup(ThreadGroup parent, String name, TaskProcess process) {
    super(parent, name);
    this.process = process;
    main = new ThreadGroup(this, "main");
  }

  /** The group of the task's first thread, as a program finds it. */
  ThreadGroup main() {
    return main;
  }

  @Override
  public String toString() {
    return "%s[name=%s,maxpri=%d]"
        .formatted(ThreadGroup.class.getName(), OUTERMOST, getMaxPriority());
  }

  /** Whether any of its threads acts for another just now, or for none. */
  boolean hasDetours() {
    return detours.get() != 0;
  }

  void detoured(int by) {
    detours.addAndGet(by);
  }

  /** The process whose threads these are. */
  public TaskProcess process() {
    return process;
  }

  /**
   * The group a thread belongs to, looked for upwards because task code may nest groups of its own.
   *
   * @return null when the thread is no task's
   */
  static TaskThreadGroup of(Thread thread) {
    for (ThreadGroup g = thread.getThreadGroup(); g != null; g = g.getParent()) {
      if (g instanceof TaskThreadGroup) {
        return (TaskThreadGroup) g;
      }
    }
    return null;
  }

  /** Its threads that are alive now, in nested groups too; may be changed. */
  List<Thread> live() {
    Thread[] found = new Thread[Math.max(16, activeCount() * 2)];
    int n = enumerate(found, true);
    while (n == found.length) {
      // enumerate silently drops what does not fit.
      found = new Thread[n * 2];
      n = enumerate(found, true);
    }
    List<Thread> live = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      if (found[i].isAlive()) {
        live.add(found[i]);
      }
    }
    return live;
  }

  @Override
  public void uncaughtException(Thread thread, Throwable error) {
    process.uncaught(thread, error);
  }

  /**
   * Lets the parent forget this group, and those released before whose threads have ended since.
   * Before JDK 19 a parent holds its children until they are destroyed, so an engine would keep
   * every task it ever ran; from 19 on the references are weak and these calls do nothing.
   *
   * <p>A group goes when its last thread ends only if all its threads have been started, and some
   * never are: Hadoop's thread factories are threads themselves. So the next task's release looks
   * again.
   */
  void release() {
    released = true;
    ThreadGroup parent = getParent();
    ThreadGroup[] siblings = new ThreadGroup[parent.activeGroupCount() + 16];
    int count = parent.enumerate(siblings, false);
    for (int i = 0; i < count; i++) {
      if (siblings[i] instanceof TaskThreadGroup && ((TaskThreadGroup) siblings[i]).released) {
        ((TaskThreadGroup) siblings[i]).destroyIfEnded();
      }
    }
  }

  @SuppressWarnings({"removal", "deprecation"})
  private void destroyIfEnded() {
    setDaemon(true);
    main.setDaemon(true);
    try {
      // A group that is destroyed while one within it has threads is never forgotten.
      if (!isDestroyed() && activeCount() == 0) {
        destroy();
      }
    } catch (IllegalThreadStateException stillAliveOrJustDestroyed) {
      return;
    }
  }
}
