// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.natives;

/** Counts words by means of a native library, within one task. Used by one thread. */
interface Keeper extends AutoCloseable {

  /** Takes one more occurrence of a word; returns how many there are by now. */
  long add(String word) throws Exception;

  @Override
  void close() throws Exception;

  /** The keeper of one library. */
  static Keeper of(String library) throws Exception {
    return switch (library) {
      case "zstd" -> new ZstdKeeper();
      case "rocksdb" -> new RocksKeeper();
      case "sqlite" -> new SqliteKeeper();
      case "leveldb" -> new LevelKeeper();
      case "jna" -> new LibcKeeper();
      default -> throw new IllegalArgumentException("no library " + library);
    };
  }
}
