// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.merge;

import java.io.IOException;

/**
 * What a merge gives, as the bytes of one segment: the records, then the end mark. Bytes are made
 * when they are asked for; of a large record no more is in memory than its cursor holds. One thread
 * at a time.
 */
public final class MergedInput implements SegmentInput {

  /** Bytes of the mark at the end of a segment. */
  public static final int MARK_BYTES = 2;

  private final MergeQueue queue;

  /** The record that is handed out; null before the first and between two. */
  private RecordCursor record;

  /** The next byte of it. */
  private int at;

  /** Bytes of the end mark that were handed out, once there is no record left. */
  private int marked;

  private boolean ended;

  /** Hands out the records of a queue that nobody has moved. */
  public MergedInput(MergeQueue queue) {
    this.queue = queue;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int place = offset;
    int end = offset + length;
    while (place < end && !ended) {
      if (record == null && !next()) {
        break;
      }
      int here = record.end - record.apart;
      if (at < here) {
        int count = Math.min(here - at, end - place);
        System.arraycopy(record.bytes, at, into, place, count);
        at += count;
        place += count;
      } else if (record.apart > 0) {
        int count = record.readPart(into, place, end - place);
        // here moves along: what was read counts as handed out
        at += count;
        place += count;
      } else {
        record = null;
      }
    }
    while (place < end && ended && marked < MARK_BYTES) {
      into[place++] = -1;
      marked++;
    }
    return place == offset && length > 0 ? -1 : place - offset;
  }

  private boolean next() throws IOException {
    if (!queue.next()) {
      ended = true;
      return false;
    }
    record = queue.top();
    at = record.start;
    return true;
  }

  /** Its inputs are closed by whoever opened them. */
  @Override
  public void close() {}
}
