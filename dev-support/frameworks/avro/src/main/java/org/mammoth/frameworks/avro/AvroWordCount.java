// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.avro;

import java.io.IOException;
import java.util.StringTokenizer;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.mapred.AvroKey;
import org.apache.avro.mapred.AvroValue;
import org.apache.avro.mapreduce.AvroJob;
import org.apache.avro.mapreduce.AvroKeyInputFormat;
import org.apache.avro.mapreduce.AvroKeyOutputFormat;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Counts words in two jobs: the first writes a container file of records (word, count), the second
 * reads it and sums the counts by the words' first letter. Keys and values cross both shuffles in
 * Avro's own serialisation.
 */
public final class AvroWordCount extends Configured implements Tool {

  static final Schema COUNT =
      SchemaBuilder.record("Count")
          .namespace("org.mammoth.frameworks")
          .fields()
          .requiredString("word")
          .requiredLong("count")
          .endRecord();
  private static final Schema STRING = Schema.create(Schema.Type.STRING);
  private static final Schema LONG = Schema.create(Schema.Type.LONG);

  /** Arguments: INPUT, a folder of text; RECORDS and LETTERS, folders to write. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new AvroWordCount(), args));
  }

  @Override
  public int run(String[] args) throws Exception {
    if (args.length != 3) {
      System.err.println("Usage: AvroWordCount INPUT RECORDS LETTERS");
      return 2;
    }
    Path records = new Path(args[1]);
    return count(new Path(args[0]), records) && letters(records, new Path(args[2])) ? 0 : 1;
  }

  private boolean count(Path input, Path records) throws Exception {
    Job job = job("avro word count", Words.class, input, records);
    AvroJob.setMapOutputKeySchema(job, STRING);
    AvroJob.setMapOutputValueSchema(job, LONG);
    AvroJob.setOutputKeySchema(job, COUNT);
    job.setReducerClass(Counts.class);
    job.setOutputFormatClass(AvroKeyOutputFormat.class);
    return job.waitForCompletion(true);
  }

  private boolean letters(Path records, Path letters) throws Exception {
    Job job = job("avro letters", Letters.class, records, letters);
    job.setInputFormatClass(AvroKeyInputFormat.class);
    AvroJob.setInputKeySchema(job, COUNT);
    AvroJob.setMapOutputKeySchema(job, STRING);
    AvroJob.setMapOutputValueSchema(job, COUNT);
    job.setReducerClass(Totals.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
    return job.waitForCompletion(true);
  }

  @SuppressWarnings("rawtypes") // Job.setMapperClass takes them raw
  private Job job(String name, Class<? extends Mapper> mapper, Path input, Path output)
      throws IOException {
    Job job = Job.getInstance(getConf(), name);
    job.setJarByClass(AvroWordCount.class);
    job.setMapperClass(mapper);
    FileInputFormat.addInputPath(job, input);
    FileOutputFormat.setOutputPath(job, output);
    return job;
  }

  /** (word, 1) of each word. */
  public static final class Words
      extends Mapper<LongWritable, Text, AvroKey<CharSequence>, AvroValue<Long>> {
    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      StringTokenizer words = new StringTokenizer(line.toString());
      while (words.hasMoreTokens()) {
        context.write(new AvroKey<>(words.nextToken()), new AvroValue<>(1L));
      }
    }
  }

  /** The record of each word. */
  public static final class Counts
      extends Reducer<
          AvroKey<CharSequence>, AvroValue<Long>, AvroKey<GenericRecord>, NullWritable> {
    @Override
    protected void reduce(
        AvroKey<CharSequence> word, Iterable<AvroValue<Long>> ones, Context context)
        throws IOException, InterruptedException {
      long sum = 0;
      for (AvroValue<Long> one : ones) {
        sum += one.datum();
      }
      GenericRecord count = new GenericData.Record(COUNT);
      count.put("word", word.datum().toString());
      count.put("count", sum);
      context.write(new AvroKey<>(count), NullWritable.get());
    }
  }

  /** (first letter, record) of each record. */
  public static final class Letters
      extends Mapper<
          AvroKey<GenericRecord>, NullWritable, AvroKey<CharSequence>, AvroValue<GenericRecord>> {
    @Override
    protected void map(AvroKey<GenericRecord> count, NullWritable nothing, Context context)
        throws IOException, InterruptedException {
      String word = count.datum().get("word").toString();
      context.write(new AvroKey<>(word.substring(0, 1)), new AvroValue<>(count.datum()));
    }
  }

  /** (first letter, number of words). */
  public static final class Totals
      extends Reducer<AvroKey<CharSequence>, AvroValue<GenericRecord>, Text, LongWritable> {
    @Override
    protected void reduce(
        AvroKey<CharSequence> letter, Iterable<AvroValue<GenericRecord>> counts, Context context)
        throws IOException, InterruptedException {
      long sum = 0;
      for (AvroValue<GenericRecord> count : counts) {
        sum += (Long) count.datum().get("count");
      }
      context.write(new Text(letter.datum().toString()), new LongWritable(sum));
    }
  }
}
