// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.KeyValueTextInputFormat;
import org.apache.hadoop.mapred.OutputFormat;
import org.apache.hadoop.mapred.SequenceFileInputFormat;
import org.apache.hadoop.mapred.SequenceFileOutputFormat;
import org.apache.hadoop.mapred.TextInputFormat;
import org.apache.hadoop.mapred.TextOutputFormat;
import org.apache.hadoop.mapred.lib.ChainMapper;
import org.apache.hadoop.mapred.lib.ChainReducer;
import org.apache.hadoop.mapred.lib.CombineTextInputFormat;
import org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner;
import org.apache.hadoop.mapred.lib.MultipleInputs;
import org.apache.hadoop.mapred.lib.MultipleOutputs;
import org.apache.hadoop.mapred.lib.NLineInputFormat;
import org.apache.hadoop.mapred.lib.TotalOrderPartitioner;
import org.apache.hadoop.mapreduce.Job;

/**
 * Sets a plan up with the classes of org.apache.hadoop.mapred.
 *
 * <p>Reads as {@link NewApiSetup} does, but shares no type with it: every class here is another one
 * of the same name, and what both could call would be a table of classes longer than the two.
 */
final class OldApiSetup {
  private OldApiSetup() {}

  @SuppressWarnings("rawtypes")
  static Job job(Configuration base, JobPlan plan, Path input) throws IOException {
    JobConf conf = new JobConf(base);
    conf.setJarByClass(OldApiSetup.class);
    // LocalJobRunner takes no other number; the size of a block decides then.
    conf.setNumMapTasks(1);
    inputs(conf, plan, input);
    maps(conf, plan);
    switch (plan.spread) {
      case HASH -> {}
      case MODULO -> conf.setPartitionerClass(OldApi.ModuloPartitioner.class);
      case TOTAL_ORDER -> conf.setPartitionerClass(TotalOrderPartitioner.class);
      case FIELD -> conf.setPartitionerClass(KeyFieldBasedPartitioner.class);
      default -> throw new IllegalStateException(plan.spread.name());
    }
    if (plan.combiner) {
      conf.setCombinerClass((Class) Combiners.ofOldApi(plan));
    }
    Class<? extends OutputFormat> format =
        RandomJob.sequenceOutput(plan) ? SequenceFileOutputFormat.class : TextOutputFormat.class;
    conf.setOutputFormat(format);
    if (plan.multipleOutputs) {
      MultipleOutputs.addNamedOutput(conf, NewApi.SIDE, format, Text.class, NullWritable.class);
      MultipleOutputs.setCountersEnabled(conf, true);
    }
    // A Job around an old configuration runs the old API if the old classes are set.
    return Job.getInstance(conf);
  }

  @SuppressWarnings("rawtypes")
  private static void inputs(JobConf conf, JobPlan plan, Path input) {
    if (plan.input == JobPlan.Input.MULTIPLE) {
      MultipleInputs.addInputPath(
          conf, new Path(input, "lines"), TextInputFormat.class, OldApi.LineMapper.class);
      MultipleInputs.addInputPath(
          conf,
          new Path(input, "sequence"),
          SequenceFileInputFormat.class,
          OldApi.KeyedMapper.class);
      return;
    }
    Class<? extends InputFormat> format =
        switch (plan.input) {
          case TEXT -> TextInputFormat.class;
          case KEY_VALUE -> KeyValueTextInputFormat.class;
          case N_LINE -> NLineInputFormat.class;
          case COMBINE -> CombineTextInputFormat.class;
          default -> SequenceFileInputFormat.class;
        };
    conf.setInputFormat(format);
    FileInputFormat.addInputPath(
        conf, new Path(input, format == SequenceFileInputFormat.class ? "sequence" : "lines"));
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static void maps(JobConf conf, JobPlan plan) {
    Class key = plan.key.type();
    Class value = plan.value.type();
    JobConf none = new JobConf(false);
    if (plan.shape == JobPlan.Shape.CHAIN && plan.input != JobPlan.Input.MULTIPLE) {
      ChainMapper.addMapper(
          conf, OldApi.PlanMapper.class, Object.class, Object.class, key, value, true, none);
      ChainMapper.addMapper(conf, OldApi.SieveMapper.class, key, value, key, value, true, none);
      if (plan.reduces > 0) {
        Class outKey = plan.keepsKey() ? key : Text.class;
        Class text = Text.class;
        ChainReducer.setReducer(
            conf, OldApi.PlanReducer.class, key, value, outKey, text, true, none);
        ChainReducer.addMapper(
            conf, OldApi.SieveMapper.class, outKey, text, outKey, text, true, none);
      }
      return;
    }
    if (plan.input != JobPlan.Input.MULTIPLE) {
      conf.setMapperClass(OldApi.PlanMapper.class);
    }
    conf.setReducerClass(OldApi.PlanReducer.class);
  }
}
