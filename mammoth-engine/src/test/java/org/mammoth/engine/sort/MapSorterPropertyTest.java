// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.RecordSpace;
import org.mammoth.engine.sort.merge.SegmentCursor;
import org.mammoth.engine.sort.spill.UpstreamSort;

/** Whatever is collected comes out once, in its partition, in the order of Hadoop's comparator. */
class MapSorterPropertyTest {

  private record Pair(int partition, byte[] key, byte[] value) {}

  /** Sorts backwards, by a class nobody knows. */
  static class Backwards extends WritableComparator {
    Backwards() {
      super(Text.class);
    }

    @Override
    public int compare(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
      return -Arrays.compareUnsigned(a, aFrom, aFrom + aLength, b, bFrom, bFrom + bLength);
    }
  }

  @Property(tries = 400)
  void everyRecordComesOutOnceAndInOrder(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 7) int partitions,
      @ForAll @IntRange(min = 2, max = 30) int slabs,
      @ForAll @IntRange(min = 6, max = 12) int slabBits,
      @ForAll @IntRange(min = 0, max = 4) int kind)
      throws Exception {
    Random random = new Random(seed);
    RawComparator<?> comparator = comparator(kind);
    List<Pair> collected = new ArrayList<>();
    Slabs source = new Slabs(slabs, 1 << slabBits);
    HeapRuns runs = new HeapRuns();
    HeapRuns.Segments output = new HeapRuns.Segments(runs);
    int count = random.nextInt(1500);
    try (MapSorter sorter =
        new MapSorter(
            KeyOrders.of(comparator), partitions, source, 1 << slabBits, runs, null, 3, () -> {})) {
      if (random.nextInt(3) > 0) {
        int limit = 16 + random.nextInt(1 << random.nextInt(17));
        int buffer = limit + random.nextInt(limit + 1) + 16;
        sorter.sortLikeUpstream(
            new UpstreamSort(buffer - buffer % 16, limit, 2 + random.nextInt(9)));
      }
      if (random.nextBoolean()) {
        sorter.groupBeforeSort();
      }
      for (int i = 0; i < count; i++) {
        int partition = random.nextInt(partitions);
        RecordBuffer buffer = sorter.buffer();
        buffer.begin();
        Writable key = key(kind, random);
        key.write(buffer);
        buffer.endKey();
        byte[] value = new byte[length(random, 1 << slabBits)];
        random.nextBytes(value);
        write(buffer, value, random);
        if (random.nextInt(50) == 0) {
          continue; // a serialiser failed and the job went on: the record never was
        }
        buffer.end(partition);
        collected.add(new Pair(partition, bytes(key), value));
      }
      sorter.finish(output);
    }
    assertThat(source.lent()).isZero();
    assertThat(output.segments).hasSize(partitions);
    collected.sort(
        (a, b) -> {
          int byPartition = Integer.compare(a.partition, b.partition);
          if (byPartition != 0) {
            return byPartition;
          }
          int byKey = comparator.compare(a.key, 0, a.key.length, b.key, 0, b.key.length);
          return byKey != 0 ? byKey : Arrays.compare(a.value, b.value);
        });
    List<Pair> sorted = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      readSorted(partition, output, comparator, sorted);
    }
    assertThat(sorted).hasSameSizeAs(collected);
    for (int i = 0; i < sorted.size(); i++) {
      assertThat(sorted.get(i).partition).isEqualTo(collected.get(i).partition);
      assertThat(sorted.get(i).key).isEqualTo(collected.get(i).key);
      assertThat(sorted.get(i).value).isEqualTo(collected.get(i).value);
    }
  }

  private static void readSorted(
      int partition, HeapRuns.Segments output, RawComparator<?> comparator, List<Pair> into)
      throws IOException {
    List<Pair> sameKey = new ArrayList<>();
    try (SegmentCursor cursor =
        new SegmentCursor(
            KeyOrders.of(comparator),
            output.open(partition),
            "output " + partition,
            32,
            output.length(partition))) {
      while (cursor.next()) {
        cursor.complete(new RecordSpace());
        byte[] key = Arrays.copyOfRange(cursor.bytes(), cursor.keyAt(), cursor.valueAt());
        byte[] value = Arrays.copyOfRange(cursor.bytes(), cursor.valueAt(), cursor.end());
        if (!sameKey.isEmpty()) {
          byte[] last = sameKey.get(0).key;
          int comparison = comparator.compare(last, 0, last.length, key, 0, key.length);
          assertThat(comparison).isLessThanOrEqualTo(0);
          if (comparison < 0) {
            move(sameKey, into);
          }
        }
        sameKey.add(new Pair(partition, key, value));
      }
    }
    move(sameKey, into);
  }

  private static void move(List<Pair> sameKey, List<Pair> into) {
    sameKey.sort((a, b) -> Arrays.compare(a.value, b.value));
    into.addAll(sameKey);
    sameKey.clear();
  }

  private static int length(Random random, int slab) {
    return switch (random.nextInt(40)) {
      case 0 -> 0;
      case 1 -> slab - random.nextInt(40);
      case 2 -> slab + random.nextInt(5 * slab);
      case 3 -> 120 + random.nextInt(20);
      default -> random.nextInt(20);
    };
  }

  private static void write(RecordBuffer buffer, byte[] value, Random random) throws IOException {
    int at = 0;
    while (at < value.length) {
      int now = Math.min(value.length - at, 1 + random.nextInt(200));
      if (now == 1) {
        buffer.write(value[at]);
      } else {
        buffer.write(value, at, now);
      }
      at += now;
    }
  }

  private static RawComparator<?> comparator(int kind) {
    return switch (kind) {
      case 0 -> new Text.Comparator();
      case 1 -> new IntWritable.Comparator();
      case 2 -> new BytesWritable.Comparator();
      case 3 -> new LongWritable.Comparator();
      default -> new Backwards();
    };
  }

  private static WritableComparable<?> key(int kind, Random random) {
    byte[] bytes = new byte[random.nextInt(random.nextInt(30) == 0 ? 300 : 12)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(3) - 1);
    }
    return switch (kind) {
      case 1 -> new IntWritable(random.nextInt(50) - 25);
      case 2 -> new BytesWritable(bytes);
      case 3 -> new LongWritable(random.nextLong() >> random.nextInt(64));
      default -> text(bytes);
    };
  }

  private static Text text(byte[] bytes) {
    Text text = new Text();
    text.set(bytes, 0, bytes.length);
    return text;
  }

  private static byte[] bytes(Writable key) throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    key.write(out);
    return Arrays.copyOf(out.getData(), out.getLength());
  }
}
