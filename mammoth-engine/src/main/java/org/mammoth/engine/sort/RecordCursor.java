package org.mammoth.engine.sort;

import java.io.IOException;

/**
 * Goes through sorted records one by one. The current record lies in {@link #bytes} and stays valid
 * until the next call of {@link #next}: its header at {@link #start}, then key, then value up to
 * {@link #end}. Fields instead of methods, as every record of a job passes here several times.
 *
 * <p>One thread at a time.
 */
public abstract class RecordCursor implements AutoCloseable {

  protected byte[] bytes;
  protected int start;
  protected int keyAt;
  protected int keyLength;
  protected int end;
  protected long prefix;

  /** Changes when the place of the record before may hold something else by now. */
  protected int moves;

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

  /** Frees what it reads from; safe to call twice. */
  @Override
  public void close() throws IOException {}
}
