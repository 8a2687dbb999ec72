// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.IOException;
import java.util.StringTokenizer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Word count without a combiner: every single word is sorted, spilled, shuffled and merged. The
 * shuffle-heavy sibling of the examples' wordcount.
 */
public final class WordCountNoCombiner extends Configured implements Tool {

  /** Emits each word of a line with the number one. */
  public static final class WordMapper extends Mapper<LongWritable, Text, Text, IntWritable> {
    private final Text word = new Text();
    private final IntWritable one = new IntWritable(1);

    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      StringTokenizer words = new StringTokenizer(line.toString());
      while (words.hasMoreTokens()) {
        word.set(words.nextToken());
        context.write(word, one);
      }
    }
  }

  /** Adds up. Sums are long, as a frequent word of a large text exceeds an int. */
  public static final class SumReducer extends Reducer<Text, IntWritable, Text, LongWritable> {
    private final LongWritable total = new LongWritable();

    @Override
    protected void reduce(Text word, Iterable<IntWritable> ones, Context context)
        throws IOException, InterruptedException {
      long sum = 0;
      for (IntWritable one : ones) {
        sum += one.get();
      }
      total.set(sum);
      context.write(word, total);
    }
  }

  @Override
  public int run(String[] args) throws Exception {
    if (args.length < 2 || args.length > 3) {
      System.err.println("Usage: wordcount-nocombiner <input> <output> [reduces]");
      ToolRunner.printGenericCommandUsage(System.err);
      return 2;
    }
    Job job = Job.getInstance(getConf(), "wordcount-nocombiner");
    job.setJarByClass(WordCountNoCombiner.class);
    job.setMapperClass(WordMapper.class);
    job.setReducerClass(SumReducer.class);
    job.setMapOutputKeyClass(Text.class);
    job.setMapOutputValueClass(IntWritable.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(LongWritable.class);
    int reduces = (int) Arguments.number(args, 2, "reduces", job.getNumReduceTasks(), 1);
    job.setNumReduceTasks(reduces);
    FileInputFormat.addInputPath(job, new Path(args[0]));
    FileOutputFormat.setOutputPath(job, new Path(args[1]));
    return job.waitForCompletion(true) ? 0 : 1;
  }

  /** Command line: {@code wordcount-nocombiner <input> <output> [reduces]}. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new Configuration(), new WordCountNoCombiner(), args));
  }
}
