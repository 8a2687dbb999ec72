// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.util.Optional;

/**
 * Whose call a rewritten call is: by thread, and when the thread is no task's by the class loader
 * of the code on its stack.
 *
 * <p>The second way is for threads user code borrows instead of making, above all the common
 * fork-join pool. Without it a {@code System.exit} in a parallel stream would end the engine.
 */
public final class Owners {
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  /** What the names of classes begin with that isolate tasks. */
  private static final String OURS = Owners.class.getPackageName() + ".";

  private Owners() {}

  /** The calling task, or null when it is the engine's own call. */
  public static TaskProcess callerOrNull() {
    TaskProcess process = TaskProcess.currentOrNull();
    return process != null || Detour.isOn() ? process : byStack();
  }

  /** Unwinds the calling thread if it is a task's that goes on after its end. */
  public static void checkGoesOn() {
    TaskProcess process = TaskProcess.currentOrNull();
    if (process != null) {
      process.checkGoesOn();
    }
  }

  /** Whether it is a job's own class that makes the rewritten call, not one that tasks share. */
  public static boolean isOfJob() {
    Class<?> caller = codeOnStack();
    return caller != null && !isShared(caller.getClassLoader());
  }

  /** Whether it is the JVM's or the engine's: libraries of a job make loaders of their own. */
  public static boolean isShared(ClassLoader loader) {
    return loader == null
        || loader == Owners.class.getClassLoader()
        || loader == ClassLoader.getPlatformClassLoader();
  }

  /** Whether a class is of this package or one below it, and so no caller's. */
  public static boolean isOurs(Class<?> type) {
    return type.getName().startsWith(OURS);
  }

  /** The class that makes the rewritten call; null if it is one of ours. */
  public static Class<?> codeOnStack() {
    return WALKER.walk(
        frames ->
            frames
                .<Class<?>>map(StackWalker.StackFrame::getDeclaringClass)
                .filter(type -> !isOurs(type))
                .findFirst()
                .orElse(null));
  }

  /** The task whose code is on the calling thread's stack, the innermost, or null. */
  static TaskProcess byStack() {
    Optional<TaskProcess> found =
        WALKER.walk(
            frames ->
                frames
                    .map(f -> TaskClassLoader.above(f.getDeclaringClass().getClassLoader()))
                    .filter(loader -> loader != null && loader.process() != null)
                    .map(TaskClassLoader::process)
                    .findFirst());
    return found.orElse(null);
  }
}
