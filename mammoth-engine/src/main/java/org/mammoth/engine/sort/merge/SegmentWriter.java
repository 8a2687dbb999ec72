// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.merge;

import java.io.IOException;
import java.io.OutputStream;
import org.mammoth.engine.sort.keys.Vints;

/**
 * Writes records in the form of a map output file's segment. Gathers them, so that the stream below
 * (checksum, codec, file) sees large pieces. One thread at a time.
 */
public final class SegmentWriter {

  private final byte[] buffer;
  private OutputStream out;
  private int filled;
  private long rawBytes;
  private long records;

  /** A writer with a buffer of {@code bufferBytes}, at least 16. */
  public SegmentWriter(int bufferBytes) {
    this.buffer = new byte[Math.max(bufferBytes, 16)];
  }

  /** Begins a segment on {@code stream}, which stays open after it. */
  public void begin(OutputStream stream) {
    out = stream;
    rawBytes = 0;
    records = 0;
  }

  /** Appends the record that a cursor stands on. */
  public void append(RecordCursor record) throws IOException {
    records++;
    if (record.isPartial()) {
      rawBytes += record.end - record.start;
      flush();
      record.writeTo(out, buffer);
    } else {
      write(record.bytes, record.start, record.end - record.start);
    }
  }

  /** Appends a record from its parts. */
  public void append(
      byte[] key, int keyAt, int keyLength, byte[] value, int valueAt, int valueLength)
      throws IOException {
    if (buffer.length - filled < 2 * Vints.MAX_BYTES) {
      flush();
    }
    int from = filled;
    filled = Vints.write(buffer, Vints.write(buffer, filled, keyLength), valueLength);
    rawBytes += filled - from;
    records++;
    write(key, keyAt, keyLength);
    write(value, valueAt, valueLength);
  }

  /** Appends all values of the group that {@code groups} stands on. */
  public void appendGroup(Groups groups) throws IOException {
    byte[] key = groups.keyBytes();
    int keyAt = groups.keyAt();
    int keyLength = groups.keyLength();
    while (groups.nextValue()) {
      append(key, keyAt, keyLength, groups.valueBytes(), groups.valueAt(), groups.valueLength());
    }
  }

  private void write(byte[] bytes, int offset, int length) throws IOException {
    rawBytes += length;
    if (length > buffer.length - filled) {
      flush();
      if (length > buffer.length) {
        out.write(bytes, offset, length);
        return;
      }
    }
    System.arraycopy(bytes, offset, buffer, filled, length);
    filled += length;
  }

  /** Ends the segment with its mark and hands everything to the stream. */
  public void end() throws IOException {
    if (buffer.length - filled < 2) {
      flush();
    }
    buffer[filled++] = -1;
    buffer[filled++] = -1;
    rawBytes += 2;
    flush();
    out = null;
  }

  /** Bytes of the segment so far, before any codec, the end mark included once it is written. */
  public long rawBytes() {
    return rawBytes;
  }

  /** Records of the segment so far. */
  public long records() {
    return records;
  }

  private void flush() throws IOException {
    out.write(buffer, 0, filled);
    filled = 0;
  }
}
