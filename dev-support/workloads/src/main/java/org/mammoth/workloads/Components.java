// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
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
 * Connected components of a graph, whatever way its edges point, as a chain of MapReduce jobs: each
 * vertex takes the smallest label among its own and its neighbours', until none changes or the
 * iterations are over. The last job writes {@code vertex TAB label}; a label is the smallest vertex
 * that is known to be in the same component.
 */
public final class Components extends Configured implements Tool {

  @Override
  public int run(String[] args) throws Exception {
    if (args.length < 3 || args.length > 4) {
      System.err.println("Usage: components <graph> <output> <most iterations> [reduces]");
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
    Job start = job("components start", graph, reduces);
    start.setMapperClass(ComponentsTasks.ParseMapper.class);
    start.setReducerClass(ComponentsTasks.StartReducer.class);
    graphOutput(start, current);
    boolean succeeded = start.waitForCompletion(true);
    long changed = 1;
    for (int iteration = 1; succeeded && changed > 0 && iteration <= iterations; iteration++) {
      Job job = job("components iteration " + iteration, current, reduces);
      job.setInputFormatClass(SequenceFileInputFormat.class);
      job.setMapperClass(ComponentsTasks.LabelMapper.class);
      job.setReducerClass(ComponentsTasks.LeastReducer.class);
      Path next = new Path(between, Integer.toString(iteration));
      graphOutput(job, next);
      succeeded = job.waitForCompletion(true);
      changed = succeeded ? changed(job) : 0;
      current.getFileSystem(getConf()).delete(current, true);
      current = next;
    }
    if (!succeeded) {
      return false;
    }
    Job last = job("components labels", current, 0);
    last.setInputFormatClass(SequenceFileInputFormat.class);
    last.setMapperClass(ComponentsTasks.WriteMapper.class);
    last.setNumReduceTasks(0);
    last.setOutputValueClass(LongWritable.class);
    last.setOutputFormatClass(TextOutputFormat.class);
    FileOutputFormat.setOutputPath(last, output);
    return last.waitForCompletion(true);
  }

  private Job job(String name, Path input, int reduces) throws IOException {
    Job job = Job.getInstance(getConf(), name);
    job.setJarByClass(Components.class);
    job.setMapOutputKeyClass(LongWritable.class);
    job.setMapOutputValueClass(GraphValue.class);
    job.setOutputKeyClass(LongWritable.class);
    if (reduces > 0) {
      job.setNumReduceTasks(reduces);
    }
    FileInputFormat.addInputPath(job, input);
    return job;
  }

  private static void graphOutput(Job job, Path path) {
    job.setOutputValueClass(GraphValue.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    FileOutputFormat.setOutputPath(job, path);
  }

  private static long changed(Job job) throws IOException {
    Counters counters = job.getCounters();
    if (counters == null) {
      throw new IOException("the counters of " + job.getJobID() + " are gone; run it again");
    }
    return counters.findCounter(ComponentsTasks.Count.CHANGED).getValue();
  }

  /** Command line: {@code components <graph> <output> <most iterations> [reduces]}. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new Configuration(), new Components(), args));
  }
}
