// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated;

import java.util.ArrayDeque;
import java.util.Deque;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.UnitSource;

/**
 * Blocks of one size, cut from cache units, as a segment that stays at its source needs much less
 * than a unit. A unit goes back to its lease as soon as all its blocks are free. Any thread; waits
 * for nobody.
 */
public final class BlockSpace implements AutoCloseable {

  /** A unit and its blocks that are free. */
  static final class Page {
    private final CacheUnit unit;
    private final Deque<Block> free = new ArrayDeque<>();
    private final int blocks;

    Page(CacheUnit unit, int blocks) {
      this.unit = unit;
      this.blocks = blocks;
    }
  }

  private final UnitSource units;
  private final int blockBytes;
  private final long most;
  private long lent;

  /** Pages that have a free block. */
  private final Deque<Page> open = new ArrayDeque<>();

  private boolean closed;

  /**
   * A space without any unit.
   *
   * @param blockBytes size of each block, from 1 to the size of a unit
   * @param mostBytes of blocks that are lent at a time, but it always may lend one
   */
  public BlockSpace(UnitSource units, int blockBytes, long mostBytes) {
    if (blockBytes < 1 || blockBytes > units.unitBytes()) {
      throw new IllegalArgumentException(
          "a block of " + blockBytes + " bytes in units of " + units.unitBytes());
    }
    this.units = units;
    this.blockBytes = blockBytes;
    this.most = Math.max(1, mostBytes / blockBytes);
  }

  /** As the other, for as much as it finds units for. */
  public BlockSpace(UnitSource units, int blockBytes) {
    this(units, blockBytes, Long.MAX_VALUE);
  }

  /** Bytes of each block. */
  public int blockBytes() {
    return blockBytes;
  }

  /** A block, or null if there is no memory for it now, all are lent, or the lease has ended. */
  public Block poll() {
    Block block = take(null);
    if (block != null || lendsNone()) {
      return block;
    }
    // not under the lock: who has no unit asks others for theirs, and these may want a lock of
    // somebody who gives a block back meanwhile
    Page made = newPage();
    if (made == null) {
      return null;
    }
    block = take(made);
    if (block == null) {
      units.give(made.unit);
    }
    return block;
  }

  private synchronized boolean lendsNone() {
    return closed || lent >= most;
  }

  /** Takes a block that is free, of {@code more} if it is not null. */
  private synchronized Block take(Page more) {
    if (lendsNone()) {
      return null;
    }
    if (more != null) {
      open.push(more);
    }
    Page page = open.peek();
    if (page == null) {
      return null;
    }
    Block block = page.free.pop();
    lent++;
    if (page.free.isEmpty()) {
      open.remove(page);
    }
    return block;
  }

  private Page newPage() {
    CacheUnit unit;
    try {
      unit = units.poll();
    } catch (IllegalStateException e) {
      // the reduce has just ended, and its lease with it
      return null;
    }
    if (unit == null) {
      return null;
    }
    int blocks = units.unitBytes() / blockBytes;
    Page page = new Page(unit, blocks);
    for (int i = blocks - 1; i >= 0; i--) {
      page.free.push(new Block(this, page, unit, i * blockBytes, blockBytes));
    }
    return page;
  }

  void give(Block block) {
    Page page = block.page();
    if (isFreeWith(page, block)) {
      units.give(page.unit);
    }
  }

  /**
   * Takes a block back; true if its page has no other that is lent, and is this space's no more.
   */
  private synchronized boolean isFreeWith(Page page, Block block) {
    if (page.free.contains(block)) {
      throw new IllegalStateException("a block was given back twice");
    }
    page.free.push(block);
    lent--;
    if (page.free.size() == page.blocks) {
      if (page.blocks > 1) {
        open.remove(page);
      }
      return true;
    }
    if (page.free.size() == 1) {
      open.add(page);
    }
    return false;
  }

  /** Lends no more; what is lent comes back when its borrowers give it. */
  @Override
  public synchronized void close() {
    closed = true;
  }
}
