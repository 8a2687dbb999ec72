// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.keys;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Few bytes as one number, to be compared or hashed in one step. Stateless. */
public final class ShortBytes {

  /** The most bytes that make a number. */
  public static final int MOST = 8;

  private static final VarHandle LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private ShortBytes() {}

  /**
   * A number that differs for different bytes of one length.
   *
   * @param length 0 to {@link #MOST}
   */
  public static long of(byte[] bytes, int from, int length) {
    if (length == 0) {
      return 0;
    }
    if (length == Integer.BYTES) {
      // bytes written just now as an int are slow to read as part of something longer
      return (long) (int) INT.get(bytes, from) << Integer.SIZE;
    }
    int excess = 64 - 8 * length;
    if (from + 8 <= bytes.length) {
      // what follows the bytes is shifted out
      return (long) LITTLE.get(bytes, from) << excess;
    }
    long number = 0;
    for (int at = from + length - 1; at >= from; at--) {
      number = number << 8 | bytes[at] & 0xff;
    }
    return number << excess;
  }
}
