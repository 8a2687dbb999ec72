// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.keys;

import java.util.Arrays;

/**
 * Keys all of whose bytes are compared as unsigned numbers from the left, the shorter first. The
 * prefix is made as in {@link BytesOrder}, which is kept apart from this: it runs for each record
 * of most jobs.
 */
public final class WholeBytesOrder extends KeyOrder {

  private static final int WHOLE = 7;

  @Override
  public long prefix(byte[] bytes, int offset, int length) {
    int count = Math.min(length, WHOLE);
    long head = 0;
    for (int i = 0; i < count; i++) {
      head = head << 8 | bytes[offset + i] & 0xff;
    }
    head <<= 8 * (8 - count);
    return (head | Math.min(length, WHOLE + 1)) ^ Long.MIN_VALUE;
  }

  @Override
  public boolean decides(long prefix) {
    return (prefix & 0xff) <= WHOLE;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return Arrays.compareUnsigned(
        left, leftOffset, leftOffset + leftLength, right, rightOffset, rightOffset + rightLength);
  }
}
