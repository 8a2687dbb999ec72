// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of bytes, and reading it back: variable-length numbers and texts. */
final class Bytes {

  private byte[] array;
  private int at;
  private int limit;

  Bytes() {
    array = new byte[1 << 12];
  }

  Bytes(byte[] array, int limit) {
    this.array = array;
    this.limit = limit;
  }

  void clear() {
    at = 0;
  }

  byte[] array() {
    return array;
  }

  int length() {
    return at;
  }

  boolean hasMore() {
    return at < limit;
  }

  private void room(int more) {
    if (at + more > array.length) {
      array = Arrays.copyOf(array, Math.max(at + more, 2 * array.length));
    }
  }

  void putUnsigned(long value) {
    room(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      array[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    array[at++] = (byte) rest;
  }

  void putSigned(long value) {
    putUnsigned(value << 1 ^ value >> 63);
  }

  void putText(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    putUnsigned(utf8.length);
    room(utf8.length);
    System.arraycopy(utf8, 0, array, at, utf8.length);
    at += utf8.length;
  }

  long getUnsigned() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = array[at++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalStateException("a number of more than 64 bits");
  }

  long getSigned() {
    long value = getUnsigned();
    return value >>> 1 ^ -(value & 1);
  }

  String getText() {
    int length = (int) getUnsigned();
    String text = new String(array, at, length, StandardCharsets.UTF_8);
    at += length;
    return text;
  }
}
