// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Compares a segment with the checksum in its last four bytes while it arrives: what a source's
 * disk has damaged is found while it can still be fetched again, as stock fetchers do.
 */
final class SegmentCheck {

  private static final int CHECKSUM_BYTES = 4;

  private final CRC32 sum = new CRC32();
  private long left;
  private long stored;
  private int storedBytes;

  /** For a segment of {@code length} bytes. */
  SegmentCheck(long length) {
    this.left = length - CHECKSUM_BYTES;
  }

  /** Takes the next bytes; the buffer's position stays where it is. */
  void update(ByteBuffer data) {
    ByteBuffer rest = data.duplicate();
    if (left > 0) {
      int now = (int) Math.min(left, rest.remaining());
      int limit = rest.limit();
      rest.limit(rest.position() + now);
      sum.update(rest);
      rest.limit(limit);
      left -= now;
    }
    while (rest.hasRemaining()) {
      stored = stored << 8 | rest.get() & 0xff;
      storedBytes++;
    }
  }

  /** Whether all has come and fits; an empty segment has no checksum. */
  boolean holds() {
    return left == -CHECKSUM_BYTES && storedBytes == 0
        || left == 0 && storedBytes == CHECKSUM_BYTES && stored == sum.getValue();
  }
}
