// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.nio.ByteBuffer;
import org.mammoth.engine.memory.CacheUnit;

/** A buffer of a file being read: a unit of the pool or an array of the reader's own. */
final class Block {

  private final CacheUnit unit;
  private final byte[] array;
  private int filled;
  private int taken;

  Block(CacheUnit unit) {
    this.unit = unit;
    this.array = null;
  }

  Block(byte[] array) {
    this.unit = null;
    this.array = array;
  }

  /** The unit, or null if it is an array. */
  CacheUnit unit() {
    return unit;
  }

  byte[] array() {
    return array;
  }

  int capacity() {
    return unit == null ? array.length : unit.capacity();
  }

  /** A view of its first bytes, to be filled, all of which are data. */
  ByteBuffer toFill(int length) {
    return toFill(0, length, length);
  }

  /**
   * A view of its first bytes, to be filled.
   *
   * @param lead how many at its beginning are no data of the range
   * @param length of what is data
   * @param all bytes of the view
   */
  ByteBuffer toFill(int lead, int length, int all) {
    taken = lead;
    filled = lead + length;
    return unit == null ? ByteBuffer.wrap(array, 0, all) : unit.view(0, all);
  }

  /** Bytes of data it was filled with; before any are taken. */
  int data() {
    return filled - taken;
  }

  boolean used() {
    return taken == filled;
  }

  int take(byte[] into, int offset, int length) {
    int now = Math.min(length, filled - taken);
    if (unit == null) {
      System.arraycopy(array, taken, into, offset, now);
    } else {
      unit.get(taken, into, offset, now);
    }
    taken += now;
    return now;
  }
}
