// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.lib.chain.ChainMapper;
import org.apache.hadoop.mapreduce.lib.chain.ChainReducer;
import org.apache.hadoop.mapreduce.lib.input.CombineTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.MultipleInputs;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.lib.map.MultithreadedMapper;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.mapreduce.lib.partition.KeyFieldBasedPartitioner;
import org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner;

/** Sets a plan up with the classes of org.apache.hadoop.mapreduce. */
final class NewApiSetup {
  private NewApiSetup() {}

  @SuppressWarnings("rawtypes")
  static Job job(Configuration conf, JobPlan plan, Path input) throws IOException {
    Job job = Job.getInstance(conf);
    job.setJarByClass(NewApiSetup.class);
    inputs(job, plan, input);
    maps(job, plan);
    switch (plan.spread) {
      case HASH -> {}
      case MODULO -> job.setPartitionerClass(NewApi.ModuloPartitioner.class);
      case TOTAL_ORDER -> job.setPartitionerClass(TotalOrderPartitioner.class);
      case FIELD -> job.setPartitionerClass(KeyFieldBasedPartitioner.class);
      default -> throw new IllegalStateException(plan.spread.name());
    }
    if (plan.combiner) {
      job.setCombinerClass((Class) Combiners.ofNewApi(plan));
    }
    Class<? extends OutputFormat> format =
        RandomJob.sequenceOutput(plan) ? SequenceFileOutputFormat.class : TextOutputFormat.class;
    job.setOutputFormatClass(format);
    if (plan.multipleOutputs) {
      MultipleOutputs.addNamedOutput(job, NewApi.SIDE, format, Text.class, NullWritable.class);
      MultipleOutputs.setCountersEnabled(job, true);
    }
    return job;
  }

  @SuppressWarnings("rawtypes")
  private static void inputs(Job job, JobPlan plan, Path input) throws IOException {
    if (plan.input == JobPlan.Input.MULTIPLE) {
      MultipleInputs.addInputPath(
          job, new Path(input, "lines"), TextInputFormat.class, NewApi.LineMapper.class);
      MultipleInputs.addInputPath(
          job,
          new Path(input, "sequence"),
          SequenceFileInputFormat.class,
          NewApi.KeyedMapper.class);
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
    job.setInputFormatClass(format);
    FileInputFormat.addInputPath(
        job, new Path(input, format == SequenceFileInputFormat.class ? "sequence" : "lines"));
  }

  private static void maps(Job job, JobPlan plan) throws IOException {
    Class<?> key = plan.key.type();
    Class<?> value = plan.value.type();
    Configuration none = new Configuration(false);
    if (plan.shape == JobPlan.Shape.CHAIN && plan.input != JobPlan.Input.MULTIPLE) {
      ChainMapper.addMapper(
          job, NewApi.PlanMapper.class, Object.class, Object.class, key, value, none);
      ChainMapper.addMapper(job, NewApi.SieveMapper.class, key, value, key, value, none);
      if (plan.reduces > 0) {
        Class<?> outKey = plan.keepsKey() ? key : Text.class;
        ChainReducer.setReducer(
            job, NewApi.PlanReducer.class, key, value, outKey, Text.class, none);
        ChainReducer.addMapper(
            job, NewApi.SieveMapper.class, outKey, Text.class, outKey, Text.class, none);
      }
      return;
    }
    if (plan.input != JobPlan.Input.MULTIPLE) {
      if (plan.shape == JobPlan.Shape.MULTITHREADED) {
        job.setMapperClass(MultithreadedMapper.class);
        MultithreadedMapper.setMapperClass(job, objectMapper());
        MultithreadedMapper.setNumberOfThreads(job, 3);
      } else {
        job.setMapperClass(NewApi.PlanMapper.class);
      }
    }
    job.setReducerClass(NewApi.PlanReducer.class);
  }

  private static Class<? extends Mapper<Object, Object, Object, Object>> objectMapper() {
    return NewApi.PlanMapper.class;
  }
}
