// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.libraries;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.ConsoleHandler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * The java.util.logging of one task: loggers, levels and handlers of its own, as the JDK's
 * configuration file has them when a JVM starts. Thread-safe.
 */
final class TaskLogManager extends LogManager {

  /** A logger that no JVM-wide registry knows. */
  private static final class OwnLogger extends Logger {
    OwnLogger(String name) {
      super(name, null);
    }
  }

  private final Logger root = new OwnLogger("");

  private TaskLogManager() {}

  /**
   * The one of a process, made. The JDK would have it closed as the JVM ends, and would keep it and
   * all that it leads to until then: it is closed as the process ends.
   */
  static TaskLogManager of(TaskProcess process) {
    AtomicReference<TaskLogManager> made = new AtomicReference<>();
    List<Thread> hooks = JvmHooks.takenFrom(() -> made.set(new TaskLogManager()));
    TaskLogManager own = made.get();
    own.configure();
    try {
      hooks.forEach(process::addShutdownHook);
    } catch (IllegalStateException isEnding) {
      // As the JDK does: nobody closes it then.
      return own;
    }
    return own;
  }

  private void configure() {
    Path file = Path.of(System.getProperty("java.home"), "conf", "logging.properties");
    try (InputStream in = Files.newInputStream(file)) {
      readConfiguration(in);
    } catch (IOException e) {
      throw new UncheckedIOException("the JDK's " + file + " cannot be read", e);
    }
    root.setLevel(Level.INFO);
    root.addHandler(new ConsoleHandler());
    addLogger(root);
  }

  /** The logger of a name, made if it is new. */
  Logger logger(String name) {
    Logger known = getLogger(name);
    if (known != null) {
      return known;
    }
    Logger made = new OwnLogger(name);
    // Of two threads' loggers one is kept.
    addLogger(made);
    Logger kept = getLogger(name);
    return kept == null ? made : kept;
  }

  /**
   * Sets a logger's level by its name, as the JDK's management bean does.
   *
   * @param level null to have the parent's
   * @throws IllegalArgumentException if there is no such logger or level
   */
  void level(String name, String level) {
    Logger known = getLogger(name);
    if (known == null) {
      throw new IllegalArgumentException("Logger " + name + "does not exist");
    }
    known.setLevel(level == null ? null : Level.parse(level));
  }

  /** A logger's level; empty if it has its parent's, null if there is no such logger. */
  String level(String name) {
    Logger known = getLogger(name);
    if (known == null) {
      return null;
    }
    return known.getLevel() == null ? "" : known.getLevel().getName();
  }

  /** A logger without a name. */
  Logger anonymous() {
    Logger made = new OwnLogger(null);
    made.setParent(root);
    return made;
  }
}
