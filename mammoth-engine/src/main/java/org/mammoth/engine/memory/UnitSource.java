// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

/**
 * Lends cache units under one lease: one owner, one {@link BufferKind}. What the scheduler and its
 * tests put behind a {@link CacheFile}. The bytes charged to all sources together always equal the
 * bytes of the units lent.
 */
public interface UnitSource {

  /** Size of each unit in bytes. */
  int unitBytes();

  /**
   * A unit if one may be had at once, else null. Never waits.
   *
   * @throws IllegalStateException if the lease has ended
   */
  CacheUnit poll();

  /**
   * A unit, waiting for it as the scheduler's rules say.
   *
   * @throws InterruptedException if the task was killed while it waited
   * @throws IllegalStateException if the lease has ended
   */
  CacheUnit take() throws InterruptedException;

  /** Gives a unit back and ends its charge here. Safe for any thread. */
  void give(CacheUnit unit);

  /**
   * Charges {@code bytes} of what is charged here to another source instead: data changes its
   * owner, not its place. Never waits and never fails for lack of quota, as no memory is taken.
   *
   * @param bytes a multiple of {@link #unitBytes}
   * @throws IllegalStateException if less is charged here, or the other lease has ended
   */
  void move(UnitSource to, long bytes);

  /**
   * Says that so many bytes take no memory here, as they stay at another node until they are
   * merged; for the record. Any thread.
   */
  default void left(long bytes) {}

  /**
   * The most that a receive buffer may come to hold here if all want memory: an even part of the
   * whole pool for each running reduce, in bytes. A hint, as tasks come and go.
   */
  default long roomBytes() {
    return Long.MAX_VALUE;
  }

  /**
   * Says that a file takes its units from here, so that they come back when the owner ends without
   * closing it.
   *
   * @throws IllegalStateException if the lease has ended
   */
  default void opened(CacheFile file) {}

  /** Says that a file holds nothing from here any more. */
  default void closed(CacheFile file) {}
}
