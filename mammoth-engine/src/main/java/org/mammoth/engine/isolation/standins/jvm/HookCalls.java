// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.ShutdownHookManager;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code, users' and Hadoop's own, calls instead of Hadoop's shutdown hooks: a task's
 * run at the task's end. Stateless, thread-safe.
 */
public final class HookCalls {
  private HookCalls() {}

  /** {@code ShutdownHookManager.addShutdownHook}. */
  @Replaces(value = ShutdownHookManager.class, receiver = true)
  public static void addShutdownHook(ShutdownHookManager manager, Runnable hook, int priority) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      manager.addShutdownHook(hook, priority);
    } else {
      process.addShutdownHook(hook, priority);
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
      process.addShutdownHook(hook, priority);
    }
  }

  /** {@code ShutdownHookManager.removeShutdownHook}. */
  @Replaces(value = ShutdownHookManager.class, receiver = true)
  public static boolean removeShutdownHook(ShutdownHookManager manager, Runnable hook) {
    TaskProcess process = Owners.callerOrNull();
    return process == null ? manager.removeShutdownHook(hook) : process.removeShutdownHook(hook);
  }

  /** {@code ShutdownHookManager.hasShutdownHook}. */
  @Replaces(value = ShutdownHookManager.class, receiver = true)
  public static boolean hasShutdownHook(ShutdownHookManager manager, Runnable hook) {
    TaskProcess process = Owners.callerOrNull();
    return process == null ? manager.hasShutdownHook(hook) : process.hasShutdownHook(hook);
  }

  /** {@code ShutdownHookManager.clearShutdownHooks}. */
  @Replaces(value = ShutdownHookManager.class, receiver = true)
  public static void clearShutdownHooks(ShutdownHookManager manager) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      manager.clearShutdownHooks();
    } else {
      process.clearShutdownHooks();
    }
  }
}
