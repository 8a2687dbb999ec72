package org.mammoth.engine.sort;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A slab of serialised records with the index they are sorted by (mammoth.txt §3.1). Records grow
 * from the front, each in the form it has in a map output file: length of key, length of value,
 * key, value. Index entries of 16 bytes grow from the back: the key's prefix; partition and place
 * of the record. Sorting moves entries only.
 *
 * <p>One thread at a time.
 */
final class Element {

  static final int ENTRY_BYTES = 16;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final byte[] bytes;

  /** Where the next record starts. */
  private int end;

  private int count;

  Element(byte[] bytes) {
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  int count() {
    return count;
  }

  int end() {
    return end;
  }

  /** The first byte that records may not use if one more entry is to fit. */
  int limit() {
    return bytes.length - ENTRY_BYTES * (count + 1);
  }

  /** Adds the record that lies between {@link #end} and {@code newEnd}. */
  void add(int partition, int start, long prefix, int newEnd) {
    int at = bytes.length - ENTRY_BYTES * (count + 1);
    LONGS.set(bytes, at, prefix);
    LONGS.set(bytes, at + 8, (long) partition << 32 | start);
    count++;
    end = newEnd;
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

  int start(int index) {
    return (int) place(index);
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

  /** Where the key of the record at {@code start} begins. */
  int keyAt(int start) {
    int valueLength = start + Vints.size(bytes[start]);
    return valueLength + Vints.size(bytes[valueLength]);
  }

  int keyLength(int start) {
    return Vints.read(bytes, start);
  }

  /** The end of the record at {@code start}. */
  int recordEnd(int start) {
    int keyLength = Vints.read(bytes, start);
    int at = start + Vints.size(bytes[start]);
    return at + Vints.size(bytes[at]) + keyLength + Vints.read(bytes, at);
  }
}
