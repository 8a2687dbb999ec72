// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.libraries;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverAction;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Properties;
import java.util.stream.Stream;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code calls instead of {@link DriverManager}, which keeps one list of drivers for
 * the JVM: the task's own, see {@link TaskDrivers}. Stateless, thread-safe.
 */
public final class SqlCalls {
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private SqlCalls() {}

  /** {@code DriverManager.registerDriver}. */
  @Replaces(DriverManager.class)
  public static void registerDriver(Driver driver) throws SQLException {
    registerDriver(driver, null);
  }

  /**
   * {@code DriverManager.registerDriver}. The JDK gets a job's own driver, too, for classes of its
   * own that open connections; it is withdrawn when the driver's loader is closed.
   */
  @Replaces(DriverManager.class)
  public static void registerDriver(Driver driver, DriverAction action) throws SQLException {
    TaskDrivers drivers = TaskDrivers.ofCaller();
    if (drivers == null) {
      DriverManager.registerDriver(driver, action);
      return;
    }
    drivers.register(driver, action);
    ClassLoader loader = driver.getClass().getClassLoader();
    if (loader instanceof TaskClassLoader) {
      DriverManager.registerDriver(driver);
      ((TaskClassLoader) loader).registeredDriver();
    }
  }

  /** {@code DriverManager.deregisterDriver}. */
  @Replaces(DriverManager.class)
  public static void deregisterDriver(Driver driver) throws SQLException {
    ClassLoader caller = WALKER.getCallerClass().getClassLoader();
    TaskDrivers drivers = TaskDrivers.ofCaller();
    if (drivers == null) {
      DriverManager.deregisterDriver(driver);
    } else {
      drivers.deregister(driver, caller);
    }
  }

  /** {@code DriverManager.getDriver}. */
  @Replaces(DriverManager.class)
  public static Driver getDriver(String url) throws SQLException {
    ClassLoader caller = WALKER.getCallerClass().getClassLoader();
    TaskDrivers drivers = TaskDrivers.ofCaller();
    return drivers == null ? DriverManager.getDriver(url) : drivers.driver(url, caller);
  }

  /** {@code DriverManager.getDrivers}. */
  @Replaces(DriverManager.class)
  public static Enumeration<Driver> getDrivers() {
    ClassLoader caller = WALKER.getCallerClass().getClassLoader();
    TaskDrivers drivers = TaskDrivers.ofCaller();
    return drivers == null
        ? DriverManager.getDrivers()
        : Collections.enumeration(drivers.drivers(caller));
  }

  /** {@code DriverManager.drivers}. */
  @Replaces(DriverManager.class)
  public static Stream<Driver> drivers() {
    ClassLoader caller = WALKER.getCallerClass().getClassLoader();
    TaskDrivers drivers = TaskDrivers.ofCaller();
    return drivers == null ? DriverManager.drivers() : drivers.drivers(caller).stream();
  }

  /** {@code DriverManager.getConnection}. */
  @Replaces(DriverManager.class)
  public static Connection getConnection(String url, Properties info) throws SQLException {
    return connect(url, info, WALKER.getCallerClass().getClassLoader());
  }

  /** {@code DriverManager.getConnection}. */
  @Replaces(DriverManager.class)
  public static Connection getConnection(String url) throws SQLException {
    return connect(url, new Properties(), WALKER.getCallerClass().getClassLoader());
  }

  /** {@code DriverManager.getConnection}. */
  @Replaces(DriverManager.class)
  public static Connection getConnection(String url, String user, String password)
      throws SQLException {
    Properties info = new Properties();
    if (user != null) {
      info.put("user", user);
    }
    if (password != null) {
      info.put("password", password);
    }
    return connect(url, info, WALKER.getCallerClass().getClassLoader());
  }

  private static Connection connect(String url, Properties info, ClassLoader caller)
      throws SQLException {
    TaskDrivers drivers = TaskDrivers.ofCaller();
    return drivers == null
        ? DriverManager.getConnection(url, info)
        : drivers.connect(url, info, caller);
  }

  /** {@code DriverManager.setLoginTimeout}. */
  @Replaces(DriverManager.class)
  public static void setLoginTimeout(int seconds) {
    TaskDrivers drivers = TaskDrivers.ofCaller();
    if (drivers == null) {
      DriverManager.setLoginTimeout(seconds);
    } else {
      drivers.loginTimeout(seconds);
    }
  }

  /** {@code DriverManager.getLoginTimeout}. */
  @Replaces(DriverManager.class)
  public static int getLoginTimeout() {
    TaskDrivers drivers = TaskDrivers.ofCaller();
    return drivers == null ? DriverManager.getLoginTimeout() : drivers.loginTimeout();
  }

  /** {@code DriverManager.setLogWriter}. */
  @Replaces(DriverManager.class)
  public static void setLogWriter(PrintWriter writer) {
    TaskDrivers drivers = TaskDrivers.ofCaller();
    if (drivers == null) {
      DriverManager.setLogWriter(writer);
    } else {
      drivers.log(writer);
    }
  }

  /** {@code DriverManager.setLogStream}. */
  @Replaces(DriverManager.class)
  @SuppressWarnings("DefaultCharset") // as DriverManager itself does
  public static void setLogStream(PrintStream stream) {
    setLogWriter(stream == null ? null : new PrintWriter(stream));
  }

  /** {@code DriverManager.getLogWriter}. */
  @Replaces(DriverManager.class)
  public static PrintWriter getLogWriter() {
    TaskDrivers drivers = TaskDrivers.ofCaller();
    return drivers == null ? DriverManager.getLogWriter() : drivers.log();
  }

  /** {@code DriverManager.println}. */
  @Replaces(DriverManager.class)
  public static void println(String message) {
    TaskDrivers drivers = TaskDrivers.ofCaller();
    if (drivers == null) {
      DriverManager.println(message);
    } else if (drivers.log() != null) {
      drivers.log().println(message);
      drivers.log().flush();
    }
  }
}
