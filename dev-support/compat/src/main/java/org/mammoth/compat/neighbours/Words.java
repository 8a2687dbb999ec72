// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** The ordinary work of both kinds of job: emits each word with its line, sorted, one reduce. */
final class Words {
  private Words() {}

  static void map(Text line, Mapper<LongWritable, Text, Text, Text>.Context context)
      throws IOException, InterruptedException {
    for (String word : line.toString().split(" ")) {
      context.write(new Text("word " + word), new Text(Integer.toString(line.getLength())));
    }
  }

  static void reduce(
      Text word, Iterable<Text> lines, Reducer<Text, Text, Text, Text>.Context context)
      throws IOException, InterruptedException {
    for (Text line : lines) {
      context.write(word, line);
    }
  }

  static Job job(
      Configuration conf,
      Path folder,
      Class<? extends Mapper<LongWritable, Text, Text, Text>> mapper,
      Class<? extends Reducer<Text, Text, Text, Text>> reducer)
      throws IOException {
    Job job = Job.getInstance(conf, folder.toString());
    job.setMapperClass(mapper);
    job.setReducerClass(reducer);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(Text.class);
    job.setSpeculativeExecution(false);
    FileInputFormat.addInputPath(job, new Path(conf.get("mammoth.compat.input")));
    FileOutputFormat.setOutputPath(job, folder);
    return job;
  }
}
