// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.nio.ByteBuffer;

/**
 * A fixed piece of the cache pool's memory, addressed from 0 to {@link #capacity()}. A unit is made
 * once and lent many times; it holds what the last borrower left. It does no locking: one thread
 * writes it, and hands it over before others read.
 *
 * <p>Every method throws {@link IndexOutOfBoundsException} for a range outside the unit.
 */
public interface CacheUnit {

  /** Bytes it holds; the same for all units of a pool. */
  int capacity();

  /** Copies {@code length} bytes of {@code from} into the unit at {@code at}. */
  void put(int at, byte[] from, int offset, int length);

  /** Copies {@code length} bytes of the unit from {@code at} into {@code into}. */
  void get(int at, byte[] into, int offset, int length);

  /**
   * A view of a range for channels, with position 0 and the range as its limit; writing through it
   * writes the unit. A new object on each call: once per I/O, not once per record.
   */
  ByteBuffer view(int at, int length);
}
