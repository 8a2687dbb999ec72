// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.groups;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.io.BytesWritable;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.Groups;

/** What a table gives back beside a map of lists, however long and often repeated values are. */
class GroupTableTest {

  private static final int SLAB = 1 << 12;
  private static final KeyOrder ORDER = KeyOrders.of(new BytesWritable.Comparator());

  private final GroupTable table = new GroupTable(ORDER, new byte[8][SLAB], new byte[2][SLAB]);
  private final Map<Long, List<String>> expected = new LinkedHashMap<>();

  @Property(tries = 200)
  void aTableIsAMapOfLists(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 700) int keys,
      @ForAll @IntRange(min = 0, max = 40) int longest,
      @ForAll @IntRange(min = 1, max = 300) int distinct) {
    table.clear();
    expected.clear();
    SplittableRandom random = new SplittableRandom(seed);
    long values = 0;
    for (int i = 0; i < 3000; i++) {
      byte[] value = value(random.nextInt(distinct), longest);
      if (add(random.nextInt(2), random.nextInt(keys), value)) {
        values++;
      }
    }
    assertThat(table.values()).isEqualTo(values);
    assertThat(table.groups()).isEqualTo(expected.size());
    assertSameAsExpected(random);
  }

  @Test
  void aShortValueThatComesAgainAndAgainTakesNoRoom() {
    add(0, 1, value(3, 8));
    long before = table.usedBytes();
    for (int i = 0; i < 1000; i++) {
      add(0, 1, value(3, 8));
    }
    assertThat(table.usedBytes()).isEqualTo(before);
    assertSameAsExpected(new SplittableRandom(1));
  }

  @Test
  void whatDoesNotFitChangesNothing() {
    int added = 0;
    while (add(0, 1, value(added, 40))) {
      added++;
    }
    long before = table.usedBytes();
    assertThat(add(0, 1, value(added, 40))).isFalse();
    assertThat(table.values()).isEqualTo(added);
    assertThat(table.usedBytes()).isEqualTo(before);
    assertSameAsExpected(new SplittableRandom(1));
  }

  /** The same number always gives the same value; several give values of the same length. */
  private static byte[] value(int number, int longest) {
    byte[] value = new byte[longest == 0 ? 0 : number * 7 % (longest + 1)];
    Arrays.fill(value, (byte) number);
    return value;
  }

  private boolean add(int partition, int key, byte[] value) {
    int keyLength = Integer.BYTES + key % 13;
    byte[] record = ByteBuffer.allocate(keyLength + value.length).putInt(key).array();
    System.arraycopy(value, 0, record, keyLength, value.length);
    boolean added = table.add(partition, record, 0, keyLength, record, keyLength, value.length);
    if (added) {
      expected
          .computeIfAbsent((long) partition << 32 | key, any -> new ArrayList<>())
          .add(Arrays.toString(value));
    }
    return added;
  }

  /** Reads everything, going back to a mark now and then. */
  private void assertSameAsExpected(SplittableRandom random) {
    int[] ends = new int[2];
    int[] chosen = table.byPartition(ends);
    Map<Long, List<String>> found = new LinkedHashMap<>();
    for (int partition = 0; partition < 2; partition++) {
      int from = partition == 0 ? 0 : ends[0];
      Groups groups = table.read(chosen, from, ends[partition]);
      while (groups.nextGroup()) {
        long key = ByteBuffer.wrap(groups.keyBytes(), groups.keyAt(), groups.keyLength()).getInt();
        found.put((long) partition << 32 | key, values(groups, random));
      }
    }
    assertThat(found).isEqualTo(expected);
  }

  private static List<String> values(Groups groups, SplittableRandom random) {
    List<String> values = new ArrayList<>();
    int marked = 0;
    boolean mayGoBack = false;
    while (groups.hasNextValue()) {
      assertThat(groups.nextValue()).isTrue();
      int from = groups.valueAt();
      values.add(
          Arrays.toString(
              Arrays.copyOfRange(groups.valueBytes(), from, from + groups.valueLength())));
      if (random.nextInt(10) == 0) {
        groups.mark();
        marked = values.size();
        mayGoBack = true;
      } else if (mayGoBack && random.nextInt(10) == 0) {
        groups.reset();
        values.subList(marked, values.size()).clear();
        mayGoBack = false;
        int again = groups.valueAt();
        assertThat(
                Arrays.toString(
                    Arrays.copyOfRange(groups.valueBytes(), again, again + groups.valueLength())))
            .isEqualTo(values.get(marked - 1));
      }
    }
    assertThat(groups.nextValue()).isFalse();
    return values;
  }
}
