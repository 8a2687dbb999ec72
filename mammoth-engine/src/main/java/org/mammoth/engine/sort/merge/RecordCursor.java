// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.merge;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Goes through sorted records one by one. The current record lies in {@link #bytes} and stays valid
 * until the next call of {@link #next}: its header at {@link #start}, then key, then value up to
 * {@link #end}. Fields instead of methods, as every record of a job passes here several times.
 *
 * <p>Of a large record only header and key are sure to lie there: a merge of many inputs would
 * otherwise hold as many large values at the same time. Whoever wants the value of such a {@link
 * #isPartial partial} record calls {@link #complete}, or has all of it {@link #writeTo written}.
 *
 * <p>One thread at a time.
 */
public abstract class RecordCursor implements AutoCloseable {

  public byte[] bytes;
  public int start;
  public int keyAt;
  public int keyLength;
  public int end;
  public long prefix;

  /**
   * How many bytes of the value, its last ones, are not in {@link #bytes}, though {@link #end} is
   * where they would end; 0 for all but large records.
   */
  protected int apart;

  /** Changes when the place of the record before may hold something else by now. */
  protected int moves;

  /**
   * What decides among equal keys before the places of their cursors do: the lower one comes first.
   * 0 unless it is set.
   */
  protected int rank;

  /**
   * Moves to the next record.
   *
   * @return false at the end, and again on each later call
   * @throws IOException if the records can't be read or are not in the form they should have
   */
  public abstract boolean next() throws IOException;

  /** The array that holds the current record. */
  public final byte[] bytes() {
    return bytes;
  }

  /** Where the record begins, with the lengths of key and value. */
  public final int start() {
    return start;
  }

  /** Where the key begins. */
  public final int keyAt() {
    return keyAt;
  }

  /** Length of the key in bytes. */
  public final int keyLength() {
    return keyLength;
  }

  /** Where the value begins. */
  public final int valueAt() {
    return keyAt + keyLength;
  }

  /** Length of the value in bytes. */
  public final int valueLength() {
    return end - keyAt - keyLength;
  }

  /** The place after the record. */
  public final int end() {
    return end;
  }

  /**
   * Sets what decides among equal keys of several cursors, for all its records: the lower one comes
   * first, and of those with the same rank the cursor that stands first. Before its first record.
   */
  public final void rank(int rank) {
    this.rank = rank;
  }

  /** Whether a part of the value is not in {@link #bytes}. */
  public final boolean isPartial() {
    return apart > 0;
  }

  /**
   * Brings all of the current record into an array of {@code space}, where it stays until another
   * record is brought there; does nothing for a record that is not partial.
   *
   * @throws IOException if the value can't be read
   */
  public final void complete(RecordSpace space) throws IOException {
    if (apart > 0) {
      int size = end - start;
      byte[] whole = space.array(size);
      int here = size - apart;
      System.arraycopy(bytes, start, whole, 0, here);
      readRest(whole, here);
      bytes = whole;
      keyAt -= start;
      start = 0;
      end = size;
      apart = 0;
    }
  }

  /**
   * Writes the current record in the form of a segment; a partial one has lost its value then.
   *
   * @param copy any array to copy through, at least one byte
   */
  final void writeTo(OutputStream out, byte[] copy) throws IOException {
    out.write(bytes, start, end - start - apart);
    if (apart > 0) {
      writeRest(out, copy);
    }
  }

  /** Puts the last {@link #apart} bytes of the value where they are wanted. */
  protected void readRest(byte[] into, int at) throws IOException {
    throw new IllegalStateException(this + " has no records in parts");
  }

  /**
   * Reads the next of the last {@link #apart} bytes of the value, and counts them off it.
   *
   * @param count at least 1
   * @return how many were read, from 1 to {@code count}
   */
  protected int readPart(byte[] into, int at, int count) throws IOException {
    throw new IllegalStateException(this + " has no records in parts");
  }

  /** Writes the last {@link #apart} bytes of the value, and sets it to 0. */
  protected void writeRest(OutputStream out, byte[] copy) throws IOException {
    throw new IllegalStateException(this + " has no records in parts");
  }

  /** Frees what it reads from; safe to call twice. */
  @Override
  public void close() throws IOException {}
}
