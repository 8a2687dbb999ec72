// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.SharedCluster;

/** The cluster that everything else here stands on. */
@ExtendWith(SharedCluster.class)
class MiniClusterTest {
  @Test
  void runsWordCountInOrdinaryContainers(MiniCluster cluster) throws Exception {
    Path input = new Path("/words/in");
    try (OutputStream out = cluster.fs().create(new Path(input, "a"))) {
      out.write("b a\na\n".getBytes(StandardCharsets.UTF_8));
    }
    Configuration conf = cluster.conf();
    conf.setBoolean("mammoth.engine.enabled", false);
    Job job = Job.getInstance(conf, "words");
    job.setJarByClass(WordCount.class);
    job.setMapperClass(WordCount.TokenizerMapper.class);
    job.setReducerClass(WordCount.IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    FileInputFormat.addInputPath(job, input);
    FileOutputFormat.setOutputPath(job, new Path("/words/out"));
    assertThat(job.waitForCompletion(false)).isTrue();
    try (var in = cluster.fs().open(new Path("/words/out/part-r-00000"))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("a\t2\nb\t1\n");
    }
  }
}
