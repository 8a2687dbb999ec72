// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import java.io.IOException;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.wire.ChunkChecksum;

/**
 * One segment, or a range of one, on its way to one client. Only the connection's event loop
 * changes it; the executor works on it while {@link #busy} is set, and then nobody else does.
 */
final class Transfer {

  final SegmentKey key;
  final int number;

  /** What the client was told or asked for; 0 means any. */
  final long identity;

  private final long from;
  private final long most;

  Segment segment;
  long position;
  long end;
  boolean busy;
  boolean dropped;

  /** The segment was closed by whoever read its last byte. */
  boolean isClosed;

  private ChunkChecksum checksum;

  /** {@code most} bytes of the segment at most, from offset {@code from} on. */
  Transfer(SegmentKey key, int number, long from, long most, long identity) {
    this.key = key;
    this.number = number;
    this.from = from;
    this.most = most;
    this.identity = identity;
  }

  /** Takes the open segment, if it is the right one and holds the range. May wait for its disk. */
  void begin(Segment opened) throws IOException {
    segment = opened;
    if (identity != 0 && opened.identity() != identity) {
      throw new SegmentUnavailableException(
          Reason.CHANGED, key + " is no longer what was being read");
    }
    long length = opened.partLength();
    if (from > length) {
      throw new SegmentUnavailableException(
          Reason.BAD_RANGE, key + " has " + length + " bytes, offset " + from + " was asked for");
    }
    position = from;
    end = most > length - from ? length : from + most;
    if (from > 0 || end < length) {
      // Who takes all of it compares the checksum at its end; who takes a part cannot.
      opened.verify();
    }
    opened.readsTo(end);
  }

  /** Most bytes that it is to send. */
  long most() {
    return most;
  }

  ChunkChecksum checksum() {
    if (checksum == null) {
      checksum = new ChunkChecksum(key.bytes());
    }
    return checksum;
  }

  SegmentInfo info() {
    return new SegmentInfo(
        key, segment.rawLength(), segment.partLength(), segment.identity(), segment.flags());
  }
}
