// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.suites;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** Each map runs the tests of the classes that its lines name, and writes what became of them. */
public final class SuitesJob extends Configured implements Tool {

  /** Arguments: INPUT, a file of names of classes, and OUTPUT. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new SuitesJob(), args));
  }

  @Override
  public int run(String[] args) throws Exception {
    Job job = Job.getInstance(getConf(), "suites");
    job.setJarByClass(SuitesJob.class);
    job.setMapperClass(Runs.class);
    job.setNumReduceTasks(0);
    job.setInputFormatClass(NLineInputFormat.class);
    NLineInputFormat.addInputPath(job, new Path(args[0]));
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(NullWritable.class);
    FileOutputFormat.setOutputPath(job, new Path(args[1]));
    return job.waitForCompletion(true) ? 0 : 1;
  }

  /** Runs the tests of classes. */
  public static final class Runs extends Mapper<LongWritable, Text, Text, NullWritable> {

    @Override
    protected void map(LongWritable offset, Text name, Context context)
        throws IOException, InterruptedException {
      for (Map.Entry<String, String> each :
          Outcomes.of(name.toString(), context::progress).entrySet()) {
        context.write(
            new Text(name + "\t" + each.getKey() + "\t" + each.getValue()), NullWritable.get());
      }
    }
  }
}
