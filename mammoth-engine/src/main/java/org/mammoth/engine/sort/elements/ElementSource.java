// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

/** Lends slabs of unsorted records to one map (Mammoth paper, Shi et al. 2015, §4.1). */
public interface ElementSource {

  /** A slab, or null when this map has its share or all are lent. Never waits. */
  byte[] poll();

  /**
   * A slab, waiting for it; called only when this map holds none.
   *
   * @throws InterruptedException if the task was killed while it waited
   */
  byte[] take() throws InterruptedException;

  /** Gives a slab back. */
  void give(byte[] slab);
}
