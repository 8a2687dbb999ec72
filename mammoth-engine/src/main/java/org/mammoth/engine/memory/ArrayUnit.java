// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.nio.ByteBuffer;
import java.util.Objects;

/** A unit that is a bare array. */
final class ArrayUnit implements CacheUnit {

  private final byte[] bytes;

  ArrayUnit(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public int capacity() {
    return bytes.length;
  }

  @Override
  public void put(int at, byte[] from, int offset, int length) {
    System.arraycopy(from, offset, bytes, at, length);
  }

  @Override
  public void get(int at, byte[] into, int offset, int length) {
    System.arraycopy(bytes, at, into, offset, length);
  }

  @Override
  public ByteBuffer view(int at, int length) {
    Objects.checkFromIndexSize(at, length, bytes.length);
    return ByteBuffer.wrap(bytes, at, length).slice();
  }
}
