// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.ByteWritable;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.ShortWritable;
import org.apache.hadoop.io.VIntWritable;
import org.apache.hadoop.io.VLongWritable;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * Tells which combiners cannot know in which order groups come: those that do nothing but reduce
 * each group, and have at most the Writable of a number to write results with. A sum does; the best
 * of all keys, or one that compares a key with the last one, does not.
 */
final class CombinerState {

  /** Methods that go from group to group, or emit what is left when all have gone by. */
  private static final Set<String> BEYOND_A_GROUP = Set.of("run", "cleanup", "close");

  private static final Set<Class<?>> NUMBERS =
      Set.of(
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

  private static final Set<Class<?>> BASES =
      Set.of(Object.class, Reducer.class, MapReduceBase.class);

  private CombinerState() {}

  /** Whether objects of a combiner's class may carry something from one group to the next. */
  static boolean mayKeepAny(Class<?> combiner) {
    try {
      for (Class<?> each = combiner; !BASES.contains(each); each = each.getSuperclass()) {
        for (Method method : each.getDeclaredMethods()) {
          if (BEYOND_A_GROUP.contains(method.getName()) && method.getParameterCount() <= 1) {
            return true;
          }
        }
        for (Field field : each.getDeclaredFields()) {
          if (mayHoldState(field)) {
            return true;
          }
        }
      }
      return false;
    } catch (LinkageError e) {
      // a class that is named there and is missing; the task may well do without it
      return true;
    }
  }

  private static boolean mayHoldState(Field field) {
    boolean constant =
        Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers());
    return !constant && !NUMBERS.contains(field.getType());
  }
}
