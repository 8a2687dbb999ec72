// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * What records are sorted by: entries of 16 bytes, the key's prefix, then partition and place of
 * the record. They grow from the back of an array, whose front may hold the records themselves. A
 * place counts through all slabs that the index covers, as if they lay side by side.
 *
 * <p>One thread at a time.
 */
final class EntryIndex {

  static final int ENTRY_BYTES = 16;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final byte[] bytes;
  private final byte[][] slabs;
  private final int slabBits;
  private final int slabMask;
  private int count;

  /** An empty index of the records that lie in the same array. */
  EntryIndex(byte[] bytes) {
    this(bytes, new byte[][] {bytes}, Integer.SIZE - 1);
  }

  /**
   * An empty index.
   *
   * @param bytes hold the entries
   * @param slabs hold the records, each of them 2^{@code slabBits} bytes, less than 2 GiB in all
   */
  EntryIndex(byte[] bytes, byte[][] slabs, int slabBits) {
    this.bytes = bytes;
    this.slabs = slabs;
    this.slabBits = slabBits;
    this.slabMask = (int) ((1L << slabBits) - 1);
  }

  int count() {
    return count;
  }

  /** The first byte that may not be used if one more entry is to fit. */
  int limit() {
    return bytes.length - ENTRY_BYTES * (count + 1);
  }

  void add(long prefix, int partition, int place) {
    set(count++, prefix, (long) partition << 32 | place);
  }

  /** Makes room for {@code more} entries, which are then to be {@link #set}. */
  void grow(int more) {
    count += more;
  }

  /** The place where a slab begins. */
  long placeOf(int slab) {
    return (long) slab << slabBits;
  }

  private int entry(int index) {
    return bytes.length - ENTRY_BYTES * (index + 1);
  }

  long prefix(int index) {
    return (long) LONGS.get(bytes, entry(index));
  }

  /** Partition in the upper half, place of the record in the lower. */
  long place(int index) {
    return (long) LONGS.get(bytes, entry(index) + 8);
  }

  int partition(int index) {
    return (int) (place(index) >>> 32);
  }

  void set(int index, long prefix, long place) {
    int at = entry(index);
    LONGS.set(bytes, at, prefix);
    LONGS.set(bytes, at + 8, place);
  }

  void swap(int left, int right) {
    long prefix = prefix(left);
    long place = place(left);
    set(left, prefix(right), place(right));
    set(right, prefix, place);
  }

  /** The array that holds the record of a place. */
  byte[] slab(int place) {
    return slabs[place >>> slabBits];
  }

  /** Where in its array the record of a place begins. */
  int start(int place) {
    return place & slabMask;
  }
}
