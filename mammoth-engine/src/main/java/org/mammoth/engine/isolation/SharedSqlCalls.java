package org.mammoth.engine.isolation;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/**
 * What rewritten shared classes call instead of opening a JDBC connection: the JDK gives a caller
 * only drivers that its class loader has, and a job's are in the job's. Stateless, thread-safe.
 */
public final class SharedSqlCalls {
  private SharedSqlCalls() {}

  /** Opens a connection; a copy of the class that does is defined by each job's loader. */
  public interface Opener {
    Connection open(String url, Properties info) throws SQLException;
  }

  /** Asks as code of its own class loader. */
  public static final class OwnOpener implements Opener {
    @Override
    public Connection open(String url, Properties info) throws SQLException {
      return DriverManager.getConnection(url, info);
    }
  }

  /** {@code DriverManager.getConnection}. */
  @Replaces(DriverManager.class)
  public static Connection getConnection(String url, Properties info) throws SQLException {
    SqlCalls.loadDrivers();
    TaskProcess process = TaskProcess.currentOrNull();
    TaskClassLoader loader = process == null ? null : process.loader();
    return loader == null
        ? DriverManager.getConnection(url, info)
        : loader.copyOf(OwnOpener.class, Opener.class).open(url, info);
  }

  /** {@code DriverManager.getConnection}. */
  @Replaces(DriverManager.class)
  public static Connection getConnection(String url) throws SQLException {
    return getConnection(url, new Properties());
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
    return getConnection(url, info);
  }
}
