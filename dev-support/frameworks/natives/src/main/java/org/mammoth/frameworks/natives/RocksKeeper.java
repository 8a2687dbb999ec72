// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.natives;

import java.nio.charset.StandardCharsets;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** A database of the task's working folder, by a relative name, which native code opens. */
final class RocksKeeper implements Keeper {
  private final Options options = new Options().setCreateIfMissing(true);
  private final RocksDB database;

  RocksKeeper() throws RocksDBException {
    RocksDB.loadLibrary();
    database = RocksDB.open(options, "words.rocks");
  }

  @Override
  public long add(String word) throws RocksDBException {
    byte[] key = word.getBytes(StandardCharsets.UTF_8);
    byte[] before = database.get(key);
    long now =
        1 + (before == null ? 0 : Long.parseLong(new String(before, StandardCharsets.UTF_8)));
    database.put(key, Long.toString(now).getBytes(StandardCharsets.UTF_8));
    return now;
  }

  @Override
  public void close() {
    database.close();
    options.close();
  }
}
