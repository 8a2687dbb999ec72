// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.spill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.util.IndexedSortable;
import org.apache.hadoop.util.QuickSort;
import org.mammoth.engine.sort.Combiner;
import org.mammoth.engine.sort.HeapRuns;
import org.mammoth.engine.sort.MapSorter;
import org.mammoth.engine.sort.RecordBuffer;
import org.mammoth.engine.sort.Slabs;
import org.mammoth.engine.sort.groups.GroupCombiner;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.Groups;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.RecordCursor;
import org.mammoth.engine.sort.merge.RecordSpace;
import org.mammoth.engine.sort.merge.SegmentCursor;
import org.mammoth.engine.sort.merge.SegmentWriter;

/** A map comes out as upstream's sort and merges leave it. */
class UpstreamSpillsTest {

  private static final int SLAB = 1 << 9;
  private static final int RECORD_BYTES = 16;

  private record Pair(int partition, int key, int number) {}

  /** How keys are written, in the order of their numbers. */
  private enum Form {

    /** Compared by prefixes that lie near to each other. */
    NUMBERS(new IntWritable.Comparator(), 4) {
      @Override
      void write(int key, DataOutput out) throws IOException {
        out.writeInt(key);
      }

      @Override
      int read(byte[] bytes, int at) {
        return WritableComparator.readInt(bytes, at);
      }
    },

    /** Compared by prefixes that lie far from each other. */
    SPREAD(new LongWritable.Comparator(), 8) {
      @Override
      void write(int key, DataOutput out) throws IOException {
        out.writeLong(key * SPREADING);
      }

      @Override
      int read(byte[] bytes, int at) {
        return (int) (WritableComparator.readLong(bytes, at) / SPREADING);
      }
    },

    /** Compared as a whole. */
    TEXT(new Text.Comparator(), 1 + 16) {
      @Override
      void write(int key, DataOutput out) throws IOException {
        new Text(String.format("pages/%010d", key)).write(out);
      }

      @Override
      int read(byte[] bytes, int at) {
        return Integer.parseInt(new String(bytes, at + 7, 10, StandardCharsets.US_ASCII));
      }
    };

    private static final long SPREADING = 1_000_000_000_000L;

    private final RawComparator<?> comparator;
    private final int bytes;

    Form(RawComparator<?> comparator, int bytes) {
      this.comparator = comparator;
      this.bytes = bytes;
    }

    abstract void write(int key, DataOutput out) throws IOException;

    abstract int read(byte[] bytes, int at);

    /** Bytes of a key and a value. */
    int pairBytes() {
      return bytes + Integer.BYTES;
    }

    byte[] bytes(int key) {
      DataOutputBuffer out = new DataOutputBuffer();
      try {
        write(key, out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return Arrays.copyOf(out.getData(), out.getLength());
    }
  }

  /** Never calls two keys equal, and says of two of one kind that either comes first. */
  private static final class Careless extends IntWritable.Comparator {
    @Override
    public int compare(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
      return readInt(a, aFrom) % 10 < readInt(b, bFrom) % 10 ? -1 : 1;
    }
  }

  /** What upstream's MapOutputBuffer does: its sort, on the records from the last to the first. */
  private static List<Pair> upstream(List<Pair> collected, Form form, RawComparator<?> comparator) {
    List<Pair> sorted = new ArrayList<>(collected);
    Collections.reverse(sorted);
    new QuickSort()
        .sort(
            new IndexedSortable() {
              @Override
              public int compare(int i, int j) {
                Pair left = sorted.get(i);
                Pair right = sorted.get(j);
                return left.partition != right.partition
                    ? left.partition - right.partition
                    : comparator.compare(
                        form.bytes(left.key), 0, form.bytes, form.bytes(right.key), 0, form.bytes);
              }

              @Override
              public void swap(int i, int j) {
                Collections.swap(sorted, i, j);
              }
            },
            0,
            sorted.size());
    return sorted;
  }

  /** Copies what it sees, and keeps count. */
  private static final class Copy implements Combiner, GroupCombiner {
    private int merged;
    private int gathered;

    @Override
    public void combine(MergeQueue sorted, SegmentWriter out) throws IOException {
      merged++;
      while (sorted.next()) {
        out.append(sorted.top());
      }
    }

    @Override
    public void combine(Groups groups, Emitter out) throws IOException, InterruptedException {
      gathered++;
      while (groups.nextGroup()) {
        while (groups.nextValue()) {
          out.emit(
              groups.keyBytes(),
              groups.keyAt(),
              groups.keyLength(),
              groups.valueBytes(),
              groups.valueAt(),
              groups.valueLength());
        }
      }
    }
  }

  @Property(tries = 300)
  void comesOutAsUpstreamSortsIt(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 1500) int count,
      @ForAll @IntRange(min = 1, max = 2000) int distinct,
      @ForAll @IntRange(min = 1, max = 4) int partitions,
      @ForAll boolean careless,
      @ForAll Form anyForm,
      @ForAll boolean combine)
      throws Exception {
    Form form = careless ? Form.NUMBERS : anyForm;
    RawComparator<?> comparator = careless ? new Careless() : form.comparator;
    Random random = new Random(seed);
    Copy combiner = new Copy();
    int limit = (form.pairBytes() + RECORD_BYTES) * (count + 1);
    Slabs slabs = new Slabs(500, SLAB);
    List<Pair> collected = new ArrayList<>();
    HeapRuns.Segments output = new HeapRuns.Segments(new HeapRuns());
    try (MapSorter sorter = sorter(comparator, partitions, slabs, combine ? combiner : null)) {
      sorter.sortLikeUpstream(new UpstreamSort(2 * limit / 16 * 16, limit, 10));
      if (combine) {
        sorter.combineBeforeSort(combiner);
      } else {
        sorter.groupBeforeSort();
      }
      collect(sorter, form, random, count, distinct, partitions, collected);
      sorter.finish(output);
      assertThat(sorter.runs()).isZero();
    }
    assertThat(slabs.lent()).isZero();
    assertThat(read(output, form, partitions)).isEqualTo(upstream(collected, form, comparator));
    long used = collected.stream().mapToInt(Pair::partition).distinct().count();
    assertThat(combiner.merged).isEqualTo(combine ? (int) used : 0);
    assertThat(combiner.gathered).isZero();
  }

  /** Where upstream spills, and where there is no memory, nothing is lost. */
  @Property(tries = 300)
  void goesOnWhereItIsNotASingleSpill(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 3000) int count,
      @ForAll @IntRange(min = 1, max = 2000) int distinct,
      @ForAll @IntRange(min = 4, max = 150) int memory,
      @ForAll @IntRange(min = 100, max = 100_000) int limit,
      @ForAll @IntRange(min = 2, max = 10) int factor,
      @ForAll Form form,
      @ForAll boolean hash,
      @ForAll boolean likeUpstream)
      throws Exception {
    Random random = new Random(seed);
    Slabs slabs = new Slabs(memory, SLAB);
    Copy combiner = new Copy();
    List<Pair> collected = new ArrayList<>();
    HeapRuns.Segments output = new HeapRuns.Segments(new HeapRuns());
    boolean combine = random.nextBoolean();
    try (MapSorter sorter = sorter(form.comparator, 2, slabs, combine ? combiner : null)) {
      if (likeUpstream) {
        sorter.sortLikeUpstream(new UpstreamSort(limit * 5 / 4 / 16 * 16, limit, factor));
      }
      if (hash && combine) {
        sorter.combineBeforeSort(combiner);
      } else if (hash) {
        sorter.groupBeforeSort();
      }
      collect(sorter, form, random, count, distinct, 2, collected);
      sorter.finish(output);
    }
    assertThat(slabs.lent()).isZero();
    long size = (form.pairBytes() + RECORD_BYTES) * (long) count;
    if (combine && likeUpstream && size < limit - RECORD_BYTES) {
      long used = collected.stream().mapToInt(Pair::partition).distinct().count();
      assertThat(combiner.merged).as("times that a combiner ran").isEqualTo((int) used);
      assertThat(combiner.gathered).isZero();
    }
    List<Pair> written = read(output, form, 2);
    for (int i = 1; i < written.size(); i++) {
      Pair before = written.get(i - 1);
      Pair each = written.get(i);
      assertThat(before.partition < each.partition || before.key <= each.key).isTrue();
    }
    assertThat(written).containsExactlyInAnyOrderElementsOf(collected);
  }

  /** A spill that has ended is combined, though what follows it has no order of upstream's. */
  @Property(tries = 100)
  void combinesAllWhereLaterSpillsAreAMatterOfTime(
      @ForAll long seed, @ForAll @IntRange(min = 200, max = 2000) int count) throws Exception {
    Slabs slabs = new Slabs(300, SLAB);
    Set<Integer> combined = new HashSet<>();
    Combiner combiner =
        (sorted, out) -> {
          while (sorted.next()) {
            RecordCursor top = sorted.top();
            combined.add(number(top.bytes(), top.keyAt() + Integer.BYTES));
            out.append(top);
          }
        };
    Form form = Form.NUMBERS;
    int limit = (form.pairBytes() + RECORD_BYTES) * (1 + count / 2);
    HeapRuns.Segments output = new HeapRuns.Segments(new HeapRuns());
    List<Pair> collected = new ArrayList<>();
    try (MapSorter sorter = sorter(form.comparator, 2, slabs, combiner)) {
      sorter.sortLikeUpstream(new UpstreamSort(4 * limit / 16 * 16, limit, 10));
      collect(sorter, form, new Random(seed), count, 50, 2, collected);
      sorter.finish(output);
      assertThat(sorter.runs()).isPositive();
    }
    assertThat(combined).hasSize(count);
    assertThat(read(output, form, 2)).containsExactlyInAnyOrderElementsOf(collected);
  }

  /** So an average of averages comes out as on stock, but for the keys of large records. */
  @Property(tries = 50)
  void aLargeRecordHasNoOtherCombinedTwice(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 400) int place,
      @ForAll boolean likeUpstream)
      throws Exception {
    Form form = Form.NUMBERS;
    Map<Integer, Integer> combined = new TreeMap<>();
    RecordSpace space = new RecordSpace();
    Combiner combiner =
        (sorted, out) -> {
          while (sorted.next()) {
            RecordCursor top = sorted.top();
            top.complete(space);
            combined.merge(number(top.bytes(), top.valueAt()), 1, Integer::sum);
            out.append(top);
          }
        };
    int length = 2_000;
    int limit = 300 * (form.pairBytes() + RECORD_BYTES) + length;
    Slabs slabs = new Slabs(likeUpstream ? 500 : 6, SLAB);
    HeapRuns.Segments output = new HeapRuns.Segments(new HeapRuns());
    Random random = new Random(seed);
    KeyOrder order = KeyOrders.of(form.comparator);
    try (MapSorter sorter =
        new MapSorter(order, 2, slabs, SLAB, new HeapRuns(), combiner, 100, () -> {})) {
      if (likeUpstream) {
        sorter.sortLikeUpstream(new UpstreamSort(limit * 5 / 4 / 16 * 16, limit, 10));
      }
      for (int i = 0; i <= 400; i++) {
        RecordBuffer buffer = sorter.buffer();
        buffer.begin();
        form.write(random.nextInt(50), buffer);
        buffer.endKey();
        buffer.writeInt(i);
        buffer.write(new byte[i == place ? length : 0]);
        buffer.end(i & 1);
      }
      sorter.finish(output);
      assertThat(sorter.largeRecords()).isEqualTo(1);
      assertThat(sorter.runs()).isGreaterThan(1);
    }
    assertThat(slabs.lent()).isZero();
    assertThat(combined).hasSize(401);
    assertThat(combined.values()).containsOnly(1);
  }

  /** What a combiner leaves of a partition is no other partition's. */
  @Property(tries = 300)
  void aCombinerMayStopWhereItLikes(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 1500) int count,
      @ForAll @IntRange(min = 1, max = 2000) int distinct,
      @ForAll @IntRange(min = 0, max = 40) int most,
      @ForAll Form form)
      throws Exception {
    Combiner combiner =
        (sorted, out) -> {
          for (int i = 0; i < most && sorted.next(); i++) {
            out.append(sorted.top());
          }
        };
    int partitions = 4;
    int limit = (form.pairBytes() + RECORD_BYTES) * (count + 1);
    List<Pair> collected = new ArrayList<>();
    HeapRuns.Segments output = new HeapRuns.Segments(new HeapRuns());
    try (MapSorter sorter = sorter(form.comparator, partitions, new Slabs(500, SLAB), combiner)) {
      sorter.sortLikeUpstream(new UpstreamSort(2 * limit / 16 * 16, limit, 10));
      collect(sorter, form, new Random(seed), count, distinct, partitions, collected);
      sorter.finish(output);
      assertThat(sorter.runs()).isZero();
    }
    List<Pair> sorted = upstream(collected, form, form.comparator);
    List<Pair> expected = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      int each = partition;
      expected.addAll(sorted.stream().filter(p -> p.partition == each).limit(most).toList());
    }
    assertThat(read(output, form, partitions)).isEqualTo(expected);
  }

  private static MapSorter sorter(
      RawComparator<?> comparator, int partitions, Slabs slabs, Combiner combiner) {
    return new MapSorter(
        KeyOrders.of(comparator), partitions, slabs, SLAB, new HeapRuns(), combiner, 3, () -> {});
  }

  private static void collect(
      MapSorter sorter,
      Form form,
      Random random,
      int count,
      int distinct,
      int partitions,
      List<Pair> into)
      throws IOException {
    for (int i = 0; i < count; i++) {
      Pair pair = new Pair(random.nextInt(partitions), random.nextInt(distinct), i);
      RecordBuffer buffer = sorter.buffer();
      buffer.begin();
      form.write(pair.key, buffer);
      buffer.endKey();
      buffer.writeInt(pair.number);
      buffer.end(pair.partition);
      into.add(pair);
    }
  }

  private static List<Pair> read(HeapRuns.Segments output, Form form, int partitions)
      throws IOException {
    List<Pair> all = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      try (SegmentCursor cursor =
          new SegmentCursor(
              KeyOrders.of(form.comparator),
              output.open(partition),
              "output " + partition,
              64,
              output.length(partition))) {
        while (cursor.next()) {
          byte[] record = Arrays.copyOfRange(cursor.bytes(), cursor.keyAt(), cursor.end());
          all.add(new Pair(partition, form.read(record, 0), number(record, form.bytes)));
        }
      }
    }
    return all;
  }

  private static int number(byte[] bytes, int at) {
    return WritableComparator.readInt(bytes, at);
  }
}
