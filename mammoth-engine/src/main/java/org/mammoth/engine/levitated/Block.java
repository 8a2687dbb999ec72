// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated;

import java.nio.ByteBuffer;
import org.mammoth.engine.memory.CacheUnit;

/** A piece of a cache unit, lent by a {@link BlockSpace}. One borrower at a time. */
public final class Block {

  private final BlockSpace space;
  private final BlockSpace.Page page;
  private final CacheUnit unit;
  private final int start;
  private final int bytes;

  Block(BlockSpace space, BlockSpace.Page page, CacheUnit unit, int start, int bytes) {
    this.space = space;
    this.page = page;
    this.unit = unit;
    this.start = start;
    this.bytes = bytes;
  }

  /** Bytes it holds. */
  public int bytes() {
    return bytes;
  }

  /** A view of its first bytes, with position 0; writing through it writes the block. */
  public ByteBuffer view(int length) {
    if (length > bytes) {
      throw new IndexOutOfBoundsException(length + " bytes of a block of " + bytes);
    }
    return unit.view(start, length);
  }

  /** Gives it back; once, and when nobody writes it any more. Any thread. */
  public void free() {
    space.give(this);
  }

  BlockSpace.Page page() {
    return page;
  }
}
