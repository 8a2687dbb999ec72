// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.RawComparator;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.sort.groups.GroupCombiner;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.Groups;
import org.mammoth.engine.sort.merge.RecordSpace;
import org.mammoth.engine.sort.merge.SegmentCursor;

/** Maps with a combiner: whatever way records take, the sums that come out are those collected. */
class CombineBeforeSortTest {

  private static final RawComparator<?> ORDER = new BytesWritable.Comparator();
  private static final int HASH_SLABS = 20;

  /** Sums by partition and key, of what goes in or comes out. */
  private static final class Sums {
    final Map<String, Long> byKey = new TreeMap<>();

    void add(int partition, byte[] bytes, int keyAt, int keyLength, long weight) {
      String key = HexFormat.of().formatHex(bytes, keyAt, keyAt + keyLength);
      byKey.merge(partition + "/" + key, weight, Long::sum);
    }
  }

  @Property(tries = 300)
  void sumsAreWhatWasCollected(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 40) int partitions,
      @ForAll @IntRange(min = 0, max = 8) int sortSlabs,
      @ForAll @IntRange(min = 6, max = 11) int slabBits,
      @ForAll @IntRange(min = 0, max = 3) int way,
      @ForAll @IntRange(min = 1, max = 4) int combineFromRuns)
      throws Exception {
    Random random = new Random(seed);
    SumCombiner combiner = new SumCombiner(SumCombiner.Way.values()[way]);
    Slabs source = new Slabs(HASH_SLABS + 1 + sortSlabs, 1 << slabBits);
    HeapRuns runs = new HeapRuns();
    HeapRuns.Segments output = new HeapRuns.Segments(runs);
    Sums expected = new Sums();
    int distinct = 1 + random.nextInt(random.nextBoolean() ? 20 : 2000);
    try (MapSorter sorter =
        new MapSorter(
            KeyOrders.of(ORDER),
            partitions,
            source,
            1 << slabBits,
            runs,
            combiner,
            combineFromRuns,
            () -> {})) {
      sorter.combineBeforeSort(combiner);
      assertThat(source.lent()).as("what fits an element is not gathered").isZero();
      for (int left = random.nextInt(2000); left > 0; left--) {
        byte[] key = key(random, distinct, 1 << slabBits);
        byte[] value = value(random, 1 << slabBits);
        int partition = Math.floorMod(Arrays.hashCode(key), partitions);
        collect(sorter.buffer(), partition, key, value);
        if (!SumCombiner.vanishes(SumCombiner.Way.values()[way], key, 0, key.length)) {
          expected.add(partition, key, 0, key.length, SumCombiner.weight(value, 0, value.length));
        }
      }
      sorter.finish(output);
    }
    assertThat(source.lent()).isZero();
    Sums found = new Sums();
    for (int partition = 0; partition < partitions; partition++) {
      sumUp(partition, output, found, SumCombiner.Way.values()[way]);
    }
    assertThat(found.byKey).isEqualTo(expected.byKey);
  }

  private static void sumUp(int partition, HeapRuns.Segments output, Sums into, SumCombiner.Way way)
      throws IOException {
    byte[] last = null;
    try (SegmentCursor cursor =
        new SegmentCursor(
            KeyOrders.of(ORDER),
            output.open(partition),
            "output " + partition,
            64,
            output.length(partition))) {
      while (cursor.next()) {
        cursor.complete(new RecordSpace());
        byte[] key = Arrays.copyOfRange(cursor.bytes(), cursor.keyAt(), cursor.valueAt());
        if (last != null) {
          assertThat(ORDER.compare(last, 0, last.length, key, 0, key.length))
              .isLessThanOrEqualTo(0);
        }
        last = key;
        // what was never combined is combined by the reduce
        if (!SumCombiner.vanishes(way, key, 0, key.length)) {
          into.add(
              partition,
              key,
              0,
              key.length,
              SumCombiner.weight(cursor.bytes(), cursor.valueAt(), cursor.valueLength()));
        }
      }
    }
  }

  /** A serialised BytesWritable: few keys are frequent, most are rare, some are huge. */
  private static byte[] key(Random random, int distinct, int slab) {
    int number = (int) (distinct * Math.pow(random.nextDouble(), 3));
    Random ofKey = new Random(number);
    int length =
        switch (ofKey.nextInt(60)) {
          case 0 -> 0;
          case 1 -> slab - ofKey.nextInt(60);
          case 2 -> slab + ofKey.nextInt(2 * slab);
          default -> 1 + ofKey.nextInt(12);
        };
    byte[] key = new byte[4 + Math.max(0, length)];
    ofKey.nextBytes(key);
    key[0] = (byte) (length >>> 24);
    key[1] = (byte) (length >>> 16);
    key[2] = (byte) (length >>> 8);
    key[3] = (byte) length;
    return key;
  }

  private static byte[] value(Random random, int slab) {
    return switch (random.nextInt(60)) {
      case 0 -> new byte[random.nextInt(8)];
      case 1 -> SumCombiner.value(1 + random.nextInt(9), slab - random.nextInt(60));
      case 2 -> SumCombiner.value(1 + random.nextInt(9), 2 * slab);
      default -> SumCombiner.value(1 + random.nextInt(9), random.nextInt(4));
    };
  }

  private static void collect(RecordBuffer buffer, int partition, byte[] key, byte[] value)
      throws IOException {
    buffer.begin();
    buffer.write(key);
    buffer.endKey();
    buffer.write(value);
    buffer.end(partition);
  }

  private static byte[] number(int value) {
    return new byte[] {
      0, 0, 0, 4, (byte) (value >>> 24), (byte) (value >>> 16), (byte) (value >>> 8), (byte) value
    };
  }

  /** A combiner that fails in the hash table, however a job's combiner may fail. */
  private record Failing(Exception failure) implements GroupCombiner {

    @Override
    public void combine(Groups groups, Emitter combined) throws IOException, InterruptedException {
      groups.nextGroup();
      groups.nextValue();
      combined.emit(
          groups.keyBytes(),
          groups.keyAt(),
          groups.keyLength(),
          groups.valueBytes(),
          groups.valueAt(),
          groups.valueLength());
      if (failure instanceof IOException e) {
        throw e;
      } else if (failure instanceof InterruptedException e) {
        throw e;
      }
      throw (RuntimeException) failure;
    }
  }

  /** The task may catch what collect threw and go on: it must not succeed without the records. */
  private static void assertFails(Exception failure, Class<? extends Exception> seen)
      throws Exception {
    Slabs source = new Slabs(HASH_SLABS + 4, 256);
    HeapRuns runs = new HeapRuns();
    try (MapSorter sorter =
        new MapSorter(KeyOrders.of(ORDER), 2, source, 256, runs, null, 3, () -> {})) {
      sorter.combineBeforeSort(new Failing(failure));
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 10_000; i++) {
                  collect(sorter.buffer(), i & 1, number(i), number(i));
                }
              })
          .isInstanceOf(seen);
      Thread.interrupted();
      assertThatThrownBy(() -> collect(sorter.buffer(), 0, number(1), number(1)))
          .isInstanceOf(IOException.class)
          .hasRootCause(failure);
      assertThatThrownBy(() -> sorter.finish(new HeapRuns.Segments(runs)))
          .isInstanceOf(IOException.class)
          .hasRootCause(failure);
    }
    assertThat(source.lent()).isZero();
  }

  @Test
  void whatACombinerThrowsEndsTheMap() throws Exception {
    assertFails(new IOException("disk"), IOException.class);
    assertFails(new IllegalStateException("user code"), IllegalStateException.class);
    assertFails(new InterruptedException("killed"), InterruptedIOException.class);
  }

  @Test
  void aCombinerThatThrowsAtTheEndLeaksNothing() throws Exception {
    Slabs source = new Slabs(HASH_SLABS + 4, 256);
    HeapRuns runs = new HeapRuns();
    try (MapSorter sorter =
        new MapSorter(KeyOrders.of(ORDER), 2, source, 256, runs, null, 3, () -> {})) {
      sorter.combineBeforeSort(new Failing(new IOException("late")));
      for (int i = 0; source.lent() < HASH_SLABS; i++) {
        collect(sorter.buffer(), 0, number(i % 2), number(1));
      }
      assertThatThrownBy(() -> sorter.finish(new HeapRuns.Segments(runs))).hasMessage("late");
    }
    assertThat(source.lent()).isZero();
  }

  /** A run that can't be written: stock fails each later collect too, and so does this. */
  @Test
  void aFailedSpillIsNotForgotten() throws Exception {
    Slabs source = new Slabs(3, 256);
    RunStore full =
        segments -> {
          throw new IOException("No space left on device");
        };
    try (MapSorter sorter =
        new MapSorter(KeyOrders.of(ORDER), 1, source, 256, full, null, 3, () -> {})) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100; i++) {
                  collect(sorter.buffer(), 0, number(i), number(i));
                }
              })
          .hasMessage("No space left on device");
      assertThatThrownBy(() -> collect(sorter.buffer(), 0, number(1), number(1)))
          .hasRootCauseMessage("No space left on device");
      assertThatThrownBy(() -> sorter.finish(new HeapRuns.Segments(new HeapRuns())))
          .hasRootCauseMessage("No space left on device");
    }
    assertThat(source.lent()).isZero();
  }

  @Test
  void aComparatorThatThrowsLeaksNothing() throws Exception {
    Slabs source = new Slabs(3, 256);
    RawComparator<?> broken =
        new MapSorterPropertyTest.Backwards() {
          @Override
          public int compare(byte[] a, int i, int j, byte[] b, int k, int l) {
            throw new IllegalArgumentException("user code");
          }
        };
    try (MapSorter sorter =
        new MapSorter(KeyOrders.of(broken), 1, source, 256, new HeapRuns(), null, 3, () -> {})) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100; i++) {
                  collect(sorter.buffer(), 0, number(i), number(i));
                }
              })
          .hasMessage("user code");
    }
    assertThat(source.lent()).isZero();
  }
}
