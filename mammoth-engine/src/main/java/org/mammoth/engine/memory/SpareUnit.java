// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A unit of the cache pool that nobody needs, lent by {@link SpareUnits} until somebody does. It
 * may go at any moment, while it is read too: a reader copies first and asks afterwards whether it
 * was still there, so that nobody who needs memory ever waits for a reader.
 *
 * <p>Any thread reads. It is written only between {@link SpareUnits#take} or {@link
 * SpareUnits#borrow} and {@link SpareUnits#keep}, by whoever called these.
 */
public final class SpareUnit {

  final CacheUnit unit;

  /** Whether it is being written. Guarded by the scheduler's lock. */
  boolean borrowed = true;

  /** Set under the scheduler's lock, once. */
  private volatile boolean gone;

  SpareUnit(CacheUnit unit) {
    this.unit = unit;
  }

  /** Whether somebody else has its memory now. */
  public boolean isGone() {
    return gone;
  }

  /** Under the scheduler's lock, before anybody else gets the memory. */
  void markGone() {
    gone = true;
    // What its next holder writes is not seen before this.
    VarHandle.fullFence();
  }

  /**
   * Copies {@code length} bytes from {@code at} into {@code into}.
   *
   * @return false if the unit has gone meanwhile; what was copied is somebody else's then
   */
  public boolean get(int at, byte[] into, int offset, int length) {
    if (gone) {
      return false;
    }
    unit.get(at, into, offset, length);
    VarHandle.acquireFence();
    return !gone;
  }

  /**
   * Copies {@code length} bytes from {@code at} into {@code into} at its position, which moves only
   * if that succeeds.
   *
   * @return false if the unit has gone meanwhile; what was copied is somebody else's then
   */
  public boolean get(int at, ByteBuffer into, int length) {
    if (gone) {
      return false;
    }
    into.put(into.position(), unit.view(at, length), 0, length);
    VarHandle.acquireFence();
    if (gone) {
      return false;
    }
    into.position(into.position() + length);
    return true;
  }

  /** Writes {@code length} bytes of {@code from} at {@code at}. */
  public void put(int at, byte[] from, int offset, int length) {
    unit.put(at, from, offset, length);
  }
}
