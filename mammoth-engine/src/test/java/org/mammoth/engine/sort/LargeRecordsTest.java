// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.keys.Vints;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.PartitionedOutput;
import org.mammoth.engine.sort.merge.RecordCursor;
import org.mammoth.engine.sort.merge.RecordSpace;
import org.mammoth.engine.sort.merge.SegmentCursor;
import org.mammoth.engine.sort.merge.SegmentInput;

/**
 * Records of many slabs: where their bytes go, what they take of the heap, what is left of them.
 */
class LargeRecordsTest {

  private static final int SLAB = 1 << 12;
  private static final KeyOrder ORDER = KeyOrders.of(new IntWritable.Comparator());

  /** Keeps nothing of what it is given but how much that was, and makes up the same when read. */
  private static final class CountingRuns implements RunStore {
    private int open;
    private long written;

    @Override
    public Writer create(int segments) {
      open++;
      return new Writer() {
        private long length;
        private boolean finished;

        @Override
        public OutputStream begin(int partition) {
          return new OutputStream() {
            @Override
            public void write(int one) {
              length++;
            }

            @Override
            public void write(byte[] from, int offset, int count) {
              length += count;
            }
          };
        }

        @Override
        public void end(int partition, long rawBytes, long records) {
          assertThat(rawBytes).isEqualTo(length);
          written += rawBytes;
        }

        @Override
        public Run finish() {
          finished = true;
          return zeros(length);
        }

        @Override
        public void close() {
          open -= finished ? 0 : 1;
        }
      };
    }

    private Run zeros(long length) {
      return new Run() {
        private boolean closed;

        @Override
        public long length(int partition) {
          return length;
        }

        @Override
        public SegmentInput open(int partition) {
          return new SegmentInput() {
            private long left = length;

            @Override
            public int read(byte[] into, int offset, int count) {
              int now = (int) Math.min(count, left);
              left -= now;
              return now == 0 && count > 0 ? -1 : now;
            }

            @Override
            public void close() {}
          };
        }

        @Override
        public void close() {
          open -= closed ? 0 : 1;
          closed = true;
        }
      };
    }
  }

  /** Counts an output's bytes. */
  private static final class CountingOutput implements PartitionedOutput {
    private long bytes;
    private long records;

    @Override
    public OutputStream begin(int partition) {
      return new OutputStream() {
        @Override
        public void write(int one) {
          bytes++;
        }

        @Override
        public void write(byte[] from, int offset, int count) {
          bytes += count;
        }
      };
    }

    @Override
    public void end(int partition, long rawBytes, long count) {
      records += count;
    }
  }

  private static MapSorter sorter(RunStore runs, Slabs slabs) {
    return new MapSorter(ORDER, 2, slabs, SLAB, runs, null, 3, () -> {});
  }

  private static void collect(MapSorter sorter, int key, BytesWritable value) throws IOException {
    RecordBuffer buffer = sorter.buffer();
    buffer.begin();
    buffer.writeInt(key);
    buffer.endKey();
    value.write(buffer);
    buffer.end(key & 1);
  }

  @Test
  void aLargeRecordTakesNoMoreOfTheHeapThanASmallOne() throws Exception {
    int length = 64 << 20;
    BytesWritable value = new BytesWritable(new byte[length]);
    CountingRuns runs = new CountingRuns();
    CountingOutput output = new CountingOutput();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long me = Thread.currentThread().getId();
    try (MapSorter sorter = sorter(runs, new Slabs(4, SLAB))) {
      collect(sorter, 0, new BytesWritable(new byte[10]));
      // The first assertion of a JVM takes megabytes, and the runs make some.
      assertThat(0L).isZero();
      long before = threads.getThreadAllocatedBytes(me);
      for (int i = 1; i < 4; i++) {
        collect(sorter, i, value);
      }
      sorter.finish(output);
      long taken = threads.getThreadAllocatedBytes(me) - before;
      assertThat(taken).as("bytes allocated for three values").isLessThan(1 << 20);
    }
    assertThat(runs.written).isEqualTo(3L * (length + 4));
    assertThat(output.records).isEqualTo(4);
    assertThat(output.bytes).isBetween(3L * length, 3L * length + 1000);
    assertThat(runs.open).as("runs that were not closed").isZero();
  }

  /** Java's own sort throws then, in some arrangements; stock Hadoop takes any order. */
  @Test
  void aComparatorThatContradictsItselfLosesNoRecord() throws Exception {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      KeyOrder any = KeyOrders.of(new AnyOrder(random));
      CountingRuns runs = new CountingRuns();
      CountingOutput output = new CountingOutput();
      try (MapSorter sorter =
          new MapSorter(any, 2, new Slabs(4, SLAB), SLAB, runs, null, 3, () -> {})) {
        for (int i = 0; i < 200; i++) {
          collect(sorter, random.nextInt(), new BytesWritable(new byte[2 * SLAB]));
        }
        sorter.finish(output);
      }
      assertThat(output.records).isEqualTo(200);
      assertThat(runs.open).isZero();
    }
  }

  /** Says anything. */
  private static final class AnyOrder extends IntWritable.Comparator {
    private final Random random;

    AnyOrder(Random random) {
      this.random = random;
    }

    @Override
    public int compare(byte[] a, int aAt, int aLength, byte[] b, int bAt, int bLength) {
      return random.nextInt(3) - 1;
    }
  }

  @Test
  void equalKeysStayInTheirOrder() {
    Random random = new Random(5);
    for (int count = 0; count < 200; count++) {
      List<LargeRecord> records = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        byte[] key = {0, 0, 0, (byte) random.nextInt(20)};
        int partition = random.nextInt(3);
        records.add(new LargeRecord(partition, ORDER.prefix(key, 0, 4), key, 0, 0, 4, i, null));
      }
      List<LargeRecord> expected = new ArrayList<>(records);
      expected.sort(
          Comparator.comparingInt(LargeRecord::partition).thenComparingLong(LargeRecord::prefix));
      LargeCursor.sort(ORDER, records);
      assertThat(records).isEqualTo(expected);
    }
  }

  /** Of large ones a few take minutes on a slow disk. */
  @Test
  void eachRecordThatIsMergedIsProgress() throws Exception {
    AtomicInteger told = new AtomicInteger();
    CountingOutput output = new CountingOutput();
    try (MapSorter sorter =
        new MapSorter(
            ORDER,
            2,
            new Slabs(4, SLAB),
            SLAB,
            new CountingRuns(),
            null,
            3,
            told::incrementAndGet)) {
      for (int i = 0; i < 20; i++) {
        collect(sorter, 1, new BytesWritable(new byte[3 * SLAB]));
      }
      sorter.finish(output);
    }
    assertThat(output.records).isEqualTo(20);
    assertThat(told).hasValueGreaterThanOrEqualTo(20);
  }

  @Test
  void valuesOfManySmallWritesTakeNoHeapEither() throws Exception {
    CountingRuns runs = new CountingRuns();
    CountingOutput output = new CountingOutput();
    try (MapSorter sorter = sorter(runs, new Slabs(4, SLAB))) {
      RecordBuffer buffer = sorter.buffer();
      buffer.begin();
      buffer.writeInt(7);
      buffer.endKey();
      for (int i = 0; i < 100_000; i++) {
        buffer.writeLong(i);
        buffer.write(i);
        buffer.writeBytes("abc");
      }
      assertThat(buffer.end(1)).isEqualTo(4 + 100_000 * 12);
      sorter.finish(output);
    }
    assertThat(runs.written).isEqualTo(100_000 * 12);
    assertThat(output.records).isEqualTo(1);
    assertThat(runs.open).isZero();
  }

  @Test
  void aLargeRecordThatIsNeverCompletedLeavesNothing() throws Exception {
    CountingRuns runs = new CountingRuns();
    Slabs slabs = new Slabs(4, SLAB);
    CountingOutput output = new CountingOutput();
    try (MapSorter sorter = sorter(runs, slabs)) {
      for (int i = 0; i < 5; i++) {
        sorter.buffer().begin();
        sorter.buffer().writeInt(1);
        sorter.buffer().endKey();
        sorter.buffer().write(new byte[3 * SLAB]);
        assertThat(runs.open).isEqualTo(1);
      }
      collect(sorter, 2, new BytesWritable(new byte[20]));
      sorter.finish(output);
    }
    assertThat(output.records).isEqualTo(1);
    assertThat(runs.open).isZero();
    assertThat(slabs.lent()).isZero();
  }

  @Test
  void aValueThatCannotBeKeptFailsTheMapAndLeavesNothing() {
    Slabs slabs = new Slabs(4, SLAB);
    HeapRuns whole = new HeapRuns();
    RunStore full =
        segments -> {
          if (segments == 1) {
            throw new IOException("no disk");
          }
          return whole.create(segments);
        };
    try (MapSorter sorter = sorter(full, slabs)) {
      BytesWritable large = new BytesWritable(new byte[2 * SLAB]);
      assertThatThrownBy(() -> collect(sorter, 1, large)).hasMessage("no disk");
      assertThatThrownBy(() -> collect(sorter, 1, new BytesWritable()))
          .hasMessageContaining("lost before");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertThat(slabs.lent()).isZero();
  }

  /** As many inputs as maps, each with a large record, must not all be in memory at once. */
  @Test
  void aMergeHoldsOneLargeValueAtATime() throws Exception {
    int inputs = 40;
    int length = 4 << 20;
    List<SegmentCursor> cursors = new ArrayList<>();
    for (int i = 0; i < inputs; i++) {
      cursors.add(new SegmentCursor(ORDER, segment(i, length), "input " + i, 4096, length + 20L));
    }
    MergeQueue queue = new MergeQueue(ORDER, cursors);
    RecordSpace space = new RecordSpace();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long me = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(me);
    for (int i = 0; i < inputs; i++) {
      assertThat(queue.next()).isTrue();
      RecordCursor top = queue.top();
      assertThat(top.isPartial()).isTrue();
      top.complete(space);
      assertThat(top.valueLength()).isEqualTo(length);
      assertThat(top.bytes()[top.keyAt() + 3]).isEqualTo((byte) i);
      assertThat(top.bytes()[top.end() - 1]).isEqualTo((byte) 1);
    }
    assertThat(queue.next()).isFalse();
    assertThat(threads.getThreadAllocatedBytes(me) - before).isLessThan(2L * length);
  }

  /** One record with key {@code key} and a value of ones, made as it is read. */
  private static SegmentInput segment(int key, int length) {
    byte[] head = new byte[20];
    int body = Vints.write(head, Vints.write(head, 0, 4), length) + 4;
    head[body - 1] = (byte) key;
    long size = (long) body + length + 2;
    return new SegmentInput() {
      private long position;

      @Override
      public int read(byte[] into, int offset, int count) {
        int now = (int) Math.min(count, size - position);
        for (int i = 0; i < now; i++, position++) {
          boolean inHead = position < body;
          into[offset + i] = inHead ? head[(int) position] : (byte) (position < size - 2 ? 1 : -1);
        }
        return now == 0 && count > 0 ? -1 : now;
      }

      @Override
      public void close() {}
    };
  }
}
