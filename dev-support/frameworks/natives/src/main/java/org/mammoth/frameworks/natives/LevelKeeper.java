// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.natives;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.fusesource.leveldbjni.JniDBFactory;
import org.iq80.leveldb.DB;
import org.iq80.leveldb.Options;

/** The same with the library that Hadoop itself brings. */
final class LevelKeeper implements Keeper {
  private final DB database =
      JniDBFactory.factory.open(new File("words.level"), new Options().createIfMissing(true));

  LevelKeeper() throws IOException {}

  @Override
  public long add(String word) {
    byte[] key = word.getBytes(StandardCharsets.UTF_8);
    byte[] before = database.get(key);
    long now =
        1 + (before == null ? 0 : Long.parseLong(new String(before, StandardCharsets.UTF_8)));
    database.put(key, Long.toString(now).getBytes(StandardCharsets.UTF_8));
    return now;
  }

  @Override
  public void close() throws IOException {
    database.close();
  }
}
