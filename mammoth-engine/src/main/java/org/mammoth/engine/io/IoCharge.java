// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

/**
 * Told of every change of the memory that waits in the scheduler, so that a ledger can charge it.
 * The changes of one owner add up to 0 when its files have ended. Called by any thread without a
 * lock held; must not wait or throw.
 */
@FunctionalInterface
public interface IoCharge {

  /** Whose memory it is. */
  enum Memory {
    /** Cache units; whoever lent them charges them until they are given back. */
    UNITS,
    /** Arrays on the heap that nobody else counts. */
    HEAP
  }

  /**
   * Memory was queued or left the queue.
   *
   * @param owner who opened the file
   * @param bytes by how much it changed; below 0 when memory leaves
   */
  void changed(String owner, Memory memory, long bytes);
}
