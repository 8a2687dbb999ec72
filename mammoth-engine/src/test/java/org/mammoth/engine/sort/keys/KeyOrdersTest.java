// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.ByteWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.ShortWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparator;

/**
 * Each of Hadoop's comparators that is taken for a known order says what that order says, of any
 * bytes that it can read: a job may name it for keys of any class.
 */
class KeyOrdersTest {

  /** A comparator and how many bytes of a key it counts on. */
  private record Known(WritableComparator comparator, int least) {}

  private static final List<Known> ALL =
      List.of(
          // bytes of the longest length
          new Known(new Text.Comparator(), 9),
          new Known(new BytesWritable.Comparator(), 4),
          new Known(new IntWritable.Comparator(), 4),
          new Known(new LongWritable.Comparator(), 8),
          new Known(new ShortWritable.Comparator(), 2),
          new Known(new ByteWritable.Comparator(), 1),
          new Known(new BooleanWritable.Comparator(), 0));

  @Property(tries = 3000)
  void anOrderSaysWhatItsComparatorSays(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 6) int which) {
    Random random = new Random(seed);
    Known known = ALL.get(which);
    KeyOrder order = KeyOrders.of(known.comparator());
    assertThat(order).isNotInstanceOf(ComparatorOrder.class);
    assertThat(order).isSameAs(KeyOrders.numbered(KeyOrders.numberOf(known.comparator())));
    byte[] left = new byte[random.nextInt(4) + known.least() + random.nextInt(20)];
    byte[] right = new byte[random.nextInt(4) + known.least() + random.nextInt(20)];
    random.nextBytes(left);
    random.nextBytes(right);
    int leftAt = random.nextInt(left.length - known.least() + 1);
    int rightAt = random.nextInt(right.length - known.least() + 1);
    int leftLength = length(random, left.length - leftAt, known.least());
    int rightLength = length(random, right.length - rightAt, known.least());
    // else they would seldom begin alike
    int same = random.nextInt(1 + Math.min(leftLength, rightLength));
    System.arraycopy(left, leftAt, right, rightAt, same);
    int expected =
        known.comparator().compare(left, leftAt, leftLength, right, rightAt, rightLength);
    int compared = order.compare(left, leftAt, leftLength, right, rightAt, rightLength);
    assertThat(Integer.signum(compared)).isEqualTo(Integer.signum(expected));
    long ofLeft = order.prefix(left, leftAt, leftLength);
    long ofRight = order.prefix(right, rightAt, rightLength);
    if (ofLeft != ofRight || order.decides(ofLeft)) {
      assertThat(Long.compare(ofLeft, ofRight)).isEqualTo(Integer.signum(expected));
    }
  }

  private static int length(Random random, int most, int least) {
    return random.nextInt(3) == 0 ? most : least + random.nextInt(most - least + 1);
  }
}
