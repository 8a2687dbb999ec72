// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Makes the threads of the JVM's common pool, which all tasks borrow: each acts for the task whose
 * code is on its stack, and has that task's class loader for its context. They belong to no task's
 * group, whichever task's work made them necessary. The JVM makes one of these, by the system
 * property {@code java.util.concurrent.ForkJoinPool.common.threadFactory}. Thread-safe.
 */
public final class CommonPoolThreads implements ForkJoinPool.ForkJoinWorkerThreadFactory {

  /** A thread of the common pool, which may work for any task. */
  public static final class Worker extends ForkJoinWorkerThread {
    Worker(ForkJoinPool pool) {
      super(pool);
    }

    @Override
    public ClassLoader getContextClassLoader() {
      TaskProcess owner = Owners.byStack();
      ClassLoader ofJob = owner == null ? null : owner.loader();
      return ofJob == null ? super.getContextClassLoader() : ofJob;
    }
  }

  /**
   * The group for a thread or group that the calling thread makes: one that works for a task makes
   * them the task's, as they may be there for longer than the work.
   *
   * @param own the calling thread's
   */
  public static ThreadGroup groupFor(ThreadGroup own) {
    if (!(Thread.currentThread() instanceof Worker)) {
      return own;
    }
    TaskProcess process = TaskProcess.currentOrNull();
    return process == null ? own : process.threads();
  }

  @Override
  public ForkJoinWorkerThread newThread(ForkJoinPool pool) {
    ThreadGroup top = Thread.currentThread().getThreadGroup();
    while (top.getParent() != null) {
      top = top.getParent();
    }
    // A worker has the group of the thread that makes it.
    AtomicReference<Worker> made = new AtomicReference<>();
    Thread maker = maker(top, () -> made.set(new Worker(pool)));
    maker.setContextClassLoader(CommonPoolThreads.class.getClassLoader());
    maker.start();
    boolean interrupted = false;
    while (maker.isAlive()) {
      try {
        maker.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return made.get();
  }

  /**
   * A thread that has nothing of the one that makes it, neither the user it acts as nor its
   * inheritable thread-locals: a worker would have them from it, and keep them for all tasks.
   */
  @SuppressWarnings({"removal", "deprecation"})
  private static Thread maker(ThreadGroup top, Runnable work) {
    PrivilegedAction<Thread> make = () -> new Thread(top, work, "common pool", 0, false);
    return AccessController.doPrivileged(make);
  }
}
