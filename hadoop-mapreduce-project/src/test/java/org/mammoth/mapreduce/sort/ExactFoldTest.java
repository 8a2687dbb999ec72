// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Iterator;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.lib.IdentityReducer;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which reducers fold whole numbers exactly, as their code tells. */
@SuppressWarnings({"checkstyle:HiddenField", "unused"})
class ExactFoldTest {

  static class Sum extends Reducer<Text, IntWritable, Text, IntWritable> {
    private final IntWritable result = new IntWritable();

    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int sum = 0;
      for (IntWritable value : values) {
        sum += value.get();
      }
      result.set(sum);
      context.write(key, result);
    }
  }

  static class SumInWritable extends Reducer<Text, LongWritable, Text, LongWritable> {
    private final LongWritable result = new LongWritable();

    @Override
    protected void reduce(Text key, Iterable<LongWritable> values, Context context)
        throws IOException, InterruptedException {
      result.set(0);
      for (LongWritable value : values) {
        result.set(value.get() + result.get());
      }
      context.write(key, result);
    }
  }

  static class OldSum extends MapReduceBase
      implements org.apache.hadoop.mapred.Reducer<Text, LongWritable, Text, LongWritable> {
    @Override
    public void reduce(
        Text key,
        Iterator<LongWritable> values,
        OutputCollector<Text, LongWritable> output,
        Reporter reporter)
        throws IOException {
      long sum = values.next().get();
      while (values.hasNext()) {
        sum = sum + values.next().get();
      }
      output.collect(key, new LongWritable(sum));
    }
  }

  static class Maximum extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int max = Integer.MIN_VALUE;
      for (IntWritable value : values) {
        if (value.get() > max) {
          max = value.get();
        }
      }
      context.write(key, new IntWritable(max));
    }
  }

  static class Minimum extends Reducer<Text, LongWritable, Text, LongWritable> {
    @Override
    protected void reduce(Text key, Iterable<LongWritable> values, Context context)
        throws IOException, InterruptedException {
      long min = Long.MAX_VALUE;
      for (LongWritable value : values) {
        long number = value.get();
        if (min >= number) {
          min = number;
        }
      }
      context.write(key, new LongWritable(min));
    }
  }

  static class OldMinimum extends MapReduceBase
      implements org.apache.hadoop.mapred.Reducer<Text, IntWritable, Text, IntWritable> {
    private final IntWritable least = new IntWritable();

    @Override
    public void reduce(
        Text key,
        Iterator<IntWritable> values,
        OutputCollector<Text, IntWritable> output,
        Reporter reporter)
        throws IOException {
      int min = 1000;
      while (values.hasNext()) {
        min = Math.min(min, values.next().get());
      }
      least.set(min);
      output.collect(key, least);
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Sum.class,
        SumInWritable.class,
        OldSum.class,
        Maximum.class,
        Minimum.class,
        OldMinimum.class,
        IntSumReducer.class,
        LongSumReducer.class,
        org.apache.hadoop.mapred.lib.LongSumReducer.class,
      })
  void foldsExactly(Class<?> reducer) {
    assertThat(CombinerCode.isExactFold(reducer)).isTrue();
  }

  static class Average extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int sum = 0;
      int count = 0;
      for (IntWritable value : values) {
        sum += value.get();
        count++;
      }
      context.write(key, new IntWritable(sum / count));
    }
  }

  static class Count extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int count = 0;
      for (IntWritable value : values) {
        count++;
      }
      context.write(key, new IntWritable(count));
    }
  }

  static class CountOnes extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int count = 0;
      for (IntWritable value : values) {
        count = count + 1;
      }
      context.write(key, new IntWritable(count));
    }
  }

  static class SumOfFractions extends Reducer<Text, DoubleWritable, Text, DoubleWritable> {
    @Override
    protected void reduce(Text key, Iterable<DoubleWritable> values, Context context)
        throws IOException, InterruptedException {
      double sum = 0;
      for (DoubleWritable value : values) {
        sum += value.get();
      }
      context.write(key, new DoubleWritable(sum));
    }
  }

  static class First extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      context.write(key, new IntWritable(values.iterator().next().get()));
    }
  }

  static class Last extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int last = 0;
      for (IntWritable value : values) {
        last = value.get();
      }
      context.write(key, new IntWritable(last));
    }
  }

  static class SumOfLarge extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int sum = 0;
      for (IntWritable value : values) {
        if (value.get() > 3) {
          sum += value.get();
        }
      }
      context.write(key, new IntWritable(sum));
    }
  }

  static class Twice extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int sum = 0;
      for (IntWritable value : values) {
        sum += value.get();
        sum += value.get();
      }
      context.write(key, new IntWritable(sum));
    }
  }

  static class OneMore extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int sum = 1;
      for (IntWritable value : values) {
        sum += value.get();
      }
      context.write(key, new IntWritable(sum));
    }
  }

  static class RunningSums extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int sum = 0;
      for (IntWritable value : values) {
        sum += value.get();
        context.write(key, new IntWritable(sum));
      }
    }
  }

  static class UpToFour extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      Iterator<IntWritable> each = values.iterator();
      int sum = each.next().get();
      if (each.hasNext()) {
        sum += each.next().get();
        if (each.hasNext()) {
          sum += each.next().get();
        }
      }
      context.write(key, new IntWritable(sum));
    }
  }

  static class SumOfTwoElseMaximum extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      Iterator<IntWritable> each = values.iterator();
      int result = each.next().get();
      if (each.hasNext()) {
        int second = each.next().get();
        int sum = result + second;
        int max = Math.max(result, second);
        if (!each.hasNext()) {
          context.write(key, new IntWritable(sum));
          return;
        }
        while (each.hasNext()) {
          max = Math.max(max, each.next().get());
        }
        result = max;
      }
      context.write(key, new IntWritable(result));
    }
  }

  static class TwoBeginnings extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      Iterator<IntWritable> each = values.iterator();
      int first = each.next().get();
      int max = first > 3 ? Math.max(10, first) : Math.max(3, first);
      while (each.hasNext()) {
        max = Math.max(max, each.next().get());
      }
      context.write(key, new IntWritable(max));
    }
  }

  static class SumBeforeLast extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      IntWritable before = new IntWritable();
      IntWritable sum = new IntWritable();
      for (IntWritable value : values) {
        before = sum;
        sum = new IntWritable(before.get() + value.get());
      }
      context.write(key, before);
    }
  }

  static class TwoNames extends Reducer<Text, IntWritable, Text, IntWritable> {
    private final IntWritable one = new IntWritable();
    private final IntWritable other = one;

    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int sum = 0;
      for (IntWritable value : values) {
        sum += value.get();
      }
      one.set(sum);
      other.set(7);
      context.write(key, one);
    }
  }

  static class Counting extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int sum = 0;
      for (IntWritable value : values) {
        sum += value.get();
      }
      context.getCounter("job", "groups").increment(1);
      context.write(key, new IntWritable(sum));
    }
  }

  /** Not what upstream calls: the values are of another type. */
  static class NeverCalled extends Reducer<Text, IntWritable, Text, IntWritable> {
    protected void reduce(Text key, Iterator<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int sum = 0;
      while (values.hasNext()) {
        sum += values.next().get();
      }
      context.write(key, new IntWritable(sum));
    }
  }

  static class Rest extends Sum {
    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      context.write(new Text("rest"), new IntWritable());
    }
  }

  static class SumAfterHeader extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
      context.write(new Text("header"), new IntWritable(1));
    }

    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int sum = 0;
      for (IntWritable value : values) {
        sum += value.get();
      }
      context.write(key, new IntWritable(sum));
    }
  }

  static class ZeroOrMaximum extends Reducer<Text, IntWritable, Text, IntWritable> {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int max = 0;
      for (IntWritable value : values) {
        if (value.get() < max) {
          max = value.get();
        }
        max = Math.max(max, value.get());
      }
      context.write(key, new IntWritable(max));
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Average.class,
        Count.class,
        CountOnes.class,
        SumOfFractions.class,
        First.class,
        Last.class,
        SumOfLarge.class,
        Twice.class,
        OneMore.class,
        RunningSums.class,
        UpToFour.class,
        SumOfTwoElseMaximum.class,
        TwoBeginnings.class,
        SumBeforeLast.class,
        TwoNames.class,
        Counting.class,
        NeverCalled.class,
        Rest.class,
        SumAfterHeader.class,
        ZeroOrMaximum.class,
        Reducer.class,
        IdentityReducer.class,
      })
  void isNotKnownToFoldExactly(Class<?> reducer) {
    assertThat(CombinerCode.isExactFold(reducer)).isFalse();
  }
}
