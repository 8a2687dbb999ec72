// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.merge.PartitionCursor;
import org.mammoth.engine.sort.merge.SegmentInput;

/**
 * Goes through the large records of a map, one partition after the other. Each value is read once,
 * and its memory or file is freed with it.
 */
final class LargeCursor extends PartitionCursor {

  private final List<LargeRecord> records;
  private int index = -1;
  private int partition;

  /**
   * Begins before the first record.
   *
   * @param records sorted by partition and key
   */
  public LargeCursor(List<LargeRecord> records) {
    this.records = records;
  }

  /**
   * Sorts records by partition, then key; equal keys stay in their order. Java's own sort refuses a
   * comparator that contradicts itself, where it notices; stock Hadoop takes any.
   */
  static void sort(KeyOrder order, List<LargeRecord> records) {
    int count = records.size();
    LargeRecord[] from = records.toArray(new LargeRecord[0]);
    LargeRecord[] to = new LargeRecord[count];
    for (long width = 1; width < count; width *= 2) {
      for (long low = 0; low < count; low += 2 * width) {
        int middle = (int) Math.min(low + width, count);
        merge(order, from, to, (int) low, middle, (int) Math.min(low + 2 * width, count));
      }
      LargeRecord[] sorted = to;
      to = from;
      from = sorted;
    }
    for (int i = 0; i < count; i++) {
      records.set(i, from[i]);
    }
  }

  private static void merge(
      KeyOrder order, LargeRecord[] from, LargeRecord[] to, int low, int middle, int high) {
    int left = low;
    int right = middle;
    for (int i = low; i < high; i++) {
      boolean second =
          left == middle || right < high && compare(order, from[left], from[right]) > 0;
      to[i] = second ? from[right++] : from[left++];
    }
  }

  private static int compare(KeyOrder order, LargeRecord a, LargeRecord b) {
    if (a.partition() != b.partition()) {
      return Integer.compare(a.partition(), b.partition());
    }
    if (a.prefix() != b.prefix() || order.decides(a.prefix())) {
      return Long.compare(a.prefix(), b.prefix());
    }
    return order.compare(a.head(), a.keyAt(), a.keyLength(), b.head(), b.keyAt(), b.keyLength());
  }

  @Override
  public void enter(int wanted) throws IOException {
    partition = wanted;
    freeCurrent();
    while (index + 1 < records.size() && records.get(index + 1).partition() < wanted) {
      index++;
      freeCurrent();
    }
  }

  @Override
  public boolean next() throws IOException {
    freeCurrent();
    int candidate = index + 1;
    if (candidate >= records.size() || records.get(candidate).partition() != partition) {
      return false;
    }
    index = candidate;
    LargeRecord record = records.get(index);
    bytes = record.head();
    start = record.start();
    keyAt = record.keyAt();
    keyLength = record.keyLength();
    end = keyAt + keyLength + record.valueLength();
    apart = record.valueLength();
    prefix = record.prefix();
    return true;
  }

  private void freeCurrent() throws IOException {
    if (index >= 0) {
      records.get(index).value().close();
    }
  }

  @Override
  protected void readRest(byte[] into, int at) throws IOException {
    int to = at + apart;
    int next = at;
    try (SegmentInput value = records.get(index).value().open(0)) {
      while (next < to) {
        next += read(value, into, next, to - next);
      }
    }
  }

  @Override
  protected void writeRest(OutputStream out, byte[] copy) throws IOException {
    try (SegmentInput value = records.get(index).value().open(0)) {
      while (apart > 0) {
        int read = read(value, copy, 0, Math.min(apart, copy.length));
        out.write(copy, 0, read);
        apart -= read;
      }
    }
  }

  private static int read(SegmentInput value, byte[] into, int at, int count) throws IOException {
    int read = value.read(into, at, count);
    if (read < 0) {
      throw new EOFException("a large value of a map's output ends " + count + " bytes too early");
    }
    return read;
  }
}
