// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.merge;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.Vints;

/**
 * The records of a segment in the form of a map output file: lengths, key, value; two times -1 at
 * the end. Reads through a window, which grows when a key is larger. A record that does not fit the
 * window is partial: its value is read when it is asked for.
 */
public final class SegmentCursor extends RecordCursor {

  private static final int LARGEST_WINDOW = Integer.MAX_VALUE - 8;

  private final KeyOrder order;
  private final SegmentInput input;
  private final String name;
  private final long length;

  /** What is read goes here; {@link #bytes} is another array while a large record is complete. */
  private byte[] window;

  /** The record is larger than the window. */
  private boolean large;

  private int filled;

  /** Bytes of the segment that were read. */
  private long taken;

  private int position;
  private long records;
  private boolean done;
  private boolean closed;

  /**
   * Begins before the first record.
   *
   * @param order computes the prefix of each key
   * @param input closed with the cursor
   * @param name of the segment, for messages
   * @param windowBytes size of the window, at least 16
   * @param length bytes of the segment's records; what claims to be larger is damaged, and is not
   *     given memory
   */
  public SegmentCursor(
      KeyOrder order, SegmentInput input, String name, int windowBytes, long length) {
    this.order = order;
    this.input = input;
    this.name = name;
    this.length = length;
    this.window = new byte[Math.max(windowBytes, 2 * Vints.MAX_BYTES)];
    this.bytes = window;
  }

  @Override
  public boolean next() throws IOException {
    if (done) {
      return false;
    }
    if (large) {
      leaveLarge();
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
      if (size > window.length) {
        enterLarge(header + (long) key, size);
      } else {
        start = need(start, (int) size);
      }
    }
    keyAt = start + header;
    keyLength = key;
    end = start + (int) size;
    position = Math.min(end, filled);
    prefix = order.prefix(bytes, keyAt, keyLength);
    records++;
    return true;
  }

  /** Records it has moved to so far. */
  public long records() {
    return records;
  }

  /** Sees to header and key of a record that the window does not hold, and leaves the rest. */
  private void enterLarge(long headAndKey, long size) throws IOException {
    if (size > LARGEST_WINDOW) {
      throw new IOException(
          "segment " + name + " claims a record of " + size + " bytes, more than an array holds");
    }
    long left = length - taken + filled - start;
    if (size > left) {
      throw new IOException(
          "segment " + name + " is damaged: its last " + left + " bytes claim a record of " + size);
    }
    start = need(start, (int) headAndKey);
    if (size > Integer.MAX_VALUE - start) {
      // places are counted as if the record lay in one array
      moveToFront(start, window);
      start = 0;
    }
    large = true;
    apart = (int) Math.max(0, size - (filled - start));
  }

  /** Passes over what nobody has read of a large record. */
  private void leaveLarge() throws IOException {
    large = false;
    bytes = window;
    if (apart > 0) {
      moves++;
      position = 0;
      while (apart > 0) {
        filled = 0;
        apart -= read(window, 0, Math.min(apart, window.length));
      }
    }
  }

  @Override
  protected void readRest(byte[] into, int at) throws IOException {
    int to = at + apart;
    int next = at;
    while (next < to) {
      next += read(into, next, to - next);
    }
  }

  @Override
  protected void writeRest(OutputStream out, byte[] copy) throws IOException {
    while (apart > 0) {
      int read = read(copy, 0, Math.min(apart, copy.length));
      out.write(copy, 0, read);
      apart -= read;
    }
  }

  @Override
  protected int readPart(byte[] into, int at, int count) throws IOException {
    int read = read(into, at, Math.min(count, apart));
    apart -= read;
    return read;
  }

  private int read(byte[] into, int at, int count) throws IOException {
    int read = input.read(into, at, count);
    if (read < 0) {
      throw new EOFException("segment " + name + " ends in the middle of a record");
    }
    taken += read;
    return read;
  }

  private boolean atEnd(int key, int value, int at) throws IOException {
    if (key != -1 || value != -1) {
      throw new IOException(
          "segment " + name + " is damaged: a record of lengths " + key + " and " + value);
    }
    done = true;
    // what checks the segment's checksum sees its end only when it is read to the end
    if (at < filled || input.read(window, 0, 1) >= 0) {
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
      if (filled == window.length || from > 0 && from + (long) count > window.length) {
        makeRoom(from, count);
        from = 0;
      }
      filled += read(window, filled, window.length - filled);
    }
    return from;
  }

  /** Moves what is left to the front, of a larger window if it fills most of this one. */
  private void makeRoom(int from, int count) {
    byte[] larger = window;
    if (count > window.length && filled - from > window.length / 2) {
      // only as fast as bytes come: a damaged length must not take the engine's heap
      larger = new byte[(int) Math.min(count, 2L * window.length)];
    }
    moveToFront(from, larger);
  }

  private void moveToFront(int from, byte[] into) {
    int kept = filled - from;
    System.arraycopy(window, from, into, 0, kept);
    window = into;
    bytes = into;
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
