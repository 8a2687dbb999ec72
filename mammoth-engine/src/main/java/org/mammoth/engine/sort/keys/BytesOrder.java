// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.keys;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Keys that are a length followed by bytes compared as unsigned numbers from the left, the shorter
 * first. The prefix holds the first seven bytes and, in its lowest byte, the length up to eight: so
 * it alone decides between keys of at most seven bytes.
 */
public final class BytesOrder extends KeyOrder {

  /** What stands before the bytes. */
  enum Header {
    VINT,
    FOUR_BYTES
  }

  private static final int WHOLE = 7;
  private static final VarHandle BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final Header header;

  BytesOrder(Header header) {
    this.header = header;
  }

  private int skip(byte[] bytes, int offset) {
    return header == Header.VINT ? Vints.size(bytes[offset]) : 4;
  }

  @Override
  public long prefix(byte[] bytes, int offset, int length) {
    int skip = skip(bytes, offset);
    int from = offset + skip;
    int count = length - skip;
    long head;
    if (from + 8 <= bytes.length) {
      head = (long) BIG_ENDIAN.get(bytes, from);
      if (count < WHOLE) {
        head &= count == 0 ? 0 : -1L << 64 - 8 * count;
      }
    } else {
      head = 0;
      for (int i = 0; i < WHOLE; i++) {
        head = head << 8 | (i < count ? bytes[from + i] & 0xff : 0);
      }
      head <<= 8;
    }
    // flipping the sign makes the signed comparison of prefixes an unsigned one of bytes
    return (head & ~0xffL | Math.min(count, WHOLE + 1)) ^ Long.MIN_VALUE;
  }

  @Override
  public boolean decides(long prefix) {
    return (prefix & 0xff) <= WHOLE;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return Arrays.compareUnsigned(
        left,
        leftOffset + skip(left, leftOffset),
        leftOffset + leftLength,
        right,
        rightOffset + skip(right, rightOffset),
        rightOffset + rightLength);
  }
}
