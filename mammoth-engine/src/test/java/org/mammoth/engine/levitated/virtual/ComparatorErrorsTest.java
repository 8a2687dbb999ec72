// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.WritableComparator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.levitated.RangeRequest;
import org.mammoth.engine.levitated.table.SegmentTable;
import org.mammoth.engine.sort.keys.KeyOrders;

/** What a job's comparator throws, or what ends the task within it, reaches the task as it is. */
class ComparatorErrorsTest {

  private static final int UNIT = 2048;
  private static final int SEGMENTS = 60;

  /** Compares so many times, then throws. */
  private static final class Failing implements RawComparator<BytesWritable> {
    private final Throwable thrown;
    private int left;

    Failing(Throwable thrown, int left) {
      this.thrown = thrown;
      this.left = left;
    }

    @Override
    public int compare(byte[] a, int aFrom, int aLength, byte[] b, int bFrom, int bLength) {
      if (left-- == 0) {
        if (thrown instanceof Error) {
          throw (Error) thrown;
        }
        throw (RuntimeException) thrown;
      }
      return WritableComparator.compareBytes(a, aFrom + 4, aLength - 4, b, bFrom + 4, bLength - 4);
    }

    @Override
    public int compare(BytesWritable a, BytesWritable b) {
      return a.compareTo(b);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 50, 500, 2000})
  void theyComeOutAsTheyAre(int compares) throws IOException {
    for (Throwable each :
        List.of(
            new OutOfMemoryError("of another task"),
            new ThreadDeath(),
            new IllegalStateException("keys of two kinds"))) {
      fails(new Failing(each, compares), each);
    }
  }

  private static void fails(Failing comparator, Throwable expected) throws IOException {
    Random random = new Random(7);
    List<byte[]> segments = Segments.random(random, SEGMENTS, 60, 40, Segments.Spread.EVEN);
    VirtualSizing sizes =
        VirtualSizing.of(SEGMENTS, 60L * UNIT, UNIT, VirtualSizing.Requested.NONE);
    try (TestUnits units = new TestUnits(UNIT, 60)) {
      SegmentTable table = new SegmentTable(units, sizes.subtreeSegments());
      for (int i = 0; i < SEGMENTS; i++) {
        table.add(0, i, 0, segments.get(i).length - 4, i);
      }
      try (VirtualMerge merge =
          new VirtualMerge(
              table,
              ranges -> ranges.forEach(each -> bring(segments, each)),
              units,
              4,
              () -> KeyOrders.of(comparator),
              new OwnThreadStepRunner(),
              sizes,
              FillLevels.DEFAULT)) {
        assertThatThrownBy(() -> Segments.drained(merge.queue(), random)).isSameAs(expected);
      }
    }
  }

  private static void bring(List<byte[]> segments, RangeRequest range) {
    range.into().put(segments.get(range.segment()), (int) range.offset(), range.into().remaining());
    range.done().accept(null);
  }
}
