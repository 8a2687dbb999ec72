// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Large numbers in slabs, as many as were reserved. One thread at a time. */
public final class PagedLongs extends PagedNumbers {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /**
   * None yet.
   *
   * @param slabBytes of the slabs that the source lends, a power of two
   */
  public PagedLongs(ElementSource source, int slabBytes) {
    this(new ReservedSlabs(source), slabBytes);
  }

  /** As many as fit slabs that were reserved, which stay the owner's. */
  public PagedLongs(ReservedSlabs reserved, int slabBytes) {
    super(reserved, slabBytes, Long.BYTES);
  }

  /** Sets all to zero. */
  public void clear() {
    for (byte[] page : pages) {
      Arrays.fill(page, (byte) 0);
    }
  }

  public long get(int index) {
    return (long) LONGS.get(pages[index >>> bits], (index & mask) << 3);
  }

  public void set(int index, long value) {
    LONGS.set(pages[index >>> bits], (index & mask) << 3, value);
  }
}
