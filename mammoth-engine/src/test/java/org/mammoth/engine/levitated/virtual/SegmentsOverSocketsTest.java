// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.Leaks;

/**
 * Very many segments of several nodes, asked for by the real protocol over real sockets. {@code
 * dev-support/bin/segments --sockets} is the long form, up to a million of them.
 */
class SegmentsOverSocketsTest {

  static {
    Leaks.watch();
  }

  private static final int NODES = 5;
  private static final int UNIT = 64 << 10;
  private static final long MEMORY = 8 << 20;
  private static final int RECORDS = 100_000;
  private static final int FEW = 1_000;
  private static final int MANY = 10_000;

  @AfterAll
  static void noLeaks() {
    Leaks.assertNone();
  }

  private static SegmentsBenchmark.Merged merged(int segments) throws Exception {
    GeneratedSegments source = new GeneratedSegments(RECORDS / segments, 7);
    try (SocketSources sources = new SocketSources(source, NODES)) {
      return SegmentsBenchmark.merge(sources, source, segments, RECORDS, MEMORY, UNIT);
    }
  }

  @Test
  void tenTimesTheSegmentsTakeNoMoreMemory() throws Exception {
    SegmentsBenchmark.Merged few = merged(FEW);
    SegmentsBenchmark.Merged many = merged(MANY);
    assertThat(many.records()).isEqualTo(few.records());
    assertThat(many.heldBytes()).isLessThanOrEqualTo(MEMORY);
    assertThat(many.counts().refetchedBytes()).isLessThan(RECORDS * 103L / 3);
    assertThat(many.heapBytes())
        .as("heap, with garbage of neither")
        .isLessThan(few.heapBytes() + MEMORY);
  }
}
