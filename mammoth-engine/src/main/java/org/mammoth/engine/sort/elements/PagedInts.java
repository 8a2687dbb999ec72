// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in slabs, as many as were reserved. One thread at a time. */
public final class PagedInts extends PagedNumbers {

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  /**
   * None yet.
   *
   * @param slabBytes of the slabs that the source lends, a power of two
   */
  public PagedInts(ElementSource source, int slabBytes) {
    super(new ReservedSlabs(source), slabBytes, Integer.BYTES);
  }

  public int get(int index) {
    return (int) INTS.get(pages[index >>> bits], (index & mask) << 2);
  }

  public void set(int index, int value) {
    INTS.set(pages[index >>> bits], (index & mask) << 2, value);
  }
}
