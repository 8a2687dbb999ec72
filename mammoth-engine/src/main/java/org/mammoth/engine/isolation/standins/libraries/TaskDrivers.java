// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.libraries;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverAction;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mammoth.engine.isolation.Detour;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * The JDBC drivers of one task, and what else {@link DriverManager} keeps for a process: it begins
 * with the drivers of shared jars and with those that the job's jars name as services, and a task
 * that withdraws any withdraws them for itself. Asks drivers in the order in which they were
 * registered, and answers as the JDK does. Thread-safe.
 */
final class TaskDrivers {
  private static final String CANNOT_CONNECT = "08001";

  private record Registered(Driver driver, DriverAction action) {}

  private final TaskProcess process;
  private final List<Registered> registered = new CopyOnWriteArrayList<>();
  private final AtomicBoolean loaded = new AtomicBoolean();
  private volatile int loginTimeout;
  private volatile PrintWriter log;

  private TaskDrivers(TaskProcess process) {
    this.process = process;
  }

  /** Those of the calling task, or null when it is the engine's own call. */
  static TaskDrivers ofCaller() {
    TaskProcess process = Owners.callerOrNull();
    return process == null ? null : process.part(TaskDrivers.class, () -> new TaskDrivers(process));
  }

  void register(Driver driver, DriverAction action) {
    if (driver == null) {
      throw new NullPointerException();
    }
    synchronized (registered) {
      if (find(driver) == null) {
        registered.add(new Registered(driver, action));
      }
    }
  }

  /**
   * Withdraws a driver; nothing if it is not registered.
   *
   * @throws SecurityException if the caller does not see the driver's class
   */
  void deregister(Driver driver, ClassLoader caller) {
    Registered found;
    synchronized (registered) {
      found = find(driver);
      if (found == null) {
        return;
      }
      if (!sees(caller, driver)) {
        throw new SecurityException();
      }
      registered.remove(found);
    }
    if (found.action() != null) {
      found.action().deregister();
    }
  }

  /** The drivers that a caller sees. */
  List<Driver> drivers(ClassLoader caller) {
    load();
    List<Driver> seen = new ArrayList<>();
    for (Registered each : registered) {
      if (sees(caller, each.driver())) {
        seen.add(each.driver());
      }
    }
    return seen;
  }

  /** The first driver that takes a URL. */
  Driver driver(String url, ClassLoader caller) throws SQLException {
    for (Driver each : drivers(caller)) {
      try {
        if (each.acceptsURL(url)) {
          return each;
        }
      } catch (SQLException notThisOne) {
        continue;
      }
    }
    throw new SQLException("No suitable driver", CANNOT_CONNECT);
  }

  /** A connection by the first driver that makes one; the first that fails says why none did. */
  Connection connect(String url, Properties info, ClassLoader caller) throws SQLException {
    if (url == null) {
      throw new SQLException("The url cannot be null", CANNOT_CONNECT);
    }
    SQLException reason = null;
    for (Driver each : drivers(caller)) {
      try {
        Connection connection = each.connect(url, info);
        if (connection != null) {
          return connection;
        }
      } catch (SQLException e) {
        reason = reason == null ? e : reason;
      }
    }
    throw reason == null
        ? new SQLException("No suitable driver found for " + url, CANNOT_CONNECT)
        : reason;
  }

  int loginTimeout() {
    return loginTimeout;
  }

  void loginTimeout(int seconds) {
    loginTimeout = seconds;
  }

  PrintWriter log() {
    return log;
  }

  void log(PrintWriter writer) {
    log = writer;
  }

  private Registered find(Driver driver) {
    for (Registered each : registered) {
      if (each.driver() == driver) {
        return each;
      }
    }
    return null;
  }

  /** What a process has once it is first asked for a driver. */
  private void load() {
    if (!loaded.compareAndSet(false, true)) {
      return;
    }
    // Asked as the engine, to which drivers of jobs are not visible.
    try (Detour ofEngine = Detour.asEngine()) {
      DriverManager.drivers().forEach(each -> register(each, null));
    }
    TaskClassLoader loader = process.loader();
    if (loader != null) {
      loader.loadDrivers();
    }
  }

  private boolean sees(ClassLoader caller, Driver driver) {
    boolean isShared = caller == null || caller == TaskDrivers.class.getClassLoader();
    ClassLoader asking = isShared && process.loader() != null ? process.loader() : caller;
    Class<?> type = driver.getClass();
    try {
      return asking == type.getClassLoader() || Class.forName(type.getName(), true, asking) == type;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
