// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.Closeable;
import java.io.IOException;
import org.mammoth.engine.memory.CacheFile;

/**
 * Reads a range of a cache file once and gives each unit back when all of it is read. One thread at
 * a time.
 */
final class UnitStream extends HeldStream {

  private final Closeable owner;

  /**
   * As the other.
   *
   * @param owner closed with this
   */
  UnitStream(CacheFile memory, long from, long to, String name, Closeable owner) {
    super(memory, from, to, name);
    this.owner = owner;
  }

  @Override
  void passed(CacheFile memory, long from, long to) {
    memory.discard(from, to);
  }

  /** Gives back what was not read. */
  void release() {
    passRest();
  }

  @Override
  public void close() throws IOException {
    owner.close();
  }
}
