// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.groups;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.sort.Slabs;
import org.mammoth.engine.sort.SumCombiner;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.Groups;

/** The ways records take through the hash table, one by one. */
class HashCombinerTest {

  private static final KeyOrder ORDER = KeyOrders.of(new Text.Comparator());
  private static final int SLAB = 1024;
  private static final int SLABS = 20;

  /** What leaves the table, by partition and number of the key. */
  private static final class Sorted implements Outlet {
    final Map<List<Integer>, Long> sums = new HashMap<>();
    int records;

    @Override
    public void sort(
        int partition,
        byte[] key,
        int keyAt,
        int keyLength,
        byte[] value,
        int valueAt,
        int valueLength) {
      records++;
      int number = ByteBuffer.wrap(key, keyAt, keyLength).getInt();
      sums.merge(
          List.of(partition, number), SumCombiner.weight(value, valueAt, valueLength), Long::sum);
    }
  }

  private final Slabs source = new Slabs(SLABS + 1, SLAB);
  private final Sorted sorted = new Sorted();

  private static byte[] record(int key, int keyLength, byte[] value) {
    byte[] bytes = Arrays.copyOf(ByteBuffer.allocate(4).putInt(key).array(), keyLength);
    byte[] all = Arrays.copyOf(bytes, keyLength + value.length);
    System.arraycopy(value, 0, all, keyLength, value.length);
    return all;
  }

  /** As a record buffer does it. */
  private void add(HashCombiner hash, int partition, int key, int keyLength, byte[] value)
      throws IOException, InterruptedException {
    byte[] bytes = record(key, keyLength, value);
    if (hash.isGivenUp()
        || !hash.addAtOnce(partition, bytes, 0, keyLength, keyLength, value.length)
            && !hash.add(partition, bytes, 0, keyLength, keyLength, value.length)) {
      sorted.sort(partition, bytes, 0, keyLength, bytes, keyLength, value.length);
    }
  }

  private void addOne(HashCombiner hash, int partition, int key)
      throws IOException, InterruptedException {
    add(hash, partition, key, 4, SumCombiner.value(1, 0));
  }

  @Test
  void aFullTableThatShrinksGoesOnAndEachKeyComesOutOnce() throws Exception {
    SumCombiner combiner = new SumCombiner(SumCombiner.Way.ONE);
    HashCombiner hash = HashCombiner.open(ORDER, 3, source, combiner, sorted);
    for (int i = 0; i < 20_000; i++) {
      add(hash, i % 3, i % 30, 4, SumCombiner.value(1, i / 30 % 2));
    }
    assertThat(combiner.runs).as("it was full repeatedly").isGreaterThan(10);
    assertThat(hash.isGivenUp()).isFalse();
    assertThat(hash.hasFlushed()).isFalse();
    assertThat(sorted.records).isZero();
    hash.finish();
    assertThat(sorted.records).isEqualTo(30);
    assertThat(sorted.sums.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(20_000);
    assertThat(source.lent()).isZero();
  }

  @Test
  void aValueThatComesAgainAndAgainTakesNoRoom() throws Exception {
    SumCombiner combiner = new SumCombiner(SumCombiner.Way.ONE);
    HashCombiner hash = HashCombiner.open(ORDER, 1, source, combiner, sorted);
    for (int i = 0; i < 1_000_000; i++) {
      addOne(hash, 0, i % 30);
    }
    assertThat(combiner.runs).isZero();
    hash.finish();
    assertThat(sorted.records).isEqualTo(30);
    assertThat(sorted.sums.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(1_000_000);
  }

  @Test
  void aTableThatStaysCrowdedIsEmptiedAndGoesOn() throws Exception {
    SumCombiner combiner = new SumCombiner(SumCombiner.Way.ONE);
    HashCombiner hash = HashCombiner.open(ORDER, 1, source, combiner, sorted);
    int keys = 75; // just over half of the table's bytes when each stands there once
    for (int i = 0; i < 10_000; i++) {
      add(hash, 0, i % keys, 32, SumCombiner.value(1, i / keys % 2));
    }
    assertThat(hash.isGivenUp()).isFalse();
    assertThat(hash.hasFlushed()).isTrue();
    hash.finish();
    assertThat(sorted.sums).hasSize(keys);
    assertThat(sorted.sums.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(10_000);
    assertThat(sorted.records).isLessThan(7_500);
    assertThat(source.lent()).isZero();
  }

  @Test
  void aTableThatDoesNotShrinkIsGivenUpAndLosesNothing() throws Exception {
    HashCombiner hash =
        HashCombiner.open(ORDER, 2, source, new SumCombiner(SumCombiner.Way.ONE), sorted);
    for (int i = 0; i < 5_000; i++) {
      addOne(hash, i % 2, i);
    }
    assertThat(hash.isGivenUp()).isTrue();
    assertThat(hash.hasFlushed()).isTrue();
    assertThat(source.lent()).as("the slabs are back for sorting").isZero();
    hash.finish();
    assertThat(sorted.records).isEqualTo(5_000);
    assertThat(sorted.sums).hasSize(5_000);
  }

  @Test
  void aCombinerThatMakesRecordsLargerIsSeenToBeUseless() throws Exception {
    SumCombiner combiner = new SumCombiner(SumCombiner.Way.LARGER);
    HashCombiner hash = HashCombiner.open(ORDER, 1, source, combiner, sorted);
    for (int i = 0; i < 5_000; i++) {
      addOne(hash, 0, i);
    }
    assertThat(hash.isGivenUp()).as("half of what was emitted did not even fit").isTrue();
    assertThat(combiner.runs).isEqualTo(1);
    assertThat(sorted.sums).hasSize(5_000);
    assertThat(sorted.records).isEqualTo(5_000);
    assertThat(source.lent()).isZero();
  }

  @Test
  void aRecordTooLargeForTheTableIsRefusedAndCostsTheOthersNothing() throws Exception {
    SumCombiner combiner = new SumCombiner(SumCombiner.Way.ONE);
    HashCombiner hash = HashCombiner.open(ORDER, 1, source, combiner, sorted);
    for (int i = 0; i < 100; i++) {
      addOne(hash, 0, i % 10);
      add(hash, 0, 1000 + i, SLAB, SumCombiner.value(1, 0));
      add(hash, 0, 2000 + i, 4, SumCombiner.value(1, SLAB));
    }
    assertThat(combiner.runs).as("combining would not make room for them").isZero();
    assertThat(hash.isGivenUp()).isFalse();
    assertThat(sorted.records).isEqualTo(200);
    hash.finish();
    assertThat(sorted.records).isEqualTo(210);
    assertThat(source.lent()).isZero();
  }

  @Test
  void theLargestRecordThatFitsAnEmptyTableIsTaken() throws Exception {
    GroupTable table = new GroupTable(ORDER, slabs(1), slabs(1));
    int most = 0;
    while (table.canEverHold(new byte[SLAB], 0, 4, most + 1)) {
      most++;
    }
    byte[] record = record(7, 4, new byte[most + 1]);
    assertThat(table.add(0, record, 0, 4, record, 4, most + 1)).isFalse();
    assertThat(table.groups()).isZero();
    assertThat(table.usedBytes()).isZero();
    assertThat(table.add(0, record, 0, 4, record, 4, most)).isTrue();
    assertThat(table.usedBytes()).isEqualTo(table.capacityBytes());
    assertThat(table.add(0, record, 0, 4, record, 4, 9)).as("it is full").isFalse();
    assertThat(table.add(0, record, 0, 3, record, 4, 0)).as("for other keys, too").isFalse();
    assertThat(table.values()).isEqualTo(1);
  }

  @Test
  void eachPartitionIsCombinedOnceWithItsOwnGroups() throws Exception {
    int partitions = 1000;
    List<Integer> sizes = new ArrayList<>();
    GroupCombiner combiner =
        (groups, out) -> {
          int size = 0;
          while (groups.nextGroup()) {
            size++;
            groups.nextValue();
            out.emit(
                groups.keyBytes(),
                groups.keyAt(),
                groups.keyLength(),
                groups.valueBytes(),
                groups.valueAt(),
                groups.valueLength());
          }
          sizes.add(size);
        };
    HashCombiner hash = HashCombiner.open(ORDER, partitions, source, combiner, sorted);
    int[] chosen = {0, 7, 7, 500, 999, 999, 999};
    for (int i = 0; i < chosen.length; i++) {
      addOne(hash, chosen[i], 3); // the same key in each of them
      addOne(hash, chosen[i], i);
    }
    hash.finish();
    assertThat(sizes).hasSize(4);
    assertThat(sorted.sums.keySet().stream().map(key -> key.get(0)).distinct())
        .containsExactlyInAnyOrder(0, 7, 500, 999);
    assertThat(sorted.sums).containsEntry(List.of(999, 3), 1L);
    assertThat(source.lent()).isZero();
  }

  @Test
  void aCombinerThatMindsTheOrderSeesEachPartitionsKeysInIt() throws Exception {
    List<List<Integer>> seen = new ArrayList<>();
    GroupCombiner combiner =
        (groups, out) -> {
          List<Integer> keys = new ArrayList<>();
          while (groups.nextGroup()) {
            keys.add(ByteBuffer.wrap(groups.keyBytes(), groups.keyAt(), 4).getInt());
            long sum = 0;
            while (groups.nextValue()) {
              sum +=
                  SumCombiner.weight(groups.valueBytes(), groups.valueAt(), groups.valueLength());
            }
            byte[] value = SumCombiner.value(sum, 0);
            out.emit(groups.keyBytes(), groups.keyAt(), 4, value, 0, value.length);
          }
          seen.add(keys);
        };
    HashCombiner hash = HashCombiner.open(ORDER, 3, source, combiner, sorted);
    for (int i = 0; i < 20_000; i++) {
      add(hash, i % 3, 30 - i % 30, 4, SumCombiner.value(1, i / 30 % 2));
    }
    hash.finish();
    assertThat(seen).as("three partitions, repeatedly").hasSizeGreaterThan(30);
    assertThat(seen).allSatisfy(keys -> assertThat(keys).hasSizeGreaterThan(5).isSorted());
    assertThat(sorted.sums.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(20_000);
  }

  @Test
  void withoutEnoughSlabsThereIsNoTable() {
    GroupCombiner combiner = new SumCombiner(SumCombiner.Way.ONE);
    assertThat(HashCombiner.open(ORDER, 1, new Slabs(SLABS, SLAB), combiner, sorted))
        .as("the last slab is for collecting")
        .isNull();
    Slabs odd = new Slabs(2 * SLABS, SLAB - 1);
    assertThat(HashCombiner.open(ORDER, 1, odd, combiner, sorted)).isNull();
    assertThat(odd.lent()).isZero();
  }

  private static byte[][] slabs(int count) {
    byte[][] slabs = new byte[count][SLAB];
    for (byte[] slab : slabs) {
      Arrays.fill(slab, (byte) 0x77); // what the last borrower left
    }
    return slabs;
  }

  /** Every group's values in their order, from any mark, as a list of arrays would give them. */
  @Property(tries = 200)
  void groupsHoldWhatWasAdded(@ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int slabs) {
    Random random = new Random(seed);
    GroupTable table = new GroupTable(ORDER, slabs(slabs), slabs(1 << random.nextInt(2)));
    for (int round = 0; round < 3; round++) {
      Map<List<Integer>, List<byte[]>> expected = new HashMap<>();
      int keys = 1 + random.nextInt(40);
      int added = 0;
      byte[] value = {};
      while (added++ < 5000) {
        int partition = random.nextInt(3);
        int number = random.nextInt(keys);
        int keyLength = 4 + number % 9;
        if (random.nextInt(3) == 0) { // else the same as before, maybe for the same key
          value = new byte[random.nextInt(random.nextInt(9) == 0 ? 400 : 20)];
          random.nextBytes(value);
        }
        byte[] bytes = record(number, keyLength, value);
        if (!table.add(partition, bytes, 0, keyLength, bytes, keyLength, value.length)) {
          break;
        }
        expected.computeIfAbsent(List.of(partition, number), key -> new ArrayList<>()).add(value);
      }
      assertThat(table.groups()).isEqualTo(expected.size());
      int[] all = new int[table.groups()];
      Arrays.setAll(all, i -> i);
      Groups groups = table.read(all, 0, all.length);
      for (int group : all) {
        assertThat(groups.nextGroup()).isTrue();
        int number = ByteBuffer.wrap(groups.keyBytes(), groups.keyAt(), 4).getInt();
        assertThat(groups.keyLength()).isEqualTo(4 + number % 9);
        List<byte[]> values = expected.remove(List.of(table.partition(group), number));
        walk(groups, values, random);
      }
      assertThat(groups.nextGroup()).isFalse();
      assertThat(expected).isEmpty();
      table.clear();
    }
  }

  private static void walk(Groups groups, List<byte[]> values, Random random) {
    int marked = 0;
    int at = 0;
    int resets = 3;
    while (true) {
      assertThat(groups.hasNextValue()).isEqualTo(at < values.size());
      if (random.nextInt(4) == 0) {
        groups.mark();
        marked = at;
      }
      if (random.nextInt(6) == 0 && resets-- > 0) {
        groups.reset();
        at = marked;
        continue;
      }
      if (!groups.nextValue()) {
        assertThat(at).isEqualTo(values.size());
        return;
      }
      byte[] value = values.get(at++);
      assertThat(
              Arrays.copyOfRange(
                  groups.valueBytes(), groups.valueAt(), groups.valueAt() + groups.valueLength()))
          .isEqualTo(value);
    }
  }
}
