package org.mammoth.engine.isolation;

import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * What rewritten code calls instead of the JVM's registry of java.util.logging. Stateless,
 * thread-safe.
 */
public final class JulCalls {
  private JulCalls() {}

  private static TaskLogManager own() {
    TaskProcess process = Owners.callerOrNull();
    return process == null ? null : process.part(TaskLogManager.class, TaskLogManager::new);
  }

  /** {@code Logger.getLogger}. */
  @Replaces(Logger.class)
  public static Logger getLogger(String name) {
    TaskLogManager own = own();
    return own == null ? Logger.getLogger(name) : own.logger(name);
  }

  /** {@code Logger.getGlobal}. */
  @Replaces(Logger.class)
  public static Logger getGlobal() {
    TaskLogManager own = own();
    return own == null ? Logger.getGlobal() : own.logger(Logger.GLOBAL_LOGGER_NAME);
  }

  /** {@code Logger.getAnonymousLogger}. */
  @Replaces(Logger.class)
  public static Logger getAnonymousLogger() {
    TaskLogManager own = own();
    return own == null ? Logger.getAnonymousLogger() : own.anonymous();
  }

  /** A read of {@code Logger.global}. */
  @Replaces(value = Logger.class, field = true)
  public static Logger global() {
    return getGlobal();
  }

  /** {@code LogManager.getLogManager}. */
  @Replaces(LogManager.class)
  public static LogManager getLogManager() {
    TaskLogManager own = own();
    return own == null ? LogManager.getLogManager() : own;
  }
}
