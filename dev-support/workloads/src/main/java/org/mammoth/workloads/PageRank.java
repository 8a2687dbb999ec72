// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * PageRank (Page, Brin, Motwani and Winograd 1999) as a chain of MapReduce jobs, damping 0.85. One
 * job reads the text and counts the vertices, then one job per iteration carries the graph along
 * with the ranks; the rank of vertices that point nowhere goes to all, through a counter read
 * between the jobs. The last iteration writes {@code vertex TAB rank}; ranks add up to one, but for
 * rounding.
 */
public final class PageRank extends Configured implements Tool {
  /** More vertices than this would overflow the fixed-point sum of all ranks. */
  static final long MOST_VERTICES = 1L << 26;

  @Override
  public int run(String[] args) throws Exception {
    if (args.length < 3 || args.length > 4) {
      System.err.println("Usage: pagerank <graph> <output> <iterations> [reduces]");
      System.err.println("The graph is text, a line is: vertex TAB target target ...");
      ToolRunner.printGenericCommandUsage(System.err);
      return 2;
    }
    Path output = new Path(args[1]);
    int iterations = (int) Arguments.number(args, 2, "iterations", 1, 1);
    int reduces = (int) Arguments.number(args, 3, "reduces", -1, 1);
    FileSystem fs = output.getFileSystem(getConf());
    if (fs.exists(output)) {
      throw new IOException("output " + output + " exists; name one that does not");
    }
    Path between = new Path(output.getParent(), output.getName() + "_iterations");
    fs.delete(between, true);
    try {
      return chain(new Path(args[0]), output, between, iterations, reduces) ? 0 : 1;
    } finally {
      fs.delete(between, true);
    }
  }

  private boolean chain(Path graph, Path output, Path between, int iterations, int reduces)
      throws Exception {
    Path current = new Path(between, "0");
    Job start = job("pagerank start", reduces);
    start.setMapperClass(PageRankTasks.ParseMapper.class);
    start.setReducerClass(PageRankTasks.StartReducer.class);
    graphOutput(start, current);
    FileInputFormat.addInputPath(start, graph);
    if (!start.waitForCompletion(true)) {
      return false;
    }
    long vertices = sum(start, PageRankTasks.Sum.VERTICES);
    if (vertices < 1 || vertices > MOST_VERTICES) {
      throw new IOException(
          graph + " has " + vertices + " vertices; between 1 and " + MOST_VERTICES + " can be");
    }
    long dangling = sum(start, PageRankTasks.Sum.DANGLING);
    for (int iteration = 1; iteration <= iterations; iteration++) {
      Job job = job("pagerank iteration " + iteration + " of " + iterations, reduces);
      job.getConfiguration().setLong(PageRankTasks.VERTICES, vertices);
      job.getConfiguration().setLong(PageRankTasks.DANGLING, dangling);
      job.setInputFormatClass(SequenceFileInputFormat.class);
      FileInputFormat.addInputPath(job, current);
      job.setMapperClass(PageRankTasks.ShareMapper.class);
      Path next = new Path(between, Integer.toString(iteration));
      if (iteration < iterations) {
        job.setReducerClass(PageRankTasks.StepReducer.class);
        graphOutput(job, next);
      } else {
        job.setReducerClass(PageRankTasks.LastReducer.class);
        job.setOutputValueClass(DoubleWritable.class);
        job.setOutputFormatClass(TextOutputFormat.class);
        FileOutputFormat.setOutputPath(job, output);
      }
      if (!job.waitForCompletion(true)) {
        return false;
      }
      dangling = sum(job, PageRankTasks.Sum.DANGLING);
      current.getFileSystem(getConf()).delete(current, true);
      current = next;
    }
    return true;
  }

  private Job job(String name, int reduces) throws IOException {
    Job job = Job.getInstance(getConf(), name);
    job.setJarByClass(PageRank.class);
    job.setMapOutputKeyClass(LongWritable.class);
    job.setMapOutputValueClass(GraphValue.class);
    job.setOutputKeyClass(LongWritable.class);
    if (reduces > 0) {
      job.setNumReduceTasks(reduces);
    }
    return job;
  }

  private static void graphOutput(Job job, Path path) {
    job.setOutputValueClass(GraphValue.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    FileOutputFormat.setOutputPath(job, path);
  }

  private static long sum(Job job, PageRankTasks.Sum which) throws IOException {
    Counters counters = job.getCounters();
    if (counters == null) {
      throw new IOException(
          job.getJobName() + " has no counters left, which the next iteration needs");
    }
    return counters.findCounter(which).getValue();
  }

  /** Command line: {@code pagerank <graph> <output> <iterations> [reduces]}. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new Configuration(), new PageRank(), args));
  }
}
