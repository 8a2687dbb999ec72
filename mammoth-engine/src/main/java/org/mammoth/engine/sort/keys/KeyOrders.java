// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.keys;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.ByteWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.ShortWritable;
import org.apache.hadoop.io.Text;

/**
 * Finds the order for a job's comparator. Only the exact comparators that Hadoop registers for its
 * own Writables are known; a subclass or a comparator of the job's may order anything anyhow and is
 * called for each comparison.
 */
public final class KeyOrders {

  /** Orders by their numbers, which never change their meaning: they travel between nodes. */
  private static final List<KeyOrder> NUMBERED =
      List.of(
          new BytesOrder(BytesOrder.Header.VINT),
          new BytesOrder(BytesOrder.Header.FOUR_BYTES),
          new IntegerOrder(4),
          new IntegerOrder(8),
          new IntegerOrder(2),
          new IntegerOrder(1),
          new IntegerOrder(0),
          new WholeBytesOrder());

  private static final Map<Class<?>, Integer> KNOWN =
      Map.of(
          Text.Comparator.class, 1,
          BytesWritable.Comparator.class, 2,
          IntWritable.Comparator.class, 3,
          LongWritable.Comparator.class, 4,
          ShortWritable.Comparator.class, 5,
          ByteWritable.Comparator.class, 6,
          BooleanWritable.Comparator.class, 8,
          NullWritable.Comparator.class, 7);

  private KeyOrders() {}

  /** The order that {@code comparator} defines. */
  public static KeyOrder of(RawComparator<?> comparator) {
    KeyOrder known = numbered(numberOf(comparator));
    return known != null ? known : new ComparatorOrder(comparator);
  }

  /** The number by which another engine knows the order, from 1 on; 0 if only the job does. */
  public static int numberOf(RawComparator<?> comparator) {
    return KNOWN.getOrDefault(comparator.getClass(), 0);
  }

  /**
   * Whether keys of a class that are equal to {@code comparator} have the same bytes: if it is the
   * one that Hadoop has for just this class. Of other keys it may see a part only.
   */
  public static boolean compareAllBytes(RawComparator<?> comparator, Class<?> key) {
    return numberOf(comparator) != 0 && comparator.getClass().getDeclaringClass() == key;
  }

  /** The order of a number; null if this engine knows none. It keeps no state. */
  public static KeyOrder numbered(int number) {
    return number < 1 || number > NUMBERED.size() ? null : NUMBERED.get(number - 1);
  }
}
