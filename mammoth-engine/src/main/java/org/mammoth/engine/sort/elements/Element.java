// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

import org.mammoth.engine.sort.merge.RecordForm;

/**
 * A slab of serialised records with the index they are sorted by (Mammoth paper, Shi et al. 2015,
 * §3.1). Records grow from the front, each in the form it has in a map output file: length of key,
 * length of value, key, value. The entries of the index grow from the back. Sorting moves entries
 * only.
 *
 * <p>One thread at a time.
 */
public final class Element {

  private final byte[] bytes;
  private final EntryIndex index;

  /** Where the next record starts. */
  private int end;

  private int largest;
  private int payload;

  public Element(byte[] bytes) {
    this.bytes = bytes;
    this.index = new EntryIndex(bytes);
  }

  public byte[] bytes() {
    return bytes;
  }

  public EntryIndex index() {
    return index;
  }

  public int count() {
    return index.count();
  }

  public int end() {
    return end;
  }

  /** Bytes of its largest record. */
  public int largest() {
    return largest;
  }

  /** Bytes of its keys and values, without what lies around them. */
  public int payload() {
    return payload;
  }

  /** The first byte that records may not use if one more entry is to fit. */
  public int limit() {
    return index.limit();
  }

  /** Bytes of its first records, of which there are so many. */
  public int bytesOf(int records) {
    int to = records == count() ? end : (int) index.place(records);
    return to - (int) index.place(0);
  }

  /** Forgets its first records; their bytes stay where they are. */
  public void dropFirst(int records) {
    for (int i = 0; i < records; i++) {
      int at = (int) index.place(i);
      int keyAt = RecordForm.keyAt(bytes, at);
      payload -= RecordForm.length(bytes, at) - (keyAt - at);
    }
    index.dropFirst(records);
  }

  /** A copy of its first records in another array of the same length. */
  public Element copyOfFirst(int records, byte[] into) {
    Element copy = new Element(into);
    int from = (int) index.place(0);
    System.arraycopy(bytes, from, into, from, bytesOf(records));
    for (int i = 0; i < records; i++) {
      int at = (int) index.place(i);
      int length = RecordForm.length(bytes, at);
      int keyAt = RecordForm.keyAt(bytes, at);
      copy.add(index.partition(i), at, index.prefix(i), at + length, length - (keyAt - at));
    }
    return copy;
  }

  /** Adds the record that lies between {@link #end} and {@code newEnd}, of so many bytes in all. */
  public void add(int partition, int start, long prefix, int newEnd, int keyAndValue) {
    index.add(prefix, partition, start);
    largest = Math.max(largest, newEnd - start);
    payload += keyAndValue;
    end = newEnd;
  }
}
