// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import org.mammoth.engine.sort.elements.ElementSource;

/** A bounded source of slabs that knows which are lent, and spoils what is given back. */
public final class Slabs implements ElementSource {

  private final ArrayDeque<byte[]> free = new ArrayDeque<>();
  private final Map<byte[], Boolean> lent = new IdentityHashMap<>();

  public Slabs(int count, int bytes) {
    for (int i = 0; i < count; i++) {
      free.add(new byte[bytes]);
    }
  }

  @Override
  public byte[] poll() {
    byte[] slab = free.poll();
    if (slab != null) {
      lent.put(slab, true);
    }
    return slab;
  }

  @Override
  public byte[] take() {
    byte[] slab = poll();
    if (slab == null) {
      throw new IllegalStateException("a map would wait for ever for a slab");
    }
    return slab;
  }

  @Override
  public void give(byte[] slab) {
    if (lent.remove(slab) == null) {
      throw new IllegalStateException("a slab was given back that was not lent");
    }
    Arrays.fill(slab, (byte) 0x5a);
    free.add(slab);
  }

  public int lent() {
    return lent.size();
  }
}
