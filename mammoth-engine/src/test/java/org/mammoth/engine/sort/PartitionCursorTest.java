// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.sort.elements.Element;
import org.mammoth.engine.sort.elements.ElementSorter;
import org.mammoth.engine.sort.elements.ElementSource;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.PartitionCursor;
import org.mammoth.engine.sort.merge.SegmentInput;
import org.mammoth.engine.sort.spill.BlockSpill;
import org.mammoth.engine.sort.spill.CollectedSpill;
import org.mammoth.engine.sort.spill.GatheredSpill;
import org.mammoth.engine.sort.spill.Spill;

/** A partition is read from its first record on, whatever was left of those before it. */
class PartitionCursorTest {

  private static final int SLAB = 1 << 9;
  private static final int PARTITIONS = 4;
  private static final KeyOrder ORDER = KeyOrders.of(new Text.Comparator());

  private enum Kind {
    COLLECTED,
    GATHERED,
    BLOCKS
  }

  private static Spill spill(Kind kind, ElementSource slabs) {
    ElementSorter sorter = new ElementSorter(ORDER, PARTITIONS);
    return switch (kind) {
      case COLLECTED -> new CollectedSpill(ORDER, slabs, SLAB, sorter, PARTITIONS);
      case GATHERED -> new GatheredSpill(ORDER, slabs, SLAB, sorter, PARTITIONS);
      case BLOCKS -> new BlockSpill(ORDER, slabs, SLAB, sorter, PARTITIONS);
    };
  }

  /** Partition 2 has no record; keys that come again have other values. */
  private static void fill(Spill spill, Slabs slabs, int records, int distinct) throws IOException {
    RecordBuffer buffer =
        new RecordBuffer(
            ORDER,
            new RecordBuffer.Drain() {
              @Override
              public void full(Element element) {
                assertThat(spill.add(element, element.count())).isTrue();
              }

              @Override
              public byte[] slab() {
                return slabs.take();
              }

              @Override
              public void unused(byte[] slab) {
                slabs.give(slab);
              }

              @Override
              public RunStore.Writer beginValue() {
                throw new IllegalStateException("no record is large");
              }

              @Override
              public void large(LargeRecord record) {
                throw new IllegalStateException("no record is large");
              }
            });
    for (int i = 0; i < records; i++) {
      buffer.begin();
      new Text(String.format("a long beginning %04d", i % distinct)).write(buffer);
      buffer.endKey();
      buffer.writeInt(i);
      int partition = i * 7 % (PARTITIONS - 1);
      buffer.end(partition == 2 ? 3 : partition);
    }
    buffer.handOn();
    spill.end();
  }

  private static List<Integer> read(PartitionCursor cursor, int partition, int most)
      throws IOException {
    cursor.enter(partition);
    List<Integer> numbers = new ArrayList<>();
    while (numbers.size() < most && cursor.next()) {
      numbers.add(IntWritable.Comparator.readInt(cursor.bytes(), cursor.valueAt()));
    }
    return numbers;
  }

  /** Few records are one element, whose index is gone through; many are not. */
  @ParameterizedTest
  @CsvSource({
    "COLLECTED, 9, 5",
    "COLLECTED, 600, 50",
    "GATHERED, 9, 5",
    "GATHERED, 600, 50",
    "BLOCKS, 9, 5",
    "BLOCKS, 600, 50",
    "BLOCKS, 600, 600",
    "BLOCKS, 600, 590"
  })
  void whatIsLeftOfAPartitionIsLeftOut(Kind kind, int records, int distinct) throws IOException {
    List<List<Integer>> whole = new ArrayList<>();
    for (int most = Integer.MAX_VALUE; most >= 0; most = most > 100 ? 100 : most - 1) {
      Slabs slabs = new Slabs(300, SLAB);
      Spill spill = spill(kind, slabs);
      fill(spill, slabs, records, distinct);
      PartitionCursor cursor = spill.cursor();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        List<Integer> numbers = read(cursor, partition, most);
        if (most == Integer.MAX_VALUE) {
          whole.add(numbers);
        }
        List<Integer> all = whole.get(partition);
        assertThat(numbers)
            .as("partition %d of which %d records are read", partition, most)
            .isEqualTo(all.subList(0, Math.min(most, all.size())));
      }
      spill.free();
      assertThat(slabs.lent()).isZero();
    }
    assertThat(whole.stream().mapToInt(List::size).sum()).isEqualTo(records);
  }

  /** A value that nobody asks for is freed as soon as one that was read. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void largeRecordsAreLeftOutAndFreed(int most) throws IOException {
    List<LargeRecord> records = new ArrayList<>();
    List<Integer> closed = new ArrayList<>();
    for (int partition : new int[] {0, 0, 1, 1, 1, 3}) {
      int number = records.size();
      byte[] head = {1, 4, (byte) number};
      Run value =
          new Run() {
            @Override
            public long length(int segment) {
              return 4;
            }

            @Override
            public SegmentInput open(int segment) {
              return HeapRuns.input(new byte[4]);
            }

            @Override
            public void close() {
              closed.add(number);
            }
          };
      records.add(new LargeRecord(partition, 0, head, 0, 2, 1, 4, value));
    }
    LargeCursor cursor = new LargeCursor(records);
    int[] begins = {0, 2, 5, 5, 6};
    for (int partition = 0; partition < PARTITIONS; partition++) {
      cursor.enter(partition);
      for (int i = 0; i < Math.min(most, begins[partition + 1] - begins[partition]); i++) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.bytes()[cursor.keyAt()]).isEqualTo((byte) (begins[partition] + i));
      }
      if (most > 2) {
        assertThat(cursor.next()).isFalse();
      }
    }
    assertThat(closed).contains(0, 1, 2, 3, 4);
  }
}
