// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.IOException;
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

/**
 * Writes a {@link PowerLawGraph} as text, in a map-only job, for {@link PageRank}. A plain number
 * is the number of vertices; a number with a unit (64k, 200m, 2g) is the size of the text.
 */
public final class PageRankGenerate extends Configured implements Tool {
  static final String SEED = "pagerank.generate.seed";
  static final String VERTICES = "pagerank.generate.vertices";

  /** Writes the line of each vertex. */
  public static final class VertexMapper
      extends Mapper<LongWritable, NullWritable, NullWritable, Text> {
    private final Text text = new Text();
    private PowerLawGraph graph;

    @Override
    protected void setup(Context context) {
      Configuration conf = context.getConfiguration();
      graph = new PowerLawGraph(conf.getLong(VERTICES, 0), conf.getLong(SEED, 0));
    }

    @Override
    protected void map(LongWritable vertex, NullWritable nothing, Context context)
        throws IOException, InterruptedException {
      text.set(graph.line(vertex.get()).toString());
      context.write(NullWritable.get(), text);
    }
  }

  @Override
  public int run(String[] args) throws Exception {
    if (args.length < 2 || args.length > 3) {
      System.err.println(
          "Usage: pagerank-generate <output> <vertices, as in 100000 | bytes, as in 200m> [seed]");
      ToolRunner.printGenericCommandUsage(System.err);
      return 2;
    }
    long seed = Arguments.number(args, 2, "seed", 1, Long.MIN_VALUE);
    long size = Arguments.size(args[1]);
    boolean inVertices = Character.isDigit(args[1].charAt(args[1].length() - 1));
    long vertices = inVertices ? size : PowerLawGraph.verticesFor(size, seed);
    long bytes = inVertices ? new PowerLawGraph(vertices, seed).estimateBytes() : size;

    Job job = Job.getInstance(getConf(), "pagerank-generate");
    job.setJarByClass(PageRankGenerate.class);
    job.getConfiguration().setLong(SEED, seed);
    job.getConfiguration().setLong(VERTICES, vertices);
    RangeInputFormat.setRange(job, vertices, Arguments.mapsFor(bytes));
    job.setMapperClass(VertexMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(Text.class);
    job.setOutputFormatClass(TextOutputFormat.class);
    FileOutputFormat.setOutputPath(job, new Path(args[0]));
    return job.waitForCompletion(true) ? 0 : 1;
  }

  /** Command line: {@code pagerank-generate <output> <vertices|bytes> [seed]}. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new Configuration(), new PageRankGenerate(), args));
  }
}
