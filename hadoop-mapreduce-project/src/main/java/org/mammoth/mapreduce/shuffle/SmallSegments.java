// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.Closeable;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.UnitSource;

/**
 * Small segments of one reduce, one behind the other in one cache file, so that many maps' few
 * bytes do not take a unit each. Any thread.
 */
final class SmallSegments implements Closeable {

  /** A segment is small if as many of its size fit into a unit. */
  private static final int IN_A_UNIT = 16;

  private final UnitSource units;
  private CacheFile file;
  private boolean sealed;

  SmallSegments(UnitSource units) {
    this.units = units;
  }

  /** Bytes of the largest small segment. */
  int largest() {
    return units.unitBytes() / IN_A_UNIT;
  }

  /**
   * Adds a segment.
   *
   * @param owner closed with the result
   * @return its bytes, to be read once, or null if there is no memory for it
   */
  synchronized UnitStream add(byte[] bytes, String name, Closeable owner) {
    if (sealed) {
      return null;
    }
    try {
      if (file == null) {
        file = new CacheFile(units);
      }
      long from = file.length();
      return file.tryAppend(bytes, 0, bytes.length)
          ? new UnitStream(file, from, from + bytes.length, name, owner)
          : null;
    } catch (IllegalStateException e) {
      // the reduce has just ended, and its memory with it
      return null;
    }
  }

  /** No more will be added: what the last unit does not hold is free. */
  synchronized void seal() {
    sealed = true;
    if (file != null) {
      file.finish();
    }
  }

  /** Frees all of them. */
  @Override
  public synchronized void close() {
    sealed = true;
    if (file != null) {
      file.close();
    }
  }
}
