// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.keys;

/**
 * The variable-length integers of Hadoop's serialisation (WritableUtils.writeVLong), read and
 * written in arrays. One byte holds -112 to 127; otherwise the first byte tells sign and length.
 */
public final class Vints {

  /** The most bytes an int takes. */
  public static final int MAX_BYTES = 5;

  private Vints() {}

  /** Bytes of the number whose first byte is {@code first}, itself included. */
  public static int size(byte first) {
    if (first >= -112) {
      return 1;
    }
    return first < -120 ? -119 - first : -111 - first;
  }

  /** Bytes needed to write {@code value}. */
  public static int sizeOf(int value) {
    if (value >= -112 && value <= 127) {
      return 1;
    }
    int magnitude = value < 0 ? ~value : value;
    return 1 + (32 - Integer.numberOfLeadingZeros(magnitude) + 7) / 8;
  }

  /** The number at {@code at}; its size follows from its first byte. */
  public static int read(byte[] bytes, int at) {
    byte first = bytes[at];
    if (first >= -112) {
      return first;
    }
    int length = size(first);
    int value = 0;
    for (int i = 1; i < length; i++) {
      value = value << 8 | bytes[at + i] & 0xff;
    }
    return first < -120 ? ~value : value;
  }

  /** Writes {@code value} at {@code at} and returns the place after it. */
  public static int write(byte[] bytes, int at, int value) {
    if (value >= -112 && value <= 127) {
      bytes[at] = (byte) value;
      return at + 1;
    }
    int magnitude = value < 0 ? ~value : value;
    int length = (32 - Integer.numberOfLeadingZeros(magnitude) + 7) / 8;
    bytes[at] = (byte) ((value < 0 ? -120 : -112) - length);
    for (int i = length; i >= 1; i--) {
      bytes[at + i] = (byte) magnitude;
      magnitude >>>= 8;
    }
    return at + 1 + length;
  }
}
