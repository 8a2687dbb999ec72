// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.library;

import java.io.IOException;
import java.util.StringTokenizer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;

/** Mappers and reducers of the jobs. */
final class Parts {
  private Parts() {}

  /** (word, 1). */
  static class Words extends Mapper<LongWritable, Text, Text, IntWritable> {
    @Override
    protected void map(LongWritable key, Text line, Context context)
        throws IOException, InterruptedException {
      StringTokenizer words = new StringTokenizer(line.toString());
      while (words.hasMoreTokens()) {
        context.getCounter("words", "of " + words.countTokens() % 3).increment(1);
        context.write(new Text(words.nextToken()), new IntWritable(1));
      }
    }
  }

  /** (user, bytes) of visits. */
  static final class Visits extends Mapper<LongWritable, Text, Text, Text> {
    @Override
    protected void map(LongWritable key, Text line, Context context)
        throws IOException, InterruptedException {
      String[] fields = line.toString().split("\t");
      context.write(new Text(fields[0]), new Text("v" + fields[3]));
    }
  }

  /** (user, country). */
  static final class Users extends Mapper<LongWritable, Text, Text, Text> {
    @Override
    protected void map(LongWritable key, Text line, Context context)
        throws IOException, InterruptedException {
      String[] fields = line.toString().split("\t");
      context.write(new Text(fields[0]), new Text("u" + fields[1]));
    }
  }

  /** Joins both. */
  static final class Join extends Reducer<Text, Text, Text, Text> {
    @Override
    protected void reduce(Text user, Iterable<Text> values, Context context)
        throws IOException, InterruptedException {
      String country = "?";
      long bytes = 0;
      for (Text value : values) {
        String text = value.toString();
        if (text.charAt(0) == 'u') {
          country = text.substring(1);
        } else {
          bytes += Long.parseLong(text.substring(1));
        }
      }
      context.write(user, new Text(country + "\t" + bytes));
    }
  }

  /** Upper case, for chains. */
  static final class Upper extends Mapper<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void map(Text word, IntWritable one, Context context)
        throws IOException, InterruptedException {
      context.write(new Text(word.toString().toUpperCase(java.util.Locale.ROOT)), one);
    }
  }

  /** Only frequent ones, after the reduce of a chain. */
  static final class Frequent extends Mapper<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void map(Text word, IntWritable count, Context context)
        throws IOException, InterruptedException {
      if (count.get() > 10) {
        context.write(word, count);
      } else {
        context.getCounter("chain", "rare").increment(1);
      }
    }
  }

  /** Words by their first letter in files of their own, counted by MultipleOutputs. */
  static final class Scatter extends Reducer<Text, IntWritable, Text, IntWritable> {
    private MultipleOutputs<Text, IntWritable> outputs;

    @Override
    protected void setup(Context context) {
      outputs = new MultipleOutputs<>(context);
    }

    @Override
    protected void reduce(Text word, Iterable<IntWritable> ones, Context context)
        throws IOException, InterruptedException {
      int sum = 0;
      for (IntWritable one : ones) {
        sum += one.get();
      }
      outputs.write("short", word, new IntWritable(sum), "by/" + word.toString().charAt(0));
      outputs.write("long", NullWritable.get(), word);
      if (sum > 100) {
        context.write(word, new IntWritable(sum));
      }
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      outputs.close();
    }
  }

  /** Names of the files that a map's splits come from. */
  static final class Lines extends Mapper<LongWritable, Text, Text, LongWritable> {
    @Override
    protected void map(LongWritable key, Text line, Context context)
        throws IOException, InterruptedException {
      String split =
          context.getInputSplit() instanceof FileSplit file
              ? file.getPath().getName() + "+" + file.getStart()
              : context.getInputSplit().getClass().getSimpleName();
      context.write(new Text(split + "\t" + line.getLength() % 7), new LongWritable(key.get()));
    }
  }

  /** Sums of longs. */
  static final class Sums extends Reducer<Text, LongWritable, Text, LongWritable> {
    @Override
    protected void reduce(Text key, Iterable<LongWritable> values, Context context)
        throws IOException, InterruptedException {
      long sum = 0;
      for (LongWritable value : values) {
        sum += value.get();
      }
      context.write(key, new LongWritable(sum));
    }
  }
}
