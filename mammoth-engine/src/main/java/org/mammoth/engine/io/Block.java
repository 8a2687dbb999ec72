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

  ByteBuffer toFill(int length) {
    filled = length;
    return unit == null ? ByteBuffer.wrap(array, 0, length) : unit.view(0, length);
  }

  int filled() {
    return filled;
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
