// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.memory;

import org.mammoth.engine.memory.ElementShare;
import org.mammoth.engine.sort.elements.ElementSource;

/** A map's share of the element pool, as its sorter uses it. */
public record LentElements(ElementShare share) implements ElementSource {

  @Override
  public byte[] poll() {
    return share.poll();
  }

  @Override
  public byte[] take() throws InterruptedException {
    return share.take();
  }

  @Override
  public void give(byte[] slab) {
    share.give(slab);
  }
}
