// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Collections;

/**
 * Withdraws the JDBC drivers of its own class loader. The JDK lets only code of a driver's loader
 * do that, so a {@link TaskClassLoader} defines a copy of this class for itself.
 */
public final class DriverWithdrawal implements Runnable {
  @Override
  public void run() {
    ClassLoader own = DriverWithdrawal.class.getClassLoader();
    for (Driver driver : Collections.list(DriverManager.getDrivers())) {
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
