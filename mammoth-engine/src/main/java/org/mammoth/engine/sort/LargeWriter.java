// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.Vints;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One record that does not fit a slab, while it is written. Its key must lie in one array to be
 * compared, on the heap. Its value goes to a run of its own piece by piece, into the cache pool
 * while units may be had and to a disk otherwise, so it never takes the heap, however large it is
 * (stock has it there once more in IFile.Writer). One thread at a time.
 */
final class LargeWriter {

  private static final Logger LOG = LoggerFactory.getLogger(LargeWriter.class);

  /** Where the key begins in its array: the lengths of key and value go before it. */
  static final int KEY_AT = 2 * Vints.MAX_BYTES;

  /** What an array of a growing key has to spare at most: large keys grow by steps of that. */
  private static final int MOST_SLACK = 64 << 20;

  /** Header, key and value, so that a reader can have them in one array. */
  private static final int LARGEST_RECORD = Integer.MAX_VALUE - 64;

  private byte[] head;
  private int keyEnd;
  private RunStore.Writer writer;
  private OutputStream sink;
  private long valueLength;

  /**
   * Moves the key to an array with room for {@code count} more bytes.
   *
   * @return the array, in which the key begins at {@link #KEY_AT}
   */
  byte[] growKey(byte[] from, int fromAt, int fromEnd, int count) throws IOException {
    int begun = fromEnd - fromAt;
    long needed = (long) KEY_AT + begun + count;
    requireSize(needed);
    long slack = Math.min(needed / 2, MOST_SLACK);
    byte[] larger = new byte[(int) Math.min(LARGEST_RECORD, needed + slack)];
    System.arraycopy(from, fromAt, larger, KEY_AT, begun);
    return larger;
  }

  /** The key is complete in an array that {@link #growKey} made. */
  void key(byte[] array, int end) {
    head = array;
    keyEnd = end;
  }

  /** The key is complete in an array that others go on using. */
  void copyKey(byte[] from, int fromAt, int fromEnd) {
    head = new byte[KEY_AT + fromEnd - fromAt];
    System.arraycopy(from, fromAt, head, KEY_AT, fromEnd - fromAt);
    keyEnd = head.length;
  }

  /** The value follows, into {@code run}, which belongs to this record from now on. */
  void beginValue(RunStore.Writer run) throws IOException {
    writer = run;
    sink = run.begin(0);
  }

  /** Takes more of the value. */
  void append(byte[] from, int offset, int length) throws IOException {
    valueLength += length;
    requireSize(keyEnd + valueLength);
    sink.write(from, offset, length);
  }

  private static void requireSize(long needed) throws IOException {
    if (needed > LARGEST_RECORD) {
      throw new IOException(
          "a record of map output is larger than 2 GiB: "
              + needed
              + " bytes of it were written when it did not fit any more");
    }
  }

  /** All of the value has been appended. */
  LargeRecord finish(int partition, KeyOrder order) throws IOException, InterruptedException {
    writer.end(0, valueLength, 1);
    Run value = writer.finish();
    writer = null;
    int keyLength = keyEnd - KEY_AT;
    int length = (int) valueLength;
    // an array that a growing key left half empty would be kept until the map ends
    byte[] kept = head.length - keyEnd > keyEnd / 4 ? Arrays.copyOf(head, keyEnd) : head;
    int start = KEY_AT - Vints.sizeOf(keyLength) - Vints.sizeOf(length);
    Vints.write(kept, Vints.write(kept, start, keyLength), length);
    return new LargeRecord(
        partition,
        order.prefix(kept, KEY_AT, keyLength),
        kept,
        start,
        KEY_AT,
        keyLength,
        length,
        value);
  }

  /** Drops what was written of a record that was not finished. */
  void close() {
    if (writer != null) {
      try {
        writer.close();
      } catch (IOException e) {
        LOG.warn("Dropping a large value that was not completed", e);
      }
      writer = null;
    }
  }
}
