// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.groups;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.mammoth.engine.sort.elements.ElementSource;

/**
 * Borrowed slabs in which a {@link GroupTable} keeps groups and values. An address is a slab's
 * number and a place in it. Room is given out from the beginning to the end and taken back all at
 * once. One thread at a time.
 */
public final class GroupSpace {

  /** Addresses are not negative. */
  private static final int MOST_BYTES = 1 << 30;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private final ElementSource more;
  private final int slabBits;
  private final int slabMask;
  private byte[][] slabs;

  /** Slabs there are; {@link #slabs} may have room for more. */
  private int slabCount;

  private int slab;
  private int top;

  /**
   * An empty space.
   *
   * @param slabs its first ones, of equal length, a power of two
   * @param more gives further ones while there are any; null if there are none
   */
  GroupSpace(byte[][] slabs, ElementSource more) {
    this.slabs = slabs;
    this.slabCount = slabs.length;
    this.more = more;
    int slabBytes = slabs[0].length;
    this.slabBits = 31 - Integer.numberOfLeadingZeros(slabBytes);
    this.slabMask = slabBytes - 1;
  }

  void clear() {
    slab = 0;
    top = 0;
  }

  /** Gives back the slabs it took beyond its first ones; it must be empty. */
  void giveBack(int first) {
    while (slabCount > first) {
      more.give(slabs[--slabCount]);
      slabs[slabCount] = null;
    }
  }

  long usedBytes() {
    return ((long) slab << slabBits) + top;
  }

  long capacityBytes() {
    return (long) slabCount << slabBits;
  }

  byte[] slab(int address) {
    return slabs[address >>> slabBits];
  }

  /** Where in its slab an address is. */
  int place(int address) {
    return address & slabMask;
  }

  /** Whether so many bytes fit into an empty slab; nothing lies in two. */
  boolean canEverHold(long bytes) {
    return bytes <= slabMask + 1;
  }

  /** The address of so many bytes, or -1, and nothing changed, if there is no room. */
  int allocate(long bytes) {
    if (bytes > slabMask + 1 - top) {
      if (!canEverHold(bytes) || slab + 1 == slabCount && !takeSlab()) {
        return -1;
      }
      slab++;
      top = 0;
    }
    int address = slab << slabBits | top;
    top += (int) bytes;
    return address;
  }

  private boolean takeSlab() {
    if (more == null || slabCount << slabBits >= MOST_BYTES) {
      return false;
    }
    byte[] taken = more.poll();
    if (taken == null) {
      return false;
    }
    if (slabCount == slabs.length) {
      slabs = Arrays.copyOf(slabs, 2 * slabCount);
    }
    slabs[slabCount++] = taken;
    return true;
  }

  /** The number at a place of a slab. */
  static int get(byte[] bytes, int place) {
    return (int) INT.get(bytes, place);
  }

  static void set(byte[] bytes, int place, int number) {
    INT.set(bytes, place, number);
  }
}
