// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in slabs, as many as were reserved. One thread at a time. */
final class PagedInts {

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private final int bits;
  private final int mask;
  private final ReservedSlabs reserved;
  private byte[][] pages = new byte[0][];

  /**
   * None yet.
   *
   * @param slabBytes of the slabs that the source lends, a power of two
   */
  PagedInts(ElementSource source, int slabBytes) {
    this.reserved = new ReservedSlabs(source);
    this.bits = Integer.numberOfTrailingZeros(slabBytes / Integer.BYTES);
    this.mask = (1 << bits) - 1;
  }

  /** Sees to room for so many in all; false if there is no memory. */
  boolean reserve(long count) {
    if (count <= (long) pages.length << bits) {
      return true;
    }
    if (!reserved.reserve(count + mask >>> bits)) {
      return false;
    }
    pages = reserved.arrays();
    return true;
  }

  int get(int index) {
    return (int) INTS.get(pages[index >>> bits], (index & mask) << 2);
  }

  void set(int index, int value) {
    INTS.set(pages[index >>> bits], (index & mask) << 2, value);
  }

  /** Gives all slabs back. */
  void free() {
    reserved.free();
    pages = new byte[0][];
  }
}
