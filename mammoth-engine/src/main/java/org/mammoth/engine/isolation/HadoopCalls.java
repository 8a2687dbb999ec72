package org.mammoth.engine.isolation;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.log4j.LogManager;

/**
 * What rewritten user code calls instead of the library methods that act on the whole process,
 * Hadoop's exits and shutdown hooks and the end of logging, and of one that is slow. Stateless,
 * thread-safe.
 */
public final class HadoopCalls {
  private HadoopCalls() {}

  @Replaces(ExitUtil.class)
  public static void terminate(int status) {
    TaskProcess process = Owners.callerOrNull();
    if (process != null) {
      process.requestExit(status, false);
    }
    ExitUtil.terminate(status);
  }

  @Replaces(ExitUtil.class)
  public static void terminate(int status, String message) {
    TaskProcess process = Owners.callerOrNull();
    if (process != null) {
      process.requestExit(status, false);
    }
    ExitUtil.terminate(status, message);
  }

  @Replaces(ExitUtil.class)
  public static void halt(int status) {
    TaskProcess process = Owners.callerOrNull();
    if (process != null) {
      process.requestExit(status, true);
    }
    ExitUtil.halt(status);
  }

  /** Hooks of a task all start at once: priorities among them are not kept. */
  @Replaces(value = ShutdownHookManager.class, receiver = true)
  public static void addShutdownHook(ShutdownHookManager manager, Runnable hook, int priority) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      manager.addShutdownHook(hook, priority);
    } else {
      process.addShutdownHook(new Thread(process.threads(), hook, "shutdown hook"));
    }
  }

  /** The time-out of a single hook gives way to that of the process's end. */
  @Replaces(value = ShutdownHookManager.class, receiver = true)
  public static void addShutdownHook(
      ShutdownHookManager manager, Runnable hook, int priority, long timeout, TimeUnit unit) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      manager.addShutdownHook(hook, priority, timeout, unit);
    } else {
      addShutdownHook(manager, hook, priority);
    }
  }

  /**
   * The text as a string, decoded by the JDK: the same as by Hadoop's decoder, which takes two to
   * three times as long a byte.
   */
  @Replaces(value = Text.class, receiver = true)
  public static String toString(Text text) {
    return text.getClass() == Text.class
        ? new String(text.getBytes(), 0, text.getLength(), StandardCharsets.UTF_8)
        : text.toString();
  }

  /** {@code LogManager.shutdown} of a task ends nobody's logging but flushes its own. */
  @Replaces(LogManager.class)
  public static void shutdown() {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      LogManager.shutdown();
    }
  }
}
