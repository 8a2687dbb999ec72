// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine;

import java.util.Collection;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops threads of a task that exhausts the heap and does not heed interrupts: what it goes on
 * taking, others lack. A thread is stopped only while it is in the task's own code or in the JDK's
 * called from there; a shared object is not left half changed then but by bad luck, so that the
 * engine is to be replaced afterwards, as after an OutOfMemoryError, which may strike anywhere too.
 */
final class StuckThreads {

  private static final Logger LOG = LoggerFactory.getLogger(StuckThreads.class);

  private static final Pattern JDK = Pattern.compile("(java|javax|jdk|sun|com\\.sun)\\..*");
  private static final Pattern SHARED =
      Pattern.compile("org\\.(apache\\.hadoop|mammoth\\.(engine|mapreduce))\\..*");

  private StuckThreads() {}

  /** Stops those that may be stopped; from Java 20 on none. */
  static void stop(Collection<Thread> threads) {
    for (Thread thread : threads) {
      if (inOwnCode(thread.getStackTrace())) {
        stop(thread);
      }
    }
  }

  /** Whether the first class that is not the JDK's is the task's own. */
  static boolean inOwnCode(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
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
