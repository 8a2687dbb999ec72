// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.libraries;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.UserCode;

class TaskDriversTest {

  private static final String LIST =
      "java.sql.DriverManager.drivers().map(d -> d.getClass().getSimpleName()).sorted().toList()";

  private static final String OWN =
      "import java.sql.*; public class OwnDriver implements Driver {\n"
          + "  public Connection connect(String u, java.util.Properties p) throws SQLException {\n"
          + "    if (!acceptsURL(u)) { return null; } throw new SQLException(\"asked \" + p); }\n"
          + "  public boolean acceptsURL(String u) { return u.startsWith(\"jdbc:own:\"); }\n"
          + "  public DriverPropertyInfo[] getPropertyInfo(String u, java.util.Properties p) { return null; }\n"
          + "  public int getMajorVersion() { return 1; } public int getMinorVersion() { return 0; }\n"
          + "  public boolean jdbcCompliant() { return false; }\n"
          + "  public java.util.logging.Logger getParentLogger() { return null; } }";

  /** One that the engine has. */
  private static final class SharedDriver implements Driver {
    @Override
    public java.sql.Connection connect(String url, Properties info) {
      return null;
    }

    @Override
    public boolean acceptsURL(String url) {
      return false;
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
      return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
      return 1;
    }

    @Override
    public int getMinorVersion() {
      return 0;
    }

    @Override
    public boolean jdbcCompliant() {
      return false;
    }

    @Override
    public Logger getParentLogger() {
      return null;
    }
  }

  private final Driver shared = new SharedDriver();

  @TempDir private Path dir;

  @BeforeEach
  void register() throws SQLException {
    DriverManager.registerDriver(shared);
  }

  @AfterEach
  void withdraw() throws SQLException {
    DriverManager.deregisterDriver(shared);
  }

  private Path classes(String name, String body) throws Exception {
    return UserCode.compile(
        dir,
        OWN,
        UserCode.function(
            name,
            "try { "
                + body
                + " }"
                + " catch (Exception e) { return ((java.sql.SQLException) e).getSQLState() + \" \" + e.getMessage(); }"));
  }

  private String call(String name, String body) throws Exception {
    try (Task task = new Task(dir, name, classes(name, body))) {
      return task.call(name, "");
    }
  }

  @Test
  void oneTaskWithdrawsDriversForItselfOnly() throws Exception {
    String withdraw =
        "for (var each : java.util.Collections.list(java.sql.DriverManager.getDrivers())) {"
            + " java.sql.DriverManager.deregisterDriver(each); }"
            + "java.sql.DriverManager.registerDriver(new OwnDriver());"
            + "java.sql.DriverManager.setLoginTimeout(7);"
            + "return "
            + LIST
            + " + \" \" + java.sql.DriverManager.getLoginTimeout();";
    assertThat(call("Withdraws", withdraw)).isEqualTo("[OwnDriver] 7");
    assertThat(
            call(
                "Looks", "return " + LIST + " + \" \" + java.sql.DriverManager.getLoginTimeout();"))
        .contains("SharedDriver")
        .doesNotContain("OwnDriver")
        .endsWith(" 0");
    assertThat(DriverManager.drivers()).contains(shared);
  }

  @Test
  void connectionsAreOpenedByTheTasksDrivers() throws Exception {
    String connect =
        "java.sql.DriverManager.registerDriver(new OwnDriver());"
            + "return String.valueOf(java.sql.DriverManager.getConnection(\"jdbc:own:x\", \"u\", null));";
    assertThat(call("Connects", connect)).isEqualTo("null asked {user=u}");
    assertThat(call("Other", connect.replace("own:x", "other:x")))
        .isEqualTo("08001 No suitable driver found for jdbc:other:x");
    assertThat(
            call(
                "Finds",
                "java.sql.DriverManager.registerDriver(new OwnDriver());"
                    + "return java.sql.DriverManager.getDriver(\"jdbc:own:x\").getClass().getSimpleName();"))
        .isEqualTo("OwnDriver");
  }
}
