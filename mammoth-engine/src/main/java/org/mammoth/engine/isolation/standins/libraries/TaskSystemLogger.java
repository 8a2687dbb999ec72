// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.libraries;

import java.util.ResourceBundle;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * What {@code System.getLogger} gives a task: it writes to the task's own logger of the same name,
 * as the JDK's writes to {@code java.util.logging}. Thread-safe.
 */
final class TaskSystemLogger implements System.Logger {
  private static final String OURS = TaskSystemLogger.class.getName();

  private final Logger logger;
  private final ResourceBundle bundle;

  /**
   * @param bundle where messages are looked up; null for none
   */
  TaskSystemLogger(Logger logger, ResourceBundle bundle) {
    this.logger = logger;
    this.bundle = bundle;
  }

  @Override
  public String getName() {
    return logger.getName();
  }

  @Override
  public boolean isLoggable(Level level) {
    return logger.isLoggable(of(level));
  }

  @Override
  public void log(Level level, ResourceBundle texts, String message, Throwable thrown) {
    if (isLoggable(level)) {
      LogRecord entry = entry(level, texts, message);
      entry.setThrown(thrown);
      logger.log(entry);
    }
  }

  @Override
  public void log(Level level, ResourceBundle texts, String format, Object... parameters) {
    if (isLoggable(level)) {
      LogRecord entry = entry(level, texts, format);
      entry.setParameters(parameters);
      logger.log(entry);
    }
  }

  private LogRecord entry(Level level, ResourceBundle texts, String message) {
    LogRecord entry = new LogRecord(of(level), message);
    entry.setLoggerName(logger.getName());
    entry.setResourceBundle(texts == null ? bundle : texts);
    StackWalker.getInstance()
        .walk(frames -> frames.filter(each -> !isOfLogger(each.getClassName())).findFirst())
        .ifPresent(
            caller -> {
              entry.setSourceClassName(caller.getClassName());
              entry.setSourceMethodName(caller.getMethodName());
            });
    return entry;
  }

  private static boolean isOfLogger(String name) {
    return name.equals(OURS) || name.startsWith("java.lang.System$Logger");
  }

  private static java.util.logging.Level of(Level level) {
    return switch (level) {
      case ALL -> java.util.logging.Level.ALL;
      case TRACE -> java.util.logging.Level.FINER;
      case DEBUG -> java.util.logging.Level.FINE;
      case INFO -> java.util.logging.Level.INFO;
      case WARNING -> java.util.logging.Level.WARNING;
      case ERROR -> java.util.logging.Level.SEVERE;
      case OFF -> java.util.logging.Level.OFF;
    };
  }
}
