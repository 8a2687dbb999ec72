// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * Few records that each take a good part of a task's heap: a line of the input says key and length
 * of one. The output has the checksum of each, in order of the keys.
 */
public final class LargeJob implements BiFunction<Configuration, Path, Job> {

  /** Makes a record of each line. */
  public static final class Maker extends Mapper<LongWritable, Text, IntWritable, BytesWritable> {

    @Override
    protected void setup(Context context) throws IOException {
      TaskNote.leave(context.getConfiguration());
    }

    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      String[] words = line.toString().split(" ");
      int key = Integer.parseInt(words[0]);
      byte[] bytes = new byte[Integer.parseInt(words[1])];
      byte[] page = new byte[4096];
      new Random(key).nextBytes(page);
      for (int at = 0; at < bytes.length; at += page.length) {
        page[0]++;
        System.arraycopy(page, 0, bytes, at, Math.min(page.length, bytes.length - at));
      }
      context.write(new IntWritable(key), new BytesWritable(bytes));
    }
  }

  /** Writes each record's length and checksum. */
  public static final class Checker extends Reducer<IntWritable, BytesWritable, IntWritable, Text> {

    @Override
    protected void setup(Context context) throws IOException {
      TaskNote.leave(context.getConfiguration());
    }

    @Override
    protected void reduce(IntWritable key, Iterable<BytesWritable> records, Context context)
        throws IOException, InterruptedException {
      for (BytesWritable record : records) {
        CRC32 sum = new CRC32();
        sum.update(record.getBytes(), 0, record.getLength());
        context.write(key, new Text(record.getLength() + " " + Long.toHexString(sum.getValue())));
      }
    }
  }

  @Override
  public Job apply(Configuration base, Path folder) {
    try {
      Job job = Job.getInstance(base, "large records of " + folder);
      job.setMapperClass(Maker.class);
      job.setReducerClass(Checker.class);
      job.setNumReduceTasks(1);
      job.setMapOutputKeyClass(IntWritable.class);
      job.setMapOutputValueClass(BytesWritable.class);
      job.setOutputKeyClass(IntWritable.class);
      job.setOutputValueClass(Text.class);
      job.setSpeculativeExecution(false);
      FileInputFormat.addInputPath(job, new Path(folder, "input"));
      FileOutputFormat.setOutputPath(job, new Path(folder, "output"));
      return job;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
