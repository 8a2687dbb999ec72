// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.bson;

import com.mongodb.hadoop.BSONFileInputFormat;
import com.mongodb.hadoop.BSONFileOutputFormat;
import com.mongodb.hadoop.io.BSONWritable;
import java.io.IOException;
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
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.bson.BSONObject;
import org.bson.BasicBSONObject;

/** Writes visits as BSON files, and sums them up by keys that are documents within documents. */
public final class Documents extends Configured implements Tool {

  /** Arguments: VISITS, text with tabs; OUTPUT, a folder to write. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new Documents(), args));
  }

  @Override
  public int run(String[] args) throws Exception {
    if (args.length != 2) {
      System.err.println("Usage: Documents VISITS OUTPUT");
      return 2;
    }
    Path written = new Path(args[1], "visits.bson");
    return write(new Path(args[0]), written) && sum(written, new Path(args[1], "sums")) ? 0 : 1;
  }

  private boolean write(Path from, Path to) throws Exception {
    Job job = Job.getInstance(getConf(), "bson write");
    job.setJarByClass(Documents.class);
    job.setMapperClass(Visits.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(BSONFileOutputFormat.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(BSONWritable.class);
    FileInputFormat.addInputPath(job, from);
    FileOutputFormat.setOutputPath(job, to);
    return job.waitForCompletion(true);
  }

  private boolean sum(Path from, Path to) throws Exception {
    Job job = Job.getInstance(getConf(), "bson sum");
    job.setJarByClass(Documents.class);
    job.setInputFormatClass(BSONFileInputFormat.class);
    job.setMapperClass(Hosts.class);
    job.setCombinerClass(Sums.class);
    job.setReducerClass(Sums.class);
    job.setNumReduceTasks(2);
    job.setOutputFormatClass(TextOutputFormat.class);
    job.setOutputKeyClass(BSONWritable.class);
    job.setOutputValueClass(BSONWritable.class);
    FileInputFormat.addInputPath(job, from);
    FileOutputFormat.setOutputPath(job, to);
    return job.waitForCompletion(true);
  }

  /** Makes a document of a visit: user, page, second, bytes. */
  static final class Visits extends Mapper<LongWritable, Text, NullWritable, BSONWritable> {
    @Override
    protected void map(LongWritable at, Text line, Context context)
        throws IOException, InterruptedException {
      String[] columns = line.toString().split("\t");
      BSONObject visit = new BasicBSONObject("user", columns[0]).append("page", columns[1]);
      visit.put("second", Long.parseLong(columns[2]));
      visit.put("bytes", Integer.parseInt(columns[3]));
      context.write(NullWritable.get(), new BSONWritable(visit));
    }
  }

  /** The host of a visit's page, and whether its user is known, with the bytes. */
  static final class Hosts extends Mapper<NullWritable, BSONObject, BSONWritable, BSONWritable> {
    private final BSONWritable key = new BSONWritable();
    private final BSONWritable value = new BSONWritable();

    @Override
    protected void map(NullWritable none, BSONObject visit, Context context)
        throws IOException, InterruptedException {
      String host = ((String) visit.get("page")).split("/")[2];
      boolean known = ((String) visit.get("user")).startsWith("user");
      key.setDoc(
          new BasicBSONObject("of", new BasicBSONObject("host", host).append("known", known)));
      value.setDoc(new BasicBSONObject("visits", 1L).append("bytes", sum(visit)));
      context.write(key, value);
    }

    private static long sum(BSONObject visit) {
      return ((Number) visit.get("bytes")).longValue();
    }
  }

  /** Adds up; also the combiner. */
  static final class Sums extends Reducer<BSONWritable, BSONWritable, BSONWritable, BSONWritable> {
    @Override
    protected void reduce(BSONWritable key, Iterable<BSONWritable> values, Context context)
        throws IOException, InterruptedException {
      long visits = 0;
      long bytes = 0;
      for (BSONWritable value : values) {
        visits += ((Number) value.getDoc().get("visits")).longValue();
        bytes += ((Number) value.getDoc().get("bytes")).longValue();
      }
      context.write(
          key, new BSONWritable(new BasicBSONObject("visits", visits).append("bytes", bytes)));
    }
  }
}
