// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.UnitSource;

/** Entries in the pool's units, through three levels. */
class SegmentTableTest {

  private static final int UNIT = 4096;

  private static UnitSource over(LeakCheckingPool pool) {
    return new UnitSource() {
      @Override
      public int unitBytes() {
        return UNIT;
      }

      @Override
      public CacheUnit poll() {
        return pool.poll();
      }

      @Override
      public CacheUnit take() {
        throw new UnsupportedOperationException();
      }

      @Override
      public void give(CacheUnit unit) {
        pool.give(unit);
      }

      @Override
      public void move(UnitSource to, long bytes) {
        throw new UnsupportedOperationException();
      }
    };
  }

  @Property(tries = 50)
  void whatWasSetIsFound(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 85) int subtree,
      @ForAll @IntRange(min = 1, max = 3000) int count)
      throws IOException {
    try (LeakCheckingPool pool = new LeakCheckingPool(BufferType.ARRAY, UNIT, 200)) {
      try (SegmentTable table = new SegmentTable(over(pool), subtree)) {
        Random random = new Random(seed);
        long bytes = 0;
        for (int i = 0; i < count && table.heldBytes() < 190L * UNIT; i++) {
          long length = 2 + (random.nextLong() >>> 20);
          bytes += length;
          assertThat(
                  table.add(
                      random.nextInt(), random.nextInt(), random.nextInt(1 << 16), length, ~i))
              .isEqualTo(i);
          SegmentDirectory directory = table.of(i);
          int slot = i - directory.first();
          directory.fetched(slot, random.nextLong());
          directory.tail(slot, random.nextInt());
          directory.need(slot, random.nextInt());
          directory.sum(slot, random.nextInt(), random.nextBoolean());
        }
        Random again = new Random(seed);
        for (int i = 0; i < table.size(); i++) {
          SegmentDirectory directory = table.of(i);
          int slot = i - directory.first();
          assertThat(slot).isBetween(0, directory.size() - 1);
          assertThat(directory.length(slot)).isEqualTo(2 + (again.nextLong() >>> 20));
          assertThat(directory.node(slot)).isEqualTo(again.nextInt());
          assertThat(directory.map(slot)).isEqualTo(again.nextInt());
          assertThat(directory.attempt(slot)).isEqualTo(again.nextInt(1 << 16));
          assertThat(directory.identity(slot)).isEqualTo(~i);
          assertThat(directory.fetched(slot)).isEqualTo(again.nextLong());
          assertThat(directory.tail(slot)).isEqualTo(again.nextInt());
          assertThat(directory.need(slot)).isEqualTo(again.nextInt());
          assertThat(directory.sum(slot)).isEqualTo(again.nextInt());
          assertThat(directory.isSumUnknown(slot)).isEqualTo(again.nextBoolean());
        }
        assertThat(table.segmentBytes()).isEqualTo(bytes);
        assertThat(table.directories()).isEqualTo((table.size() + subtree - 1) / subtree);
        int perUnit = UNIT / (subtree * SegmentDirectory.ENTRY_BYTES);
        assertThat(table.heldBytes())
            .isEqualTo((long) UNIT * ((table.directories() + perUnit - 1) / perUnit));
      }
    }
  }

  @Test
  void withoutMemoryItSaysSo() throws IOException {
    try (LeakCheckingPool pool = new LeakCheckingPool(BufferType.ARRAY, UNIT, 1);
        SegmentTable table = new SegmentTable(over(pool), 85)) {
      for (int i = 0; i < 85; i++) {
        table.add(0, i, 0, 10, 0);
      }
      assertThatThrownBy(() -> table.add(0, 85, 0, 10, 0))
          .hasMessageContaining("after 85 segments")
          .hasMessageContaining("mammoth.memory.pool-fraction");
      assertThatThrownBy(() -> table.add(0, 0, 0, 1, 0)).hasMessageContaining("no end mark");
    }
  }
}
