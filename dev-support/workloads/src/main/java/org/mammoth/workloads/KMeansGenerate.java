// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** Writes points around a few centres as text, in a map-only job, for {@link KMeans}. */
public final class KMeansGenerate extends Configured implements Tool {
  static final String SEED = "kmeans.generate.seed";

  private static final int DIMENSIONS = 10;
  private static final int CLUSTERS = 12;
  private static final int WIDE = 1_000_000;
  private static final int NEAR = 80_000;

  /** Bytes of a line, about. */
  private static final long LINE = 68;

  /** Writes the line of each point. */
  public static final class PointMapper
      extends Mapper<LongWritable, NullWritable, NullWritable, Text> {
    private final Text text = new Text();

    @Override
    protected void map(LongWritable number, NullWritable nothing, Context context)
        throws IOException, InterruptedException {
      text.set(line(number.get(), context.getConfiguration().getLong(SEED, 0)));
      context.write(NullWritable.get(), text);
    }
  }

  static String line(long number, long seed) {
    SplittableRandom own = new SplittableRandom(seed * 31 + number);
    SplittableRandom centre = new SplittableRandom(seed + own.nextInt(CLUSTERS));
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < DIMENSIONS; i++) {
      line.append(i == 0 ? "" : " ").append(centre.nextInt(WIDE) + own.nextInt(NEAR));
    }
    return line.toString();
  }

  @Override
  public int run(String[] args) throws Exception {
    if (args.length < 2 || args.length > 3) {
      System.err.println("Usage: kmeans-generate <output> <bytes, as in 200m> [seed]");
      ToolRunner.printGenericCommandUsage(System.err);
      return 2;
    }
    long bytes = Arguments.size(args[1]);
    Job job = Job.getInstance(getConf(), "kmeans-generate");
    job.setJarByClass(KMeansGenerate.class);
    job.getConfiguration().setLong(SEED, Arguments.number(args, 2, "seed", 1, Long.MIN_VALUE));
    RangeInputFormat.setRange(job, Math.max(1, bytes / LINE), Arguments.mapsFor(bytes));
    job.setMapperClass(PointMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(Text.class);
    job.setOutputFormatClass(TextOutputFormat.class);
    FileOutputFormat.setOutputPath(job, new Path(args[0]));
    return job.waitForCompletion(true) ? 0 : 1;
  }

  /** Command line: {@code kmeans-generate <output> <bytes> [seed]}. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new Configuration(), new KMeansGenerate(), args));
  }
}
