package org.mammoth.engine.sort;

import java.io.EOFException;
import java.io.IOException;

/**
 * The records of a segment in the form of a map output file: lengths, key, value; two times -1 at
 * the end. Reads through a window, which grows when a record is larger.
 */
public final class SegmentCursor extends RecordCursor {

  private static final int LARGEST_WINDOW = Integer.MAX_VALUE - 8;

  private final KeyOrder order;
  private final SegmentInput input;
  private final String name;
  private int filled;
  private int position;
  private boolean done;
  private boolean closed;

  /**
   * Begins before the first record.
   *
   * @param order computes the prefix of each key
   * @param input closed with the cursor
   * @param name of the segment, for messages
   * @param windowBytes size of the window, at least 16
   */
  public SegmentCursor(KeyOrder order, SegmentInput input, String name, int windowBytes) {
    this.order = order;
    this.input = input;
    this.name = name;
    this.bytes = new byte[Math.max(windowBytes, 2 * Vints.MAX_BYTES)];
  }

  @Override
  public boolean next() throws IOException {
    if (done) {
      return false;
    }
    int at = position;
    if (filled - at < 2 * Vints.MAX_BYTES) {
      at = need(at, 1);
      at = need(at, Vints.size(bytes[at]) + 1);
      int second = Vints.size(bytes[at]);
      at = need(at, second + Vints.size(bytes[at + second]));
    }
    start = at;
    int key = Vints.read(bytes, at);
    at += Vints.size(bytes[at]);
    int value = Vints.read(bytes, at);
    at += Vints.size(bytes[at]);
    if (key < 0 || value < 0) {
      return atEnd(key, value, at);
    }
    int header = at - start;
    long size = (long) header + key + value;
    if (size > filled - start) {
      if (size > LARGEST_WINDOW) {
        throw new IOException(
            "segment " + name + " claims a record of " + size + " bytes, more than an array holds");
      }
      start = need(start, (int) size);
    }
    keyAt = start + header;
    keyLength = key;
    end = start + (int) size;
    position = end;
    prefix = order.prefix(bytes, keyAt, keyLength);
    return true;
  }

  private boolean atEnd(int key, int value, int at) throws IOException {
    if (key != -1 || value != -1) {
      throw new IOException(
          "segment " + name + " is damaged: a record of lengths " + key + " and " + value);
    }
    done = true;
    // what checks the segment's checksum sees its end only when it is read to the end
    if (at < filled || input.read(bytes, 0, 1) >= 0) {
      throw new IOException("segment " + name + " has bytes after its end mark");
    }
    close();
    return false;
  }

  /**
   * Sees to it that {@code count} bytes from {@code at} are in the window; tells where they are.
   */
  private int need(int at, int count) throws IOException {
    int from = at;
    while (filled - from < count) {
      if (filled == bytes.length || from > 0 && from + (long) count > bytes.length) {
        makeRoom(from, count);
        from = 0;
      }
      int read = input.read(bytes, filled, bytes.length - filled);
      if (read < 0) {
        throw new EOFException("segment " + name + " ends in the middle of a record");
      }
      filled += read;
    }
    return from;
  }

  /** Moves what is left to the front, of a larger window if it fills most of this one. */
  private void makeRoom(int from, int count) {
    int kept = filled - from;
    byte[] window = bytes;
    if (count > bytes.length && kept > bytes.length / 2) {
      // only as fast as bytes come: a damaged length must not take the engine's heap
      window = new byte[(int) Math.min(LARGEST_WINDOW, 2L * bytes.length)];
    }
    System.arraycopy(bytes, from, window, 0, kept);
    bytes = window;
    moves++;
    filled = kept;
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      done = true;
      input.close();
    }
  }
}
