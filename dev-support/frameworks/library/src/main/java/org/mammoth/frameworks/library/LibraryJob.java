// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.library;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.chain.ChainMapper;
import org.apache.hadoop.mapreduce.lib.chain.ChainReducer;
import org.apache.hadoop.mapreduce.lib.input.CombineTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.MultipleInputs;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileAsTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFilter;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.lib.map.InverseMapper;
import org.apache.hadoop.mapreduce.lib.map.MultithreadedMapper;
import org.apache.hadoop.mapreduce.lib.map.RegexMapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MapFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.mapreduce.lib.partition.InputSampler;
import org.apache.hadoop.mapreduce.lib.partition.KeyFieldBasedComparator;
import org.apache.hadoop.mapreduce.lib.partition.KeyFieldBasedPartitioner;
import org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** One job around one part of the library. */
public final class LibraryJob extends Configured implements Tool {

  /**
   * Arguments: INPUT (the folder of all inputs), OUTPUT (one folder below it for each kind), and
   * kinds, run in turn; KIND=OTHER reads what OTHER has written.
   */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new LibraryJob(), args));
  }

  @Override
  public int run(String[] args) throws Exception {
    for (int i = 2; i < args.length; i++) {
      String[] kind = args[i].split("=");
      String input = kind.length == 1 ? args[0] : args[1] + "/" + kind[1];
      if (!job(kind[0], input, args[1] + "/" + kind[0]).waitForCompletion(true)) {
        return 1;
      }
    }
    return 0;
  }

  private Job job(String kind, String input, String output) throws Exception {
    Job job = Job.getInstance(new Configuration(getConf()), "library " + kind);
    job.setJarByClass(LibraryJob.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    FileOutputFormat.setOutputPath(job, new Path(output));
    set(job, kind, input, output);
    return job;
  }

  private static void set(Job job, String kind, String input, String output) throws Exception {
    switch (kind) {
      case "multipleoutputs" -> {
        words(job, input);
        job.setReducerClass(Parts.Scatter.class);
        MultipleOutputs.addNamedOutput(
            job, "short", TextOutputFormat.class, Text.class, IntWritable.class);
        MultipleOutputs.addNamedOutput(
            job, "long", SequenceFileOutputFormat.class, NullWritable.class, Text.class);
        MultipleOutputs.setCountersEnabled(job, true);
      }
      case "multipleinputs" -> {
        MultipleInputs.addInputPath(
            job, new Path(input, "visits"), TextInputFormat.class, Parts.Visits.class);
        MultipleInputs.addInputPath(
            job, new Path(input, "users"), TextInputFormat.class, Parts.Users.class);
        job.setReducerClass(Parts.Join.class);
        job.setOutputValueClass(Text.class);
      }
      case "chain" -> {
        FileInputFormat.addInputPath(job, new Path(input, "words"));
        ChainMapper.addMapper(
            job,
            Parts.Words.class,
            LongWritable.class,
            Text.class,
            Text.class,
            IntWritable.class,
            job.getConfiguration());
        ChainMapper.addMapper(
            job,
            Parts.Upper.class,
            Text.class,
            IntWritable.class,
            Text.class,
            IntWritable.class,
            job.getConfiguration());
        ChainReducer.setReducer(
            job,
            IntSumReducer.class,
            Text.class,
            IntWritable.class,
            Text.class,
            IntWritable.class,
            job.getConfiguration());
        ChainReducer.addMapper(
            job,
            Parts.Frequent.class,
            Text.class,
            IntWritable.class,
            Text.class,
            IntWritable.class,
            job.getConfiguration());
        ChainReducer.addMapper(
            job,
            InverseMapper.class,
            Text.class,
            IntWritable.class,
            IntWritable.class,
            Text.class,
            job.getConfiguration());
      }
      case "multithreaded" -> {
        words(job, input);
        job.setMapperClass(MultithreadedMapper.class);
        MultithreadedMapper.setMapperClass(job, Parts.Words.class);
        MultithreadedMapper.setNumberOfThreads(job, 5);
      }
      case "combinefiles" -> {
        FileInputFormat.addInputPath(job, new Path(input, "texts"));
        job.setInputFormatClass(CombineTextInputFormat.class);
        CombineTextInputFormat.setMaxInputSplitSize(job, 20_000);
        lines(job);
      }
      case "nline" -> {
        FileInputFormat.addInputPath(job, new Path(input, "users"));
        job.setInputFormatClass(NLineInputFormat.class);
        NLineInputFormat.setNumLinesPerSplit(job, 400);
        lines(job);
      }
      case "lazy" -> {
        words(job, input);
        job.setNumReduceTasks(5);
        job.setPartitionerClass(org.apache.hadoop.mapreduce.lib.partition.HashPartitioner.class);
        LazyOutputFormat.setOutputFormatClass(job, TextOutputFormat.class);
        job.setCombinerClass(IntSumReducer.class);
        job.setReducerClass(Parts.Scatter.class);
        MultipleOutputs.addNamedOutput(
            job, "short", TextOutputFormat.class, Text.class, IntWritable.class);
        MultipleOutputs.addNamedOutput(
            job, "long", SequenceFileOutputFormat.class, NullWritable.class, Text.class);
      }
      case "keyvalue" -> {
        FileInputFormat.addInputPath(job, new Path(input, "visits"));
        job.setInputFormatClass(KeyValueTextInputFormat.class);
        job.setMapperClass(Mapper.class);
        job.setOutputValueClass(Text.class);
        job.setNumReduceTasks(3);
        job.setSortComparatorClass(KeyFieldBasedComparator.class);
        KeyFieldBasedComparator.setKeyFieldComparatorOptions(job, "-k1.5,1nr");
        job.setPartitionerClass(KeyFieldBasedPartitioner.class);
        new KeyFieldBasedPartitioner<Text, Text>().setKeyFieldPartitionerOptions(job, "-k1.5,1.7");
      }
      case "sequence" -> {
        words(job, input);
        job.setReducerClass(IntSumReducer.class);
        job.setOutputFormatClass(SequenceFileOutputFormat.class);
        FileOutputFormat.setCompressOutput(job, true);
        FileOutputFormat.setOutputCompressorClass(job, BZip2Codec.class);
        SequenceFileOutputFormat.setOutputCompressionType(job, CompressionType.BLOCK);
      }
      case "mapfile" -> {
        words(job, input);
        job.setReducerClass(IntSumReducer.class);
        job.setOutputFormatClass(MapFileOutputFormat.class);
      }
      case "filter" -> {
        FileInputFormat.addInputPath(job, new Path(input));
        job.setInputFormatClass(SequenceFileInputFilter.class);
        SequenceFileInputFilter.setFilterClass(job, SequenceFileInputFilter.MD5Filter.class);
        SequenceFileInputFilter.MD5Filter.setFrequency(job.getConfiguration(), 7);
        job.setMapperClass(Mapper.class);
        job.setReducerClass(IntSumReducer.class);
      }
      case "regex" -> {
        FileInputFormat.addInputPath(job, new Path(input, "visits"));
        job.getConfiguration().set(RegexMapper.PATTERN, "page/([0-9]+)");
        job.getConfiguration().set(RegexMapper.GROUP, "1");
        job.setMapperClass(RegexMapper.class);
        job.setCombinerClass(LongSumReducer.class);
        job.setReducerClass(LongSumReducer.class);
        job.setOutputValueClass(LongWritable.class);
      }
      case "totalorder" -> {
        FileInputFormat.addInputPath(job, new Path(input));
        job.setInputFormatClass(SequenceFileInputFormat.class);
        job.setMapperClass(Mapper.class);
        job.setReducerClass(IntSumReducer.class);
        job.setNumReduceTasks(4);
        job.setPartitionerClass(TotalOrderPartitioner.class);
        Path parts = new Path(output + "-partitions");
        TotalOrderPartitioner.setPartitionFile(job.getConfiguration(), parts);
        InputSampler.writePartitionFile(
            job, new InputSampler.IntervalSampler<Text, IntWritable>(0.1, 10));
        job.addCacheFile(parts.toUri());
      }
      case "astext" -> {
        FileInputFormat.addInputPath(job, new Path(input));
        job.setInputFormatClass(SequenceFileAsTextInputFormat.class);
        job.setMapperClass(InverseMapper.class);
        job.setOutputValueClass(Text.class);
        job.setNumReduceTasks(0);
      }
      default -> throw new IOException("no kind " + kind);
    }
  }

  private static void words(Job job, String input) throws IOException {
    FileInputFormat.addInputPath(job, new Path(input, "words"));
    job.setMapperClass(Parts.Words.class);
    job.setReducerClass(IntSumReducer.class);
  }

  private static void lines(Job job) {
    job.setMapperClass(Parts.Lines.class);
    job.setReducerClass(Parts.Sums.class);
    job.setOutputValueClass(LongWritable.class);
  }
}
