// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.orc;

import java.io.IOException;
import java.util.Iterator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.orc.OrcConf;
import org.apache.orc.TypeDescription;
import org.apache.orc.mapred.OrcKey;
import org.apache.orc.mapred.OrcStruct;
import org.apache.orc.mapred.OrcValue;
import org.apache.orc.mapreduce.OrcInputFormat;
import org.apache.orc.mapreduce.OrcOutputFormat;

/**
 * Visits to ORC files by the new API, with structs as keys and values of the shuffle; sums of those
 * by the new API and by the old.
 */
public final class OrcRoundTrip extends Configured implements Tool {

  /**
   * All of a row: among equal keys no order is promised, and another one compresses differently.
   */
  private static final String KEY = "struct<user:string,page:string,bytes:bigint>";

  private static final String VALUE = "struct<page:string,bytes:bigint>";
  private static final String ROW = "struct<user:string,page:string,bytes:bigint>";

  /** Arguments: INPUT, a folder of visits; VISITS, SUMS and OLD-SUMS, folders to write. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new OrcRoundTrip(), args));
  }

  @Override
  public int run(String[] args) throws Exception {
    Path rows = new Path(args[1]);
    return write(new Path(args[0]), rows) && sum(rows, new Path(args[2])) && sumOld(rows, args[3])
        ? 0
        : 1;
  }

  private boolean write(Path input, Path rows) throws Exception {
    Configuration conf = new Configuration(getConf());
    OrcConf.MAPRED_OUTPUT_SCHEMA.setString(conf, ROW);
    OrcConf.MAPRED_SHUFFLE_KEY_SCHEMA.setString(conf, KEY);
    OrcConf.MAPRED_SHUFFLE_VALUE_SCHEMA.setString(conf, VALUE);
    Job job = Job.getInstance(conf, "orc write");
    job.setJarByClass(OrcRoundTrip.class);
    job.setMapperClass(Visits.class);
    job.setReducerClass(Rows.class);
    job.setMapOutputKeyClass(OrcKey.class);
    job.setMapOutputValueClass(OrcValue.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(OrcStruct.class);
    job.setOutputFormatClass(OrcOutputFormat.class);
    FileInputFormat.addInputPath(job, input);
    FileOutputFormat.setOutputPath(job, rows);
    return job.waitForCompletion(true);
  }

  private boolean sum(Path rows, Path sums) throws Exception {
    Job job = Job.getInstance(new Configuration(getConf()), "orc sums");
    job.setJarByClass(OrcRoundTrip.class);
    job.setInputFormatClass(OrcInputFormat.class);
    job.setMapperClass(Users.class);
    job.setReducerClass(Sums.class);
    job.setCombinerClass(Sums.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
    FileInputFormat.addInputPath(job, rows);
    FileOutputFormat.setOutputPath(job, sums);
    return job.waitForCompletion(true);
  }

  private boolean sumOld(Path rows, String sums) throws Exception {
    JobConf job = new JobConf(getConf(), OrcRoundTrip.class);
    job.setJobName("orc sums old");
    job.setInputFormat(org.apache.orc.mapred.OrcInputFormat.class);
    job.setMapperClass(OldUsers.class);
    job.setReducerClass(OldSums.class);
    job.setMapOutputKeyClass(Text.class);
    job.setMapOutputValueClass(LongWritable.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(OrcStruct.class);
    job.setOutputFormat(org.apache.orc.mapred.OrcOutputFormat.class);
    OrcConf.MAPRED_OUTPUT_SCHEMA.setString(job, VALUE);
    org.apache.hadoop.mapred.FileInputFormat.addInputPath(job, rows);
    org.apache.hadoop.mapred.FileOutputFormat.setOutputPath(job, new Path(sums));
    return JobClient.runJob(job).isSuccessful();
  }

  /** (user, page and bytes) of each visit. */
  public static final class Visits extends Mapper<LongWritable, Text, OrcKey, OrcValue> {
    private final OrcStruct key = new OrcStruct(TypeDescription.fromString(KEY));
    private final OrcStruct value = new OrcStruct(TypeDescription.fromString(VALUE));

    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      String[] fields = line.toString().split("\t");
      LongWritable bytes = new LongWritable(Long.parseLong(fields[3]));
      key.setAllFields(new Text(fields[0]), new Text(fields[1]), bytes);
      value.setAllFields(new Text(fields[1]), bytes);
      context.write(new OrcKey(key), new OrcValue(value));
    }
  }

  /** Rows of the file. */
  public static final class Rows extends Reducer<OrcKey, OrcValue, NullWritable, OrcStruct> {
    private final OrcStruct row = new OrcStruct(TypeDescription.fromString(ROW));

    @Override
    protected void reduce(OrcKey key, Iterable<OrcValue> values, Context context)
        throws IOException, InterruptedException {
      for (OrcValue value : values) {
        OrcStruct visit = (OrcStruct) value.value;
        row.setAllFields(
            ((OrcStruct) key.key).getFieldValue(0), visit.getFieldValue(0), visit.getFieldValue(1));
        context.write(NullWritable.get(), row);
      }
    }
  }

  /** (user, bytes) of each row. */
  public static final class Users extends Mapper<NullWritable, OrcStruct, Text, LongWritable> {
    @Override
    protected void map(NullWritable nothing, OrcStruct row, Context context)
        throws IOException, InterruptedException {
      context.write((Text) row.getFieldValue("user"), (LongWritable) row.getFieldValue("bytes"));
    }
  }

  /** Sums. */
  public static final class Sums extends Reducer<Text, LongWritable, Text, LongWritable> {
    @Override
    protected void reduce(Text user, Iterable<LongWritable> bytes, Context context)
        throws IOException, InterruptedException {
      long sum = 0;
      for (LongWritable each : bytes) {
        sum += each.get();
      }
      context.write(user, new LongWritable(sum));
    }
  }

  /** As {@link Users}, by the old API. */
  public static final class OldUsers extends MapReduceBase
      implements org.apache.hadoop.mapred.Mapper<NullWritable, OrcStruct, Text, LongWritable> {
    @Override
    public void map(
        NullWritable nothing,
        OrcStruct row,
        OutputCollector<Text, LongWritable> out,
        Reporter reporter)
        throws IOException {
      reporter.incrCounter("orc", "rows", 1);
      out.collect((Text) row.getFieldValue("user"), (LongWritable) row.getFieldValue("bytes"));
    }
  }

  /** Sums to ORC files, by the old API. */
  public static final class OldSums extends MapReduceBase
      implements org.apache.hadoop.mapred.Reducer<Text, LongWritable, NullWritable, OrcStruct> {
    private final OrcStruct row = new OrcStruct(TypeDescription.fromString(VALUE));

    @Override
    public void reduce(
        Text user,
        Iterator<LongWritable> bytes,
        OutputCollector<NullWritable, OrcStruct> out,
        Reporter reporter)
        throws IOException {
      long sum = 0;
      while (bytes.hasNext()) {
        sum += bytes.next().get();
      }
      row.setAllFields(user, new LongWritable(sum));
      out.collect(NullWritable.get(), row);
    }
  }
}
