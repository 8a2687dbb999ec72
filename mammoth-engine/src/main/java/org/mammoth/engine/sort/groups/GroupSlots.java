// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.groups;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Where the groups of a {@link GroupTable} are found: open addressing with linear probing. It uses
 * as few slots of its slabs as the groups need, since each slot that is looked at takes a line of
 * the processor's cache. One thread at a time.
 */
public final class GroupSlots {

  private static final int SLOT_SHIFT = 3;
  private static final int FIRST = 1 << 12;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final byte[][] slabs;
  private final int slabShift;
  private final int slabMask;
  private final int most;
  private int mask;

  /**
   * Slots without entries.
   *
   * @param slabs of equal length, a power of two; a power of two of them
   */
  GroupSlots(byte[][] slabs) {
    this.slabs = slabs;
    int perSlab = slabs[0].length >> SLOT_SHIFT;
    this.slabShift = 31 - Integer.numberOfLeadingZeros(perSlab);
    this.slabMask = perSlab - 1;
    this.most = perSlab * slabs.length;
    this.mask = Math.min(FIRST, most) - 1;
    clear();
  }

  /** Groups that may be entered before {@link #grow} has to be called. */
  int room() {
    return (mask + 1) / 4 * 3;
  }

  /** Doubles the slots and forgets all entries; false, and nothing changed, at their most. */
  boolean grow() {
    if (mask + 1 == most) {
      return false;
    }
    mask = 2 * mask + 1;
    clear();
    return true;
  }

  void clear() {
    int bytes = mask + 1 << SLOT_SHIFT;
    for (int i = 0; bytes > 0; i++) {
      int part = Math.min(bytes, slabs[i].length);
      Arrays.fill(slabs[i], 0, part, (byte) 0);
      bytes -= part;
    }
  }

  int first(int hash) {
    return hash & mask;
  }

  int next(int slot) {
    return slot + 1 & mask;
  }

  /** The entry of a slot, 0 if there is none. */
  long entry(int slot) {
    return (long) LONG.get(slabs[slot >>> slabShift], (slot & slabMask) << SLOT_SHIFT);
  }

  /** Enters a group's address, which is not negative, into an empty slot. */
  void enter(int slot, int hash, int group) {
    LONG.set(
        slabs[slot >>> slabShift],
        (slot & slabMask) << SLOT_SHIFT,
        (long) hash << 32 | group + 1 & 0xffffffffL);
  }

  /** Whether an entry may be that of a key with this hash. */
  static boolean matches(long entry, int hash) {
    return (int) (entry >>> 32) == hash;
  }

  /** The group's address in an entry. */
  static int group(long entry) {
    return (int) entry - 1;
  }
}
