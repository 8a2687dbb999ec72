// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.Vints;
import org.mammoth.engine.sort.merge.RecordForm;

/**
 * What records are sorted by: entries of 16 bytes, the key's prefix, then partition and place of
 * the record. They grow from the back of an array, whose front may hold the records themselves, or
 * fill several arrays, one after the other. A place counts through all slabs that the index covers,
 * as if they lay side by side.
 *
 * <p>One thread at a time.
 */
public final class EntryIndex {

  public static final int ENTRY_BYTES = 16;

  private static final int ENTRY_BITS = 4;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final byte[][] pages;
  private final int pageBits;
  private final int pageMask;
  private final byte[][] slabs;
  private final int slabBits;
  private final int slabMask;
  private int count;

  /** An empty index of the records that lie in the same array. */
  public EntryIndex(byte[] bytes) {
    this(new byte[][] {bytes}, new byte[][] {bytes}, Integer.SIZE - 1);
  }

  /**
   * An empty index.
   *
   * @param pages hold the entries: one array, or several of 2^{@code slabBits} bytes each
   * @param slabs hold the records, each of them 2^{@code slabBits} bytes, less than 2 GiB in all
   */
  public EntryIndex(byte[][] pages, byte[][] slabs, int slabBits) {
    this.pages = pages;
    this.pageBits = pages.length == 1 ? Integer.SIZE - 1 : slabBits - ENTRY_BITS;
    this.pageMask = (int) ((1L << pageBits) - 1);
    this.slabs = slabs;
    this.slabBits = slabBits;
    this.slabMask = (int) ((1L << slabBits) - 1);
  }

  public int count() {
    return count;
  }

  /** The first byte of the array that may not be used if one more entry is to fit. */
  int limit() {
    return entry(pages[0], count);
  }

  public void add(long prefix, int partition, int place) {
    set(count++, prefix, (long) partition << 32 | place);
  }

  /** Makes room for {@code more} entries, which are then to be {@link #set}. */
  void grow(int more) {
    count += more;
  }

  /** Forgets the first entries; the others follow as they are. */
  void dropFirst(int entries) {
    count -= entries;
    for (int i = 0; i < count; i++) {
      set(i, prefix(i + entries), place(i + entries));
    }
  }

  /** The place where a slab begins. */
  long placeOf(int slab) {
    return (long) slab << slabBits;
  }

  private byte[] page(int index) {
    return pages[index >>> pageBits];
  }

  private int entry(byte[] page, int index) {
    return page.length - ENTRY_BYTES * ((index & pageMask) + 1);
  }

  public long prefix(int index) {
    byte[] page = page(index);
    return (long) LONGS.get(page, entry(page, index));
  }

  /** Partition in the upper half, place of the record in the lower. */
  public long place(int index) {
    byte[] page = page(index);
    return (long) LONGS.get(page, entry(page, index) + 8);
  }

  public int partition(int index) {
    return (int) (place(index) >>> 32);
  }

  void set(int index, long prefix, long place) {
    byte[] page = page(index);
    int at = entry(page, index);
    LONGS.set(page, at, prefix);
    LONGS.set(page, at + 8, place);
  }

  void swap(int left, int right) {
    long prefix = prefix(left);
    long place = place(left);
    set(left, prefix(right), place(right));
    set(right, prefix, place);
  }

  /** Whether two entries have the same partition, and keys that compare as equal. */
  public boolean haveSameKey(KeyOrder order, int left, int right) {
    long prefix = prefix(left);
    return prefix == prefix(right)
        && partition(left) == partition(right)
        && (order.decides(prefix)
            || compareKeys(order, (int) place(left), (int) place(right)) == 0);
  }

  /** Compares the keys of two records whole, by their places. */
  int compareKeys(KeyOrder order, int left, int right) {
    byte[] leftBytes = slab(left);
    byte[] rightBytes = slab(right);
    int leftAt = start(left);
    int rightAt = start(right);
    return order.compare(
        leftBytes,
        RecordForm.keyAt(leftBytes, leftAt),
        Vints.read(leftBytes, leftAt),
        rightBytes,
        RecordForm.keyAt(rightBytes, rightAt),
        Vints.read(rightBytes, rightAt));
  }

  /** The array that holds the record of a place. */
  public byte[] slab(int place) {
    return slabs[place >>> slabBits];
  }

  /** Where in its array the record of a place begins. */
  public int start(int place) {
    return place & slabMask;
  }
}
