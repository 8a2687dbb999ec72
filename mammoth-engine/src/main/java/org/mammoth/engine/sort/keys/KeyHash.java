// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.keys;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The hash by which serialised keys are gathered: eight bytes at a time. Stateless. */
public final class KeyHash {

  private static final long FIRST = 0x9E3779B97F4A7C15L;
  private static final long FACTOR = 0xC2B2AE3D27D4EB4FL;

  private static final VarHandle LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private KeyHash() {}

  public static int of(int partition, byte[] bytes, int from, int length) {
    long hash = FIRST * (length + 31L * partition + 1);
    int at = from;
    int end = from + length;
    while (end - at >= 8) {
      hash = (hash ^ (long) LITTLE.get(bytes, at)) * FACTOR;
      hash ^= hash >>> 29;
      at += 8;
    }
    hash = (hash ^ ShortBytes.of(bytes, at, end - at)) * FACTOR;
    hash ^= hash >>> 32;
    return (int) hash;
  }
}
