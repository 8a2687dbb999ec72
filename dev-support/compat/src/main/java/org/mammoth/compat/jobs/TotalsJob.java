// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * Counts and adds up numbers that its own input makes from a seed: map {@code m} emits, for each
 * number of {@code new SplittableRandom(SEED + m)}, a key below {@code KEYS} and a value that
 * begins with the number and goes on with bytes that follow from it.
 *
 * <p>A reduce fails if any of those bytes is not what it should be, so that no damage is passed
 * over. Gates: {@code start}, {@code middle} and {@code end} of maps, {@code start} and {@code
 * middle} of reduces.
 */
public final class TotalsJob implements BiFunction<Configuration, Path, Job> {
  static final String MAPS = "mammoth.compat.totals.maps";
  static final String RECORDS = "mammoth.compat.totals.records";
  static final String KEYS = "mammoth.compat.totals.keys";
  static final String VALUE_BYTES = "mammoth.compat.totals.value-bytes";
  static final String SEED = "mammoth.compat.totals.seed";

  @Override
  public Job apply(Configuration base, Path folder) {
    try {
      Job job = Job.getInstance(base, "totals " + folder);
      job.setInputFormatClass(NumberedInput.class);
      job.setMapperClass(Numbers.class);
      job.setReducerClass(Totals.class);
      job.setMapOutputKeyClass(Text.class);
      job.setMapOutputValueClass(BytesWritable.class);
      job.setOutputKeyClass(Text.class);
      job.setOutputValueClass(Text.class);
      FileOutputFormat.setOutputPath(job, folder);
      return job;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void fill(byte[] bytes, long number) {
    ByteBuffer.wrap(bytes).putLong(number);
    for (int i = Long.BYTES; i < bytes.length; i++) {
      bytes[i] = (byte) ((number >>> (i % Long.BYTES * Byte.SIZE)) + i);
    }
  }

  /** Makes the records. */
  public static final class Numbers extends Mapper<IntWritable, IntWritable, Text, BytesWritable> {
    private final Text word = new Text();
    private final BytesWritable bytes = new BytesWritable();
    private byte[] value;
    private int keys;
    private int middle;
    private SplittableRandom random;
    private Gate gate;

    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
      Configuration conf = context.getConfiguration();
      TaskNote.leave(conf);
      value = new byte[conf.getInt(VALUE_BYTES, 100)];
      keys = conf.getInt(KEYS, 1000);
      middle = conf.getInt(RECORDS, 1) / 2;
      int map = context.getTaskAttemptID().getTaskID().getId();
      random = new SplittableRandom(conf.getLong(SEED, 0) + map);
      gate = new Gate(context);
      gate.pass("start");
    }

    @Override
    protected void map(IntWritable map, IntWritable record, Context context)
        throws IOException, InterruptedException {
      if (record.get() == middle) {
        gate.pass("middle");
      }
      word.set("key" + random.nextInt(keys));
      fill(value, random.nextLong());
      bytes.set(value, 0, value.length);
      context.write(word, bytes);
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      gate.pass("end");
    }
  }

  /** Writes each key with how many numbers it has and their sum. */
  public static final class Totals extends Reducer<Text, BytesWritable, Text, Text> {
    private static final int MIDDLE = 100;

    private byte[] expected;
    private int groups;
    private Gate gate;

    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
      TaskNote.leave(context.getConfiguration());
      expected = new byte[context.getConfiguration().getInt(VALUE_BYTES, 100)];
      gate = new Gate(context);
      gate.pass("start");
    }

    @Override
    protected void reduce(Text key, Iterable<BytesWritable> values, Context context)
        throws IOException, InterruptedException {
      if (++groups == MIDDLE) {
        gate.pass("middle");
      }
      long count = 0;
      long sum = 0;
      for (BytesWritable value : values) {
        long number = ByteBuffer.wrap(value.getBytes()).getLong();
        fill(expected, number);
        if (!value.equals(new BytesWritable(expected))) {
          throw new IOException("WRONG BYTES reached the reduce under " + key);
        }
        count++;
        sum += number;
      }
      context.write(key, new Text(count + " " + sum));
    }
  }
}
