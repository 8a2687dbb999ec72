// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Numbers in slabs, as many as were reserved. One thread at a time. */
final class PagedInts {

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private final ElementSource source;
  private final int bits;
  private final int mask;
  private final List<byte[]> reserved = new ArrayList<>();
  private byte[][] pages = new byte[0][];

  /**
   * None yet.
   *
   * @param slabBytes of the slabs that the source lends, a power of two
   */
  PagedInts(ElementSource source, int slabBytes) {
    this.source = source;
    this.bits = Integer.numberOfTrailingZeros(slabBytes / Integer.BYTES);
    this.mask = (1 << bits) - 1;
  }

  /** Sees to room for so many in all; false if there is no memory. */
  boolean reserve(long count) {
    if (count <= (long) pages.length << bits) {
      return true;
    }
    while ((long) reserved.size() << bits < count) {
      byte[] page = source.poll();
      if (page == null) {
        return false;
      }
      reserved.add(page);
    }
    pages = reserved.toArray(new byte[0][]);
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
    reserved.forEach(source::give);
    reserved.clear();
    pages = new byte[0][];
  }
}
