package org.mammoth.engine.isolation;

import java.sql.Driver;
import java.sql.DriverAction;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * What rewritten user code calls instead of registering a JDBC driver, which the JDK keeps for
 * ever, and the driver's classes with it: the same, but the driver's loader takes note and
 * withdraws it when it is closed. Stateless, thread-safe.
 */
public final class SqlCalls {
  private SqlCalls() {}

  @Replaces(DriverManager.class)
  public static void registerDriver(Driver driver) throws SQLException {
    registerDriver(driver, null);
  }

  @Replaces(DriverManager.class)
  public static void registerDriver(Driver driver, DriverAction action) throws SQLException {
    DriverManager.registerDriver(driver, action);
    ClassLoader loader = driver.getClass().getClassLoader();
    if (loader instanceof TaskClassLoader) {
      ((TaskClassLoader) loader).registeredDriver();
    }
  }

  /**
   * Before drivers are looked for: the JDK asks for what services name once in a JVM's life, when
   * this task's jars were not there.
   */
  @Precedes(
      value = DriverManager.class,
      names = {"getConnection", "getDriver", "getDrivers", "drivers"})
  public static void loadDrivers() {
    TaskProcess process = Owners.callerOrNull();
    TaskClassLoader loader = process == null ? null : process.loader();
    if (loader != null) {
      loader.loadDrivers();
    }
  }

  /**
   * Withdraws the drivers of its own class loader. The JDK lets only code of a driver's loader do
   * that, so a {@link TaskClassLoader} defines a copy of this class for itself.
   */
  public static final class Withdrawal implements Runnable {
    @Override
    public void run() {
      ClassLoader own = Withdrawal.class.getClassLoader();
      for (Driver driver : java.util.Collections.list(DriverManager.getDrivers())) {
        if (driver.getClass().getClassLoader() == own) {
          try {
            DriverManager.deregisterDriver(driver);
          } catch (SQLException e) {
            throw new IllegalStateException("JDBC driver " + driver + " refused to go", e);
          }
        }
      }
    }
  }
}
