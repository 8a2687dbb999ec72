// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

/**
 * A stretch of a thread's way on which it acts for another process than its own: a shared class's
 * initialisation acts for the engine on whichever task's thread it runs, and the engine's warden
 * acts for the task whose files it closes. Nests. Close it on the thread that opened it, in the
 * reverse order.
 */
public final class Detour implements AutoCloseable {

  private static final ThreadLocal<Detour> CURRENT = new ThreadLocal<>();

  private final TaskProcess process;
  private final Detour outer;
  private final TaskThreadGroup group;
  private final ClassLoader loader;
  private final boolean announces;

  private Detour(TaskProcess process, boolean announces) {
    this.process = process;
    this.announces = announces;
    Thread thread = Thread.currentThread();
    outer = CURRENT.get();
    group = TaskThreadGroup.of(thread);
    loader = thread.getContextClassLoader();
    CURRENT.set(this);
    if (group != null) {
      group.detoured(1);
    }
  }

  /** Acts for a process until closed. */
  public static Detour as(TaskProcess process) {
    return new Detour(process, false);
  }

  /**
   * Acts for no process until closed, as what a shared class's initialisation does is for all; the
   * context class loader is the engine's meanwhile.
   */
  public static Detour asEngine() {
    Detour detour = new Detour(null, true);
    Thread.currentThread().setContextClassLoader(Detour.class.getClassLoader());
    return detour;
  }

  /** Closes the calling thread's innermost one. */
  public static void leave() {
    CURRENT.get().close();
  }

  /** The process a thread of a group, or of none, acts for. */
  static TaskProcess of(TaskThreadGroup group) {
    Detour detour = CURRENT.get();
    if (detour != null) {
      return detour.process;
    }
    if (group != null) {
      return group.process();
    }
    return Thread.currentThread() instanceof CommonPoolThreads.Worker ? Owners.byStack() : null;
  }

  /** Whether the calling thread is on one, which alone decides for whom it acts. */
  static boolean isOn() {
    return CURRENT.get() != null;
  }

  /** Whether what is done now is for all processes. */
  public static boolean isAnnouncing() {
    Detour detour = CURRENT.get();
    return detour != null && detour.announces;
  }

  @Override
  public void close() {
    if (outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(outer);
    }
    if (group != null) {
      group.detoured(-1);
    }
    if (announces) {
      Thread.currentThread().setContextClassLoader(loader);
    }
  }
}
