// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Any number of segments whose bytes are computed when they are read: {@link org.apache.hadoop.io
 * .Text} keys of ten random bytes, values of ninety that begin with segment and record. Keys are
 * true order statistics: one of some drawn sets, turned by an angle of the segment's own. Any
 * thread.
 */
final class GeneratedSegments {

  static final int KEY = 10;
  static final int VALUE = 90;
  static final int RECORD = 2 + 1 + KEY + VALUE;
  private static final int SETS = 64;

  private final int records;
  private final long[][] sets = new long[SETS][];

  /** Segments of this many records. */
  GeneratedSegments(int records, long seed) {
    this.records = records;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < SETS; i++) {
      sets[i] = random.longs(records).map(each -> each >>> 1).toArray();
      Arrays.sort(sets[i]);
    }
  }

  long length() {
    return (long) records * RECORD + 2;
  }

  /** A number of a segment's and a record's that is easy to sum up. */
  static long mark(int segment, int record) {
    long mixed = (segment * 0x9E3779B97F4A7C15L) ^ (record * 0xC2B2AE3D27D4EB4FL);
    return mixed ^ mixed >>> 29;
  }

  /** The sum of all marks when there are {@code total} records. */
  long marks(long total) {
    long sum = 0;
    for (int segment = 0; segment < total / records; segment++) {
      for (int i = 0; i < records; i++) {
        sum += mark(segment, i);
      }
    }
    return sum;
  }

  private static long angle(int segment) {
    return mark(segment, -1) >>> 1;
  }

  /** Reads from an offset as much as fits. */
  void read(int segment, long offset, ByteBuffer into) {
    long[] set = sets[segment & SETS - 1];
    long angle = angle(segment);
    // keys that the turn carries past the end come first
    int first = Arrays.binarySearch(set, Long.MAX_VALUE - angle + 1);
    first = first < 0 ? -first - 1 : first;
    byte[] record = new byte[RECORD];
    int at = (int) (offset % RECORD);
    int index = (int) (offset / RECORD);
    while (into.hasRemaining()) {
      if (index == records) {
        into.put((byte) -1);
        continue;
      }
      int drawn = index + first;
      long key = set[drawn >= records ? drawn - records : drawn] + angle & Long.MAX_VALUE;
      write(record, segment, index, key);
      int now = Math.min(into.remaining(), RECORD - at);
      into.put(record, at, now);
      at = 0;
      index++;
    }
  }

  private static void write(byte[] record, int segment, int index, long key) {
    ByteBuffer out = ByteBuffer.wrap(record);
    out.put((byte) (KEY + 1)).put((byte) VALUE).put((byte) KEY);
    out.putLong(key).putShort((short) segment);
    out.putInt(segment).putInt(index);
  }
}
