// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.natives;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A table of a database in the task's working folder; a second one is attached by SQL. */
final class SqliteKeeper implements Keeper {
  private final Connection connection = DriverManager.getConnection("jdbc:sqlite:words.sqlite");
  private final PreparedStatement more;

  SqliteKeeper() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("attach 'more.sqlite' as more");
      statement.execute("create table more.words (word text primary key, count integer)");
    }
    connection.setAutoCommit(false);
    more =
        connection.prepareStatement(
            "insert into more.words values (?, 1)"
                + " on conflict (word) do update set count = count + 1 returning count");
  }

  @Override
  public long add(String word) throws SQLException {
    more.setString(1, word);
    try (ResultSet row = more.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.commit();
    connection.close();
  }
}
