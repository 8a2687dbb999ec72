// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.util.Set;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.ByteWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.ShortWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.VIntWritable;
import org.apache.hadoop.io.VLongWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.serializer.Serializer;
import org.apache.hadoop.io.serializer.WritableSerialization;

/**
 * Tells which classes may be written straight into a record buffer. A Writable of the job's own
 * gets the DataOutputStream it has always got, in case it asks for one.
 */
final class PlainWritables {

  private static final Set<Class<?>> KNOWN =
      Set.of(
          Text.class,
          BytesWritable.class,
          IntWritable.class,
          LongWritable.class,
          ShortWritable.class,
          ByteWritable.class,
          BooleanWritable.class,
          FloatWritable.class,
          DoubleWritable.class,
          VIntWritable.class,
          VLongWritable.class,
          NullWritable.class);

  private static final Class<?> WRITABLE_SERIALIZER =
      new WritableSerialization().getSerializer(Writable.class).getClass();

  private PlainWritables() {}

  /** Whether {@code serializer} does nothing but call {@code type}'s own write method. */
  static boolean writeThemselves(Class<?> type, Serializer<?> serializer) {
    return KNOWN.contains(type) && serializer.getClass() == WRITABLE_SERIALIZER;
  }
}
