// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * A job around {@link ProbeMapper}: reads {@code input} below a folder, one map for each file,
 * writes {@code output}.
 */
public final class ProbeJob implements BiFunction<Configuration, Path, Job> {
  /** Writes each value under its key. */
  public static final class Copy extends Reducer<Text, Text, Text, Text> {}

  @Override
  public Job apply(Configuration base, Path folder) {
    try {
      Job job = Job.getInstance(base, "probe " + folder);
      job.setMapperClass(ProbeMapper.class);
      job.setReducerClass(Copy.class);
      job.setNumReduceTasks(1);
      job.setOutputKeyClass(Text.class);
      job.setOutputValueClass(Text.class);
      job.setSpeculativeExecution(false);
      FileInputFormat.addInputPath(job, new Path(folder, "input"));
      FileOutputFormat.setOutputPath(job, new Path(folder, "output"));
      return job;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
