// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.nio.ByteBuffer;

/** A unit over a buffer, on the heap or outside it. */
final class BufferUnit implements CacheUnit {

  private final ByteBuffer buffer;

  BufferUnit(ByteBuffer buffer) {
    this.buffer = buffer;
  }

  @Override
  public int capacity() {
    return buffer.capacity();
  }

  @Override
  public void put(int at, byte[] from, int offset, int length) {
    buffer.put(at, from, offset, length);
  }

  @Override
  public void get(int at, byte[] into, int offset, int length) {
    buffer.get(at, into, offset, length);
  }

  @Override
  public ByteBuffer view(int at, int length) {
    return buffer.slice(at, length);
  }
}
