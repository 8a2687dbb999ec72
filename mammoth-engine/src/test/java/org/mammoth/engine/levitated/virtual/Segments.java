// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.RecordSpace;
import org.mammoth.engine.sort.merge.SegmentCursor;
import org.mammoth.engine.sort.merge.SegmentInput;
import org.mammoth.engine.sort.merge.SegmentWriter;

/** Sorted segments as maps write them, and what a plain merge makes of them. */
public final class Segments {

  /** How keys lie in the segments. */
  public enum Spread {
    /** Each segment has keys of the whole range. */
    EVEN,
    /** Each segment has a range of its own, one after the other: the maps' input was sorted. */
    SORTED,
    /** Few keys, so that most are equal. */
    EQUAL
  }

  private Segments() {}

  /** Segments of {@link org.apache.hadoop.io.BytesWritable} keys. */
  public static List<byte[]> random(
      Random random, int count, int records, int valueBytes, Spread spread) throws IOException {
    List<byte[]> segments = new ArrayList<>();
    for (int s = 0; s < count; s++) {
      List<byte[]> keys = new ArrayList<>();
      for (int left = random.nextInt(records + 1); left > 0; left--) {
        keys.add(key(random, s, spread));
      }
      keys.sort(Arrays::compareUnsigned);
      keys.sort(
          Comparator.comparing(
              each -> each, (a, b) -> Arrays.compareUnsigned(a, 4, a.length, b, 4, b.length)));
      SegmentWriter writer = new SegmentWriter(64);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      writer.begin(out);
      for (byte[] key : keys) {
        byte[] value =
            new byte
                [random.nextInt(random.nextInt(20) == 0 ? 40 * valueBytes + 1 : valueBytes + 1)];
        random.nextBytes(value);
        writer.append(key, 0, key.length, value, 0, value.length);
      }
      writer.end();
      CRC32 sum = new CRC32();
      sum.update(out.toByteArray());
      out.write(ByteBuffer.allocate(4).putInt((int) sum.getValue()).array());
      segments.add(out.toByteArray());
    }
    return segments;
  }

  private static byte[] key(Random random, int segment, Spread spread) {
    int length = spread == Spread.EQUAL ? random.nextInt(2) : random.nextInt(20) == 0 ? 300 : 12;
    byte[] body = new byte[spread == Spread.SORTED ? 4 + length : length];
    random.nextBytes(body);
    if (spread == Spread.SORTED) {
      ByteBuffer.wrap(body).putInt(segment);
    } else if (spread == Spread.EQUAL && length > 0) {
      body[0] &= 3;
    }
    byte[] key = new byte[4 + body.length];
    ByteBuffer.wrap(key).putInt(body.length).put(body);
    return key;
  }

  /** What {@link MergeQueue} makes of all segments at once. */
  public static byte[] merged(KeyOrder order, List<byte[]> segments) throws IOException {
    List<SegmentCursor> cursors = new ArrayList<>();
    for (byte[] segment : segments) {
      cursors.add(cursor(order, segment, 1 << 16));
    }
    return drained(new MergeQueue(order, cursors), new Random(0));
  }

  /** The records of one. */
  static SegmentCursor cursor(KeyOrder order, byte[] segment, int windowBytes) {
    int length = segment.length - 4;
    return new SegmentCursor(order, input(segment, length), "s", windowBytes, length);
  }

  /** All records of a queue; some large ones are asked for whole, as a reduce may. */
  static byte[] drained(MergeQueue queue, Random random) throws IOException {
    SegmentWriter writer = new SegmentWriter(1 << 10);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RecordSpace space = new RecordSpace();
    writer.begin(out);
    while (queue.next()) {
      if (random.nextBoolean()) {
        queue.top().complete(space);
      }
      writer.append(queue.top());
    }
    writer.end();
    return out.toByteArray();
  }

  private static SegmentInput input(byte[] bytes, int length) {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes, 0, length);
    return new SegmentInput() {
      @Override
      public int read(byte[] into, int offset, int length) {
        return in.read(into, offset, length);
      }

      @Override
      public void close() {}
    };
  }
}
