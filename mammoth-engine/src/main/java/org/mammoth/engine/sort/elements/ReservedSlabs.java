// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

import java.util.ArrayList;
import java.util.List;

/** Slabs that were taken ahead of use, and grow in number only. One thread at a time. */
public final class ReservedSlabs {

  private final ElementSource source;
  private final List<byte[]> slabs = new ArrayList<>();

  public ReservedSlabs(ElementSource source) {
    this.source = source;
  }

  /** Sees to so many slabs in all; false, and some more may be held, if there is no memory. */
  public boolean reserve(long count) {
    while (slabs.size() < count) {
      byte[] slab = source.poll();
      if (slab == null) {
        return false;
      }
      slabs.add(slab);
    }
    return true;
  }

  public byte[][] arrays() {
    return slabs.toArray(new byte[0][]);
  }

  /** Gives all of them back. */
  public void free() {
    slabs.forEach(source::give);
    slabs.clear();
  }
}
