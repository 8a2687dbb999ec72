// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import java.util.Collection;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops threads that do not heed interrupts.
 *
 * <p>Those of a task that exhausts the heap: what it goes on taking, others lack. A thread is
 * stopped only while it is in the task's own code or in the JDK's called from there; a shared
 * object is not left half changed then but by bad luck, so that the engine is to be replaced
 * afterwards, as after an OutOfMemoryError, which may strike anywhere too.
 *
 * <p>And those that a task which has ended has left asleep: watchdogs, reapers, event loops, which
 * libraries start once and mean to live as long as the process. They are stopped where they wait,
 * and no class that tasks share is on their stack; so they are in the middle of no change that
 * another task could see, and the engine goes on.
 */
public final class StuckThreads {

  private static final Logger LOG = LoggerFactory.getLogger(StuckThreads.class);

  private static final Pattern JDK = Pattern.compile("(java|javax|jdk|sun|com\\.sun)\\..*");
  private static final Pattern POLL =
      Pattern.compile("sun\\.nio\\.ch\\.E?Poll|sun\\.nio\\.ch\\.Net");
  private static final Pattern SHARED =
      Pattern.compile("org\\.(apache\\.hadoop|mammoth\\.(engine|mapreduce)|objectweb\\.asm)\\..*");

  /** Who defines a class is about to ask the engine's agent, or has just asked. */
  private static final Pattern DEFINES =
      Pattern.compile("java\\.lang\\.ClassLoader|(jdk\\.internal\\.loader|sun\\.instrument)\\..*");

  /** The name of the JVM's loader of its class path; a task's has none. */
  private static final String ENGINES_LOADER = "app";

  private StuckThreads() {}

  /** Stops those that may be stopped; from Java 20 on none. */
  static void stop(Collection<Thread> threads) {
    for (Thread thread : threads) {
      if (inOwnCode(thread.getStackTrace())) {
        stop(thread);
      }
    }
  }

  /** Stops those that wait and that nobody else can depend on; from Java 20 on none. */
  static void stopSleepers(Collection<Thread> threads) {
    for (Thread thread : threads) {
      StackTraceElement[] stack = thread.getStackTrace();
      if (isAsleep(thread.getState(), stack) && isAlone(stack)) {
        stop(thread);
      }
    }
  }

  /** A thread that waits for channels is in native code, and runs as the JVM counts it. */
  static boolean isAsleep(Thread.State state, StackTraceElement[] stack) {
    return state == Thread.State.WAITING
        || state == Thread.State.TIMED_WAITING
        || state == Thread.State.RUNNABLE
            && stack.length > 0
            && stack[0].isNativeMethod()
            && POLL.matcher(stack[0].getClassName()).matches();
  }

  /**
   * Whether all its classes are the JDK's and the task's own. A library that all tasks share may
   * have one thread for all of them, made for the one that was first.
   */
  static boolean isAlone(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (SHARED.matcher(frame.getClassName()).matches()
          || ENGINES_LOADER.equals(frame.getClassLoaderName())) {
        return false;
      }
    }
    return stack.length > 0;
  }

  /**
   * Whether the first class that is not the JDK's is the task's own, and no class is being loaded:
   * one that tasks share would be as the JVM has it for all of them, without what makes it safe.
   */
  static boolean inOwnCode(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (DEFINES.matcher(frame.getClassName()).matches()) {
        return false;
      }
      if (!JDK.matcher(frame.getClassName()).matches()) {
        return !SHARED.matcher(frame.getClassName()).matches();
      }
    }
    return false;
  }

  /** Interrupts are not heeded, and a JVM has nothing milder left. */
  @SuppressWarnings({"removal", "deprecation"})
  private static void stop(Thread thread) {
    try {
      thread.stop();
      LOG.warn("Stopped {}, which did not heed interrupts", thread);
    } catch (UnsupportedOperationException e) {
      LOG.warn("{} goes on, this JVM stops no threads", thread);
    }
  }
}
