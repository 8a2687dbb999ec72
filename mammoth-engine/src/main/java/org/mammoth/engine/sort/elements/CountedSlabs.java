// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

/** Knows how many slabs of a source are lent. One thread at a time. */
public final class CountedSlabs implements ElementSource {

  private final ElementSource source;
  private int lent;

  /** Lends slabs of {@code source}. */
  public CountedSlabs(ElementSource source) {
    this.source = source;
  }

  /** Slabs that are lent now. */
  public int lent() {
    return lent;
  }

  @Override
  public byte[] poll() {
    byte[] slab = source.poll();
    if (slab != null) {
      lent++;
    }
    return slab;
  }

  @Override
  public byte[] take() throws InterruptedException {
    byte[] slab = source.take();
    lent++;
    return slab;
  }

  @Override
  public void give(byte[] slab) {
    source.give(slab);
    lent--;
  }
}
