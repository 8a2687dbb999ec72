package org.mammoth.mapreduce.engine;

import java.util.Set;

/**
 * Ends threads of an ended task that swallow interrupts only because they idle in a pool nobody
 * shut down or in a {@link java.util.Timer}: they wait for work of their own, hold nothing shared,
 * and would else cost the node its engine. A thread that is doing something is never touched.
 */
final class IdleThreads {

  private static final Set<String> WAITING_FOR_WORK =
      Set.of("java.util.concurrent.ThreadPoolExecutor.getTask", "java.util.TimerThread.mainLoop");

  private static final Set<String> WAITING =
      Set.of("jdk.internal.misc.Unsafe.park", "sun.misc.Unsafe.park", "java.lang.Object.wait");

  private IdleThreads() {}

  /**
   * Stops {@code thread} if it waits in an idle pool; elsewhere, or on a JVM that cannot, no-op.
   */
  @SuppressWarnings({"removal", "deprecation"})
  static void stopIfIdle(Thread thread) {
    if (!isIdle(thread.getStackTrace())) {
      return;
    }
    try {
      thread.stop();
    } catch (UnsupportedOperationException newerJava) {
      // The thread lingers, and the engine is drained, as for any other that ignores its end.
      return;
    }
  }

  private static boolean isIdle(StackTraceElement[] stack) {
    if (stack.length == 0 || !WAITING.contains(nameOf(stack[0]))) {
      return false;
    }
    for (StackTraceElement frame : stack) {
      if (WAITING_FOR_WORK.contains(nameOf(frame))) {
        return true;
      }
      if (!frame.getClassName().startsWith("java.") && !frame.getClassName().startsWith("jdk.")) {
        return false;
      }
    }
    return false;
  }

  private static String nameOf(StackTraceElement frame) {
    return frame.getClassName() + "." + frame.getMethodName();
  }
}
