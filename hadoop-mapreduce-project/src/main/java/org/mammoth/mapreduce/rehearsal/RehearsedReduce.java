// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.rehearsal;

import java.io.IOException;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.Reducer;

/** Reduces of a rehearsal. Each ends as soon as its thread is interrupted. */
final class RehearsedReduce {

  private RehearsedReduce() {}

  /** Adds up; is the combiner, too. */
  public static final class Sum extends Reducer<Text, IntWritable, Text, IntWritable> {

    private final IntWritable sum = new IntWritable();

    @Override
    protected void reduce(Text word, Iterable<IntWritable> counts, Context context)
        throws IOException, InterruptedException {
      RehearsedMap.checkInterrupt();
      int all = 0;
      for (IntWritable count : counts) {
        all += count.get();
      }
      sum.set(all);
      context.write(word, sum);
    }
  }

  /** Leaves all as it is. */
  public static final class Same extends Reducer<Text, Writable, Text, Writable> {

    @Override
    protected void reduce(Text key, Iterable<Writable> values, Context context)
        throws IOException, InterruptedException {
      RehearsedMap.checkInterrupt();
      for (Writable value : values) {
        context.write(key, value);
      }
    }
  }
}
