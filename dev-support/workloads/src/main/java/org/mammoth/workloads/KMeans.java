// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * K-means (Lloyd 1982) as a chain of MapReduce jobs. One job makes vectors of the text, then one
 * job per iteration reads all of them, and the driver hands the new centres to the next.
 * Coordinates are whole numbers, so that sums do not depend on their order. The output is {@code
 * centre TAB points coordinate coordinate ...}.
 */
public final class KMeans extends Configured implements Tool {

  @Override
  public int run(String[] args) throws Exception {
    if (args.length != 4) {
      System.err.println("Usage: kmeans <points> <output> <centres> <iterations>");
      System.err.println("The points are text, a line is: coordinate coordinate ...");
      ToolRunner.printGenericCommandUsage(System.err);
      return 2;
    }
    Path points = new Path(args[0]);
    Path output = new Path(args[1]);
    int centres = (int) Arguments.number(args, 2, "centres", 1, 1);
    int iterations = (int) Arguments.number(args, 3, "iterations", 1, 1);
    FileSystem fs = output.getFileSystem(getConf());
    if (fs.exists(output)) {
      throw new IOException("output " + output + " exists; name one that does not");
    }
    Path between = new Path(output.getParent(), output.getName() + "_iterations");
    fs.delete(between, true);
    try {
      return chain(points, output, between, centres, iterations) ? 0 : 1;
    } finally {
      fs.delete(between, true);
    }
  }

  private boolean chain(Path points, Path output, Path between, int centres, int iterations)
      throws Exception {
    Path vectors = new Path(between, "vectors");
    Job parse = job("kmeans vectors", points, vectors);
    parse.setMapperClass(KMeansTasks.ParseMapper.class);
    parse.setNumReduceTasks(0);
    parse.setOutputKeyClass(NullWritable.class);
    parse.setOutputValueClass(PointValue.class);
    parse.setOutputFormatClass(SequenceFileOutputFormat.class);
    if (!parse.waitForCompletion(true)) {
      return false;
    }
    List<String> current = firstLines(points, centres);
    for (int iteration = 1; iteration <= iterations; iteration++) {
      Path next = iteration < iterations ? new Path(between, "centres-" + iteration) : output;
      Job job = job("kmeans iteration " + iteration + " of " + iterations, vectors, next);
      job.getConfiguration().setStrings(KMeansTasks.CENTRES, current.toArray(new String[0]));
      job.setInputFormatClass(SequenceFileInputFormat.class);
      job.setMapperClass(KMeansTasks.NearestMapper.class);
      job.setMapOutputKeyClass(IntWritable.class);
      job.setMapOutputValueClass(PointValue.class);
      job.setReducerClass(KMeansTasks.MeanReducer.class);
      job.setOutputKeyClass(IntWritable.class);
      job.setOutputValueClass(Text.class);
      job.setOutputFormatClass(TextOutputFormat.class);
      if (!job.waitForCompletion(true)) {
        return false;
      }
      current = centres(next, current);
    }
    return true;
  }

  private Job job(String name, Path input, Path output) throws IOException {
    Job job = Job.getInstance(getConf(), name);
    job.setJarByClass(KMeans.class);
    // One reduce: centres are few.
    job.setNumReduceTasks(1);
    FileInputFormat.addInputPath(job, input);
    FileOutputFormat.setOutputPath(job, output);
    return job;
  }

  /** The first points are the first centres. */
  private List<String> firstLines(Path points, int wanted) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : files(points)) {
      try (BufferedReader in = open(file)) {
        for (String line = in.readLine();
            line != null && lines.size() < wanted;
            line = in.readLine()) {
          lines.add(line.trim());
        }
      }
    }
    if (lines.size() < wanted) {
      throw new IOException(points + " has fewer than " + wanted + " points");
    }
    return lines;
  }

  /** The centres that an iteration has written; one that has lost its points stays. */
  private List<String> centres(Path output, List<String> before) throws IOException {
    List<String> centres = new ArrayList<>(before);
    for (Path file : files(output)) {
      try (BufferedReader in = open(file)) {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          String[] fields = line.split("\t");
          centres.set(Integer.parseInt(fields[0]), fields[1].substring(fields[1].indexOf(' ') + 1));
        }
      }
    }
    return centres;
  }

  private List<Path> files(Path folder) throws IOException {
    FileSystem fs = folder.getFileSystem(getConf());
    return Arrays.stream(fs.listStatus(folder))
        .filter(file -> file.isFile() && !file.getPath().getName().startsWith("_"))
        .map(FileStatus::getPath)
        .sorted()
        .toList();
  }

  private BufferedReader open(Path file) throws IOException {
    return new BufferedReader(
        new InputStreamReader(file.getFileSystem(getConf()).open(file), StandardCharsets.UTF_8));
  }

  /** Command line: {@code kmeans <points> <output> <centres> <iterations>}. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new Configuration(), new KMeans(), args));
  }
}
