// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.keys;

/** Keys that are one big-endian two's complement number of up to eight bytes. */
public final class IntegerOrder extends KeyOrder {

  private final int width;

  IntegerOrder(int width) {
    this.width = width;
  }

  @Override
  public long prefix(byte[] bytes, int offset, int length) {
    if (width == 0) {
      return 0;
    }
    long value = bytes[offset];
    for (int i = 1; i < width; i++) {
      value = value << 8 | bytes[offset + i] & 0xff;
    }
    return value;
  }

  @Override
  public boolean decides(long prefix) {
    return true;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return Long.compare(
        prefix(left, leftOffset, leftLength), prefix(right, rightOffset, rightLength));
  }
}
