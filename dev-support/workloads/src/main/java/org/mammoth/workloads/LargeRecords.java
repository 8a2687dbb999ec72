// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.IOException;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * A job of few records, each of which takes a good part of a task's heap. The output has one line
 * for each, with its length and checksum, so that it tells whether all bytes came through.
 * Properties, given with {@code -D}: {@code large.maps} (as many as records): number of maps.
 */
public final class LargeRecords extends Configured implements Tool {

  static final String MAPS = "large.maps";
  static final String BYTES = "large.bytes";

  /** Makes each record from its number alone. */
  public static final class Maker
      extends Mapper<LongWritable, NullWritable, LongWritable, BytesWritable> {

    private final BytesWritable record = new BytesWritable();

    @Override
    protected void map(LongWritable number, NullWritable nothing, Context context)
        throws IOException, InterruptedException {
      int bytes = context.getConfiguration().getInt(BYTES, 1);
      if (record.getLength() != bytes) {
        // exactly as large: setSize alone would reserve half as much again
        record.setCapacity(bytes);
        record.setSize(bytes);
      }
      fill(record.getBytes(), bytes, number.get());
      context.write(number, record);
    }
  }

  /** A page of random bytes again and again, each time another first byte. */
  static void fill(byte[] into, int length, long seed) {
    byte[] page = new byte[4096];
    new Random(seed).nextBytes(page);
    for (int at = 0; at < length; at += page.length) {
      page[0]++;
      System.arraycopy(page, 0, into, at, Math.min(page.length, length - at));
    }
  }

  /** Writes a line for each record. */
  public static final class Checker
      extends Reducer<LongWritable, BytesWritable, LongWritable, Text> {

    private final Text line = new Text();

    @Override
    protected void reduce(LongWritable number, Iterable<BytesWritable> records, Context context)
        throws IOException, InterruptedException {
      for (BytesWritable record : records) {
        CRC32 sum = new CRC32();
        sum.update(record.getBytes(), 0, record.getLength());
        line.set(record.getLength() + " bytes " + Long.toHexString(sum.getValue()));
        context.write(number, line);
      }
    }
  }

  @Override
  public int run(String[] args) throws Exception {
    if (args.length != 3) {
      System.err.println("Usage: large-records <records> <size, as 300m> <output>");
      System.err.println("Properties: " + MAPS);
      ToolRunner.printGenericCommandUsage(System.err);
      return 2;
    }
    long records = Arguments.number(args, 0, "records", 1, 1);
    int bytes = Math.toIntExact(Arguments.size(args[1]));
    Job job = Job.getInstance(getConf(), records + " records of " + args[1]);
    Configuration conf = job.getConfiguration();
    conf.setInt(BYTES, bytes);
    job.setJarByClass(LargeRecords.class);
    RangeInputFormat.setRange(job, records, conf.getInt(MAPS, Math.toIntExact(records)));
    job.setMapperClass(Maker.class);
    job.setReducerClass(Checker.class);
    job.setMapOutputKeyClass(LongWritable.class);
    job.setMapOutputValueClass(BytesWritable.class);
    job.setOutputKeyClass(LongWritable.class);
    job.setOutputValueClass(Text.class);
    FileOutputFormat.setOutputPath(job, new Path(args[2]));
    return job.waitForCompletion(true) ? 0 : 1;
  }

  /** Command line: {@code large-records <records> <size> <output>}. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new Configuration(), new LargeRecords(), args));
  }
}
