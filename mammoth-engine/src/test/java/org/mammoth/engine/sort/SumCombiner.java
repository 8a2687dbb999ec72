// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.mammoth.engine.sort.groups.GroupCombiner;
import org.mammoth.engine.sort.merge.Groups;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.RecordCursor;
import org.mammoth.engine.sort.merge.RecordSpace;
import org.mammoth.engine.sort.merge.SegmentWriter;

/** Adds the weights of a key's values up, and emits the sum in one of several ways. */
public final class SumCombiner implements Combiner, GroupCombiner {

  /** What is emitted for the sum of a key. */
  public enum Way {
    ONE,
    /** Keys whose last byte is odd vanish. */
    SOME,
    SEVERAL,
    LARGER
  }

  /** What the two interfaces have in common. */
  private interface Emit {
    void take(byte[] key, int keyAt, int keyLength, byte[] value)
        throws IOException, InterruptedException;
  }

  private static final int LARGER_BY = 90;

  private final Way way;
  long groupsSeen;
  public int runs;

  public SumCombiner(Way way) {
    this.way = way;
  }

  @Override
  public boolean mindsOrder() {
    return false;
  }

  /** A value of eight bytes and more is a number; a shorter one weighs what it is long. */
  public static long weight(byte[] bytes, int at, int length) {
    return length < 8 ? length : ByteBuffer.wrap(bytes, at, 8).getLong();
  }

  static boolean vanishes(Way way, byte[] bytes, int at, int length) {
    return way == Way.SOME && length > 0 && (bytes[at + length - 1] & 1) == 1;
  }

  public static byte[] value(long weight, int padding) {
    return ByteBuffer.allocate(8 + padding).putLong(weight).array();
  }

  private void emit(byte[] key, int keyAt, int keyLength, long sum, Emit out)
      throws IOException, InterruptedException {
    if (vanishes(way, key, keyAt, keyLength)) {
      return;
    }
    if (way == Way.SEVERAL && sum > 2) {
      out.take(key, keyAt, keyLength, value(sum - 2, 0));
      out.take(key, keyAt, keyLength, value(2, 0));
    } else {
      out.take(key, keyAt, keyLength, value(sum, way == Way.LARGER ? LARGER_BY : 0));
    }
  }

  @Override
  public void combine(Groups groups, Emitter combined) throws IOException, InterruptedException {
    runs++;
    while (groups.nextGroup()) {
      groupsSeen++;
      long sum = 0;
      while (groups.nextValue()) {
        sum += weight(groups.valueBytes(), groups.valueAt(), groups.valueLength());
      }
      emit(
          groups.keyBytes(),
          groups.keyAt(),
          groups.keyLength(),
          sum,
          (key, keyAt, keyLength, value) ->
              combined.emit(key, keyAt, keyLength, value, 0, value.length));
    }
  }

  @Override
  public void combine(MergeQueue sorted, SegmentWriter combined)
      throws IOException, InterruptedException {
    Emit out =
        (key, keyAt, keyLength, value) ->
            combined.append(key, keyAt, keyLength, value, 0, value.length);
    byte[] key = null;
    long sum = 0;
    while (sorted.next()) {
      RecordCursor top = sorted.top();
      top.complete(new RecordSpace());
      byte[] next = Arrays.copyOfRange(top.bytes(), top.keyAt(), top.valueAt());
      if (key != null && !Arrays.equals(key, next)) {
        emit(key, 0, key.length, sum, out);
        sum = 0;
      }
      key = next;
      sum += weight(top.bytes(), top.valueAt(), top.valueLength());
    }
    if (key != null) {
      emit(key, 0, key.length, sum, out);
    }
  }
}
