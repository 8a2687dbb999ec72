// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

/** The slabs that numbers of one size lie in. One thread at a time. */
public abstract class PagedNumbers {

  /** Of the number of a page, in a number's index. */
  final int bits;

  /** Of its place in that page. */
  final int mask;

  private final ReservedSlabs reserved;
  byte[][] pages;

  /**
   * As many numbers as fit slabs that were reserved.
   *
   * @param slabBytes of each of them, a power of two
   * @param bytes of a number
   */
  PagedNumbers(ReservedSlabs reserved, int slabBytes, int bytes) {
    this.reserved = reserved;
    this.pages = reserved.arrays();
    this.bits = Integer.numberOfTrailingZeros(slabBytes / bytes);
    this.mask = (1 << bits) - 1;
  }

  /** Sees to room for so many in all; false if there is no memory. */
  public final boolean reserve(long count) {
    if (count <= (long) pages.length << bits) {
      return true;
    }
    if (!reserved.reserve(count + mask >>> bits)) {
      return false;
    }
    pages = reserved.arrays();
    return true;
  }

  /** Gives all slabs back. */
  public final void free() {
    reserved.free();
    pages = new byte[0][];
  }
}
