// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.libraries;

import java.lang.management.PlatformLoggingMXBean;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.ResourceBundle;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.logging.LoggingMXBean;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.LoaderCalls;
import org.mammoth.engine.isolation.standins.PartCalls;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code calls instead of the JVM's registry of java.util.logging. Stateless,
 * thread-safe.
 */
@SuppressWarnings("deprecation") // LoggingMXBean
public final class JulCalls {
  private JulCalls() {}

  private static TaskLogManager own() {
    TaskProcess process = Owners.callerOrNull();
    return process == null
        ? null
        : process.part(TaskLogManager.class, () -> TaskLogManager.of(process));
  }

  /** {@code Logger.getLogger}. */
  @Replaces(Logger.class)
  public static Logger getLogger(String name) {
    TaskLogManager own = own();
    return own == null ? Logger.getLogger(name) : own.logger(name);
  }

  /** {@code Logger.getLogger}. */
  @Replaces(Logger.class)
  public static Logger getLogger(String name, String bundle) {
    TaskLogManager own = own();
    if (own == null) {
      return Logger.getLogger(name, bundle);
    }
    Logger logger = own.logger(name);
    if (bundle != null && logger.getResourceBundle() == null) {
      logger.setResourceBundle(bundle(bundle));
    }
    return logger;
  }

  /** {@code Logger.getAnonymousLogger}. */
  @Replaces(Logger.class)
  public static Logger getAnonymousLogger(String bundle) {
    Logger logger = own() == null ? Logger.getAnonymousLogger(bundle) : getAnonymousLogger();
    if (bundle != null && logger.getResourceBundle() == null) {
      logger.setResourceBundle(bundle(bundle));
    }
    return logger;
  }

  private static ResourceBundle bundle(String name) {
    return ResourceBundle.getBundle(name, Locale.getDefault(), LoaderCalls.getSystemClassLoader());
  }

  /** {@code System.getLogger}. */
  @Replaces(value = System.class, name = "getLogger")
  public static System.Logger getSystemLogger(String name) {
    return getSystemLogger(name, null);
  }

  /** {@code System.getLogger}. */
  @Replaces(value = System.class, name = "getLogger")
  public static System.Logger getSystemLogger(String name, ResourceBundle bundle) {
    PartCalls.logger();
    TaskLogManager own = own();
    if (own != null) {
      return new TaskSystemLogger(own.logger(Objects.requireNonNull(name)), bundle);
    }
    return bundle == null ? System.getLogger(name) : System.getLogger(name, bundle);
  }

  /** {@code LoggingMXBean.setLoggerLevel}. */
  @Replaces(value = LoggingMXBean.class, receiver = true)
  public static void setLoggerLevel(LoggingMXBean self, String name, String level) {
    TaskLogManager own = own();
    if (own == null) {
      self.setLoggerLevel(name, level);
    } else {
      own.level(name, level);
    }
  }

  /** {@code LoggingMXBean.getLoggerLevel}. */
  @Replaces(value = LoggingMXBean.class, receiver = true)
  public static String getLoggerLevel(LoggingMXBean self, String name) {
    TaskLogManager own = own();
    return own == null ? self.getLoggerLevel(name) : own.level(name);
  }

  /** {@code LoggingMXBean.getLoggerNames}. */
  @Replaces(value = LoggingMXBean.class, receiver = true)
  public static List<String> getLoggerNames(LoggingMXBean self) {
    TaskLogManager own = own();
    return own == null ? self.getLoggerNames() : Collections.list(own.getLoggerNames());
  }

  /** {@code PlatformLoggingMXBean.setLoggerLevel}. */
  @Replaces(value = PlatformLoggingMXBean.class, receiver = true)
  public static void setLoggerLevel(PlatformLoggingMXBean self, String name, String level) {
    TaskLogManager own = own();
    if (own == null) {
      self.setLoggerLevel(name, level);
    } else {
      own.level(name, level);
    }
  }

  /** {@code PlatformLoggingMXBean.getLoggerLevel}. */
  @Replaces(value = PlatformLoggingMXBean.class, receiver = true)
  public static String getLoggerLevel(PlatformLoggingMXBean self, String name) {
    TaskLogManager own = own();
    return own == null ? self.getLoggerLevel(name) : own.level(name);
  }

  /** {@code PlatformLoggingMXBean.getLoggerNames}. */
  @Replaces(value = PlatformLoggingMXBean.class, receiver = true)
  public static List<String> getLoggerNames(PlatformLoggingMXBean self) {
    TaskLogManager own = own();
    return own == null ? self.getLoggerNames() : Collections.list(own.getLoggerNames());
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

  /**
   * {@code Level.parse}. The JDK knows the levels that programs make, by name and number, as long
   * as they are in use: another task's would be found here, and may hide the caller's own.
   */
  @Replaces(Level.class)
  public static Level parse(String name) {
    Level found = Level.parse(name);
    TaskClassLoader of = TaskClassLoader.above(found.getClass().getClassLoader());
    if (of != null && of.process() != Owners.callerOrNull()) {
      ProcessNeed.because("Level.parse of " + name + ", which another task has made");
    }
    return found;
  }
}
