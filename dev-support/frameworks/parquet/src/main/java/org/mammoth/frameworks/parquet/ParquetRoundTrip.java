// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.parquet;

import java.io.IOException;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.hadoop.ParquetOutputFormat;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.ExampleInputFormat;
import org.apache.parquet.hadoop.example.ExampleOutputFormat;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/**
 * Writes visits to Parquet files, compressed with the codec of {@code frameworks.parquet.codec}, in
 * the maps of one job, and sums their bytes by user in a second job that reads two of the four
 * columns.
 */
public final class ParquetRoundTrip extends Configured implements Tool {

  static final MessageType VISIT =
      MessageTypeParser.parseMessageType(
          "message visit { required binary user (UTF8); required binary url (UTF8);"
              + " required int64 time; required int64 bytes; }");
  private static final String PROJECTION =
      "message visit { required binary user (UTF8); required int64 bytes; }";

  /** Arguments: INPUT, visits as text with tabs; FILES and SUMS, folders to write. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new ParquetRoundTrip(), args));
  }

  @Override
  public int run(String[] args) throws Exception {
    if (args.length != 3) {
      System.err.println("Usage: ParquetRoundTrip INPUT FILES SUMS");
      return 2;
    }
    Path files = new Path(args[1]);
    return write(new Path(args[0]), files) && read(files, new Path(args[2])) ? 0 : 1;
  }

  private boolean write(Path input, Path files) throws Exception {
    Job job = job("parquet write", Visits.class, input, files);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(ExampleOutputFormat.class);
    ExampleOutputFormat.setSchema(job, VISIT);
    ParquetOutputFormat.setCompression(
        job, CompressionCodecName.valueOf(getConf().get("frameworks.parquet.codec", "SNAPPY")));
    ParquetOutputFormat.setEnableDictionary(job, true);
    return job.waitForCompletion(true);
  }

  private boolean read(Path files, Path sums) throws Exception {
    Job job = job("parquet read", Bytes.class, files, sums);
    job.setInputFormatClass(ExampleInputFormat.class);
    ParquetInputFormat.setReadSupportClass(job, GroupReadSupport.class);
    job.getConfiguration().set(ReadSupport.PARQUET_READ_SCHEMA, PROJECTION);
    job.setCombinerClass(Sum.class);
    job.setReducerClass(Sum.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
    return job.waitForCompletion(true);
  }

  @SuppressWarnings("rawtypes") // Job.setMapperClass takes them raw
  private Job job(String name, Class<? extends Mapper> mapper, Path input, Path output)
      throws IOException {
    Job job = Job.getInstance(getConf(), name);
    job.setJarByClass(ParquetRoundTrip.class);
    job.setMapperClass(mapper);
    FileInputFormat.addInputPath(job, input);
    FileOutputFormat.setOutputPath(job, output);
    return job;
  }

  /** A group of each line. */
  public static final class Visits extends Mapper<LongWritable, Text, Void, Group> {
    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      String[] fields = line.toString().split("\t");
      Group visit = new SimpleGroup(VISIT);
      visit.append("user", fields[0]).append("url", fields[1]);
      visit.append("time", Long.parseLong(fields[2])).append("bytes", Long.parseLong(fields[3]));
      context.write(null, visit);
    }
  }

  /** (user, bytes) of each group. */
  public static final class Bytes extends Mapper<Void, Group, Text, LongWritable> {
    @Override
    protected void map(Void nothing, Group visit, Context context)
        throws IOException, InterruptedException {
      context.write(
          new Text(visit.getString("user", 0)), new LongWritable(visit.getLong("bytes", 0)));
    }
  }

  /** (user, sum). */
  public static final class Sum extends Reducer<Text, LongWritable, Text, LongWritable> {
    @Override
    protected void reduce(Text user, Iterable<LongWritable> parts, Context context)
        throws IOException, InterruptedException {
      long sum = 0;
      for (LongWritable part : parts) {
        sum += part.get();
      }
      context.write(user, new LongWritable(sum));
    }
  }
}
