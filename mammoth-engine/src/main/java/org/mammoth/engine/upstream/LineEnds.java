// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds where lines end, eight bytes at a time. Stateless. */
final class LineEnds {

  static final byte LF = '\n';
  static final byte CR = '\r';

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH = 0x8080808080808080L;
  private static final long LFS = LF * ONES;
  private static final long CRS = CR * ONES;

  private static final VarHandle LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private LineEnds() {}

  /** The place of the first line feed or carriage return, {@code to} if there is none. */
  static int find(byte[] bytes, int from, int to) {
    int at = from;
    for (; to - at >= Long.BYTES; at += Long.BYTES) {
      long eight = (long) LITTLE.get(bytes, at);
      long found = zeros(eight ^ LFS) | zeros(eight ^ CRS);
      if (found != 0) {
        return at + Long.numberOfTrailingZeros(found) / Byte.SIZE;
      }
    }
    while (at < to && bytes[at] != LF && bytes[at] != CR) {
      at++;
    }
    return at;
  }

  /** The high bit of the first byte that is 0, if there is one; maybe of later bytes, too. */
  private static long zeros(long eight) {
    return eight - ONES & ~eight & HIGH;
  }
}
