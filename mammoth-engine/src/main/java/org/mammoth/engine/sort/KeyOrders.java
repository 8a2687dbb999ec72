package org.mammoth.engine.sort;

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

  private static final Map<Class<?>, KeyOrder> KNOWN =
      Map.of(
          Text.Comparator.class, new BytesOrder(BytesOrder.Header.VINT),
          BytesWritable.Comparator.class, new BytesOrder(BytesOrder.Header.FOUR_BYTES),
          IntWritable.Comparator.class, new IntegerOrder(4),
          LongWritable.Comparator.class, new IntegerOrder(8),
          ShortWritable.Comparator.class, new IntegerOrder(2),
          ByteWritable.Comparator.class, new IntegerOrder(1),
          BooleanWritable.Comparator.class, new IntegerOrder(1),
          NullWritable.Comparator.class, new IntegerOrder(0));

  private KeyOrders() {}

  /** The order that {@code comparator} defines. */
  public static KeyOrder of(RawComparator<?> comparator) {
    KeyOrder known = KNOWN.get(comparator.getClass());
    return known != null ? known : new ComparatorOrder(comparator);
  }
}
