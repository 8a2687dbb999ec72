// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.lib.IdentityReducer;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What combiners do, as their code tells: these are written as books and jobs write them. */
@SuppressWarnings({"checkstyle:HiddenField", "unused"})
class CombinerCodeTest {

  /** Short form of the new interface's types. */
  abstract static class OfInts extends Reducer<Text, IntWritable, Text, IntWritable> {}

  /** Short form of the old interface's types. */
  abstract static class OldOfInts extends MapReduceBase
      implements org.apache.hadoop.mapred.Reducer<Text, IntWritable, Text, IntWritable> {}

  static class Sum extends OfInts {
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

  static class SumBySuper extends Sum {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      super.reduce(key, values, context);
    }
  }

  static class OldMaximum extends OldOfInts {
    @Override
    public void reduce(
        Text key,
        Iterator<IntWritable> values,
        OutputCollector<Text, IntWritable> output,
        Reporter reporter)
        throws IOException {
      long max = Long.MIN_VALUE;
      while (values.hasNext()) {
        max = Math.max(max, values.next().get());
        reporter.progress();
      }
      output.collect(key, new IntWritable((int) max));
    }
  }

  static class Concatenation extends Reducer<LongWritable, Text, LongWritable, Text> {
    private int limit;

    @Override
    protected void setup(Context context) {
      limit = context.getConfiguration().getInt("limit", 5);
    }

    @Override
    protected void reduce(LongWritable key, Iterable<Text> values, Context context)
        throws IOException, InterruptedException {
      StringBuilder all = new StringBuilder();
      for (Text value : values) {
        all.append(value.toString()).append(',');
      }
      if (key.get() % 2 == 0 && all.length() > limit) {
        all.setLength(limit);
      }
      context.write(key, new Text(all.toString()));
    }
  }

  static class Copies extends Sum {
    private final Text copy = new Text();

    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      for (IntWritable value : values) {
        copy.set(key);
        context.write(copy, value);
        context.write(new Text(key), value);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Sum.class,
        SumBySuper.class,
        Copies.class,
        OldMaximum.class,
        Concatenation.class,
        Reducer.class,
        IntSumReducer.class,
        LongSumReducer.class,
        IdentityReducer.class,
        org.apache.hadoop.mapred.lib.LongSumReducer.class
      })
  void reduceEachGroupForItself(Class<?> combiner) {
    assertThat(CombinerCode.isOfOneGroup(combiner)).isTrue();
  }

  static class ChangesKey extends Sum {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      for (IntWritable value : values) {
        key.set(key + "x");
        context.write(key, value);
      }
    }
  }

  static class HandsKeyOn extends Sum {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      Text same = key;
      change(same);
      super.reduce(key, values, context);
    }

    private static void change(Text text) {
      text.clear();
    }
  }

  static class KeyByArray extends Sum {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      key.getBytes()[0]++;
      super.reduce(key, values, context);
    }
  }

  /** Writes for a small sum what the last large one has left. */
  static class LeavesResult extends OfInts {
    private final IntWritable result = new IntWritable();

    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int sum = 0;
      for (IntWritable value : values) {
        sum += value.get();
      }
      if (sum > 5) {
        result.set(sum);
      }
      context.write(key, result);
    }
  }

  static class SetsAnother extends OfInts {
    private final IntWritable result = new IntWritable();
    private final IntWritable other = new IntWritable();

    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      other.set(1);
      context.write(key, result);
    }
  }

  static class RunningText extends Sum {
    private final Text all = new Text();

    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      all.set(all + ".");
      context.write(all, new IntWritable(1));
    }
  }

  static class RunningSum extends OfInts {
    private final IntWritable result = new IntWritable();

    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      for (IntWritable value : values) {
        result.set(result.get() + value.get());
      }
      context.write(key, result);
    }
  }

  static class RunningSumByVariable extends OfInts {
    private final IntWritable result = new IntWritable();

    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      IntWritable sum = new IntWritable();
      for (IntWritable value : values) {
        sum = sum.get() > 3 ? result : value;
      }
      context.write(key, new IntWritable(sum.get()));
    }
  }

  static class CountsGroups extends Sum {
    private int groups;

    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      if (groups++ < 10) {
        super.reduce(key, values, context);
      }
    }
  }

  static class KeepsList extends Sum {
    private static final List<String> SEEN = new ArrayList<>();

    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      SEEN.add(key.toString());
      super.reduce(key, values, context);
    }
  }

  static class KeepsLastKey extends Sum {
    private Text last;

    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      super.reduce(key, values, context);
      last = key;
    }
  }

  static class ByOthersField extends Sum {
    static class Counter {
      static int groups;
    }

    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      Counter.groups++;
      super.reduce(key, values, context);
    }
  }

  static class ByLambda extends Sum {
    private int sum;

    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      values.forEach(value -> sum += value.get());
      context.write(key, new IntWritable(sum));
    }
  }

  static class ByContext extends Sum {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      context.getConfiguration().set("seen", "yes");
      super.reduce(key, values, context);
    }
  }

  static class ReadsProperty extends Sum {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      if (Integer.getInteger("seen") == null) {
        super.reduce(key, values, context);
      }
    }
  }

  static class WithCleanup extends Sum {
    @Override
    protected void cleanup(Context context) {}
  }

  static class WithRun extends Sum {
    @Override
    public void run(Context context) throws IOException, InterruptedException {
      super.run(context);
    }
  }

  static class OldWithClose extends OldMaximum {
    @Override
    public void configure(JobConf job) {}

    @Override
    public void close() {}
  }

  static class Unknown extends Reducer<Text, Unknown.Value, Text, Unknown.Value> {
    static class Value extends IntWritable {
      @Override
      public String toString() {
        set(get() + 1);
        return "";
      }
    }

    @Override
    protected void reduce(Text key, Iterable<Value> values, Context context)
        throws IOException, InterruptedException {
      for (Value value : values) {
        context.write(new Text(new StringBuilder().append(value).toString()), value);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        ChangesKey.class,
        HandsKeyOn.class,
        KeyByArray.class,
        LeavesResult.class,
        SetsAnother.class,
        RunningText.class,
        RunningSum.class,
        RunningSumByVariable.class,
        CountsGroups.class,
        KeepsList.class,
        KeepsLastKey.class,
        ByOthersField.class,
        ByLambda.class,
        ByContext.class,
        ReadsProperty.class,
        WithCleanup.class,
        WithRun.class,
        OldWithClose.class,
        Unknown.class
      })
  void mayGoBeyondAGroup(Class<?> combiner) {
    assertThat(CombinerCode.isOfOneGroup(combiner)).isFalse();
  }

  /** Of a library that the job does not bring, as it never needs it. */
  static class Optional {}

  static class WithHelper extends Sum {
    private void tell(Optional to) {}
  }

  static class SumWithHelper extends OfInts {
    @Override
    protected void reduce(Text key, Iterable<IntWritable> values, Context context)
        throws IOException, InterruptedException {
      int sum = 0;
      for (IntWritable value : values) {
        sum += value.get();
      }
      context.write(key, new IntWritable(sum));
    }

    private void tell(Optional to) {}
  }

  /** Defines these classes anew, and lacks one. */
  private static final class Incomplete extends ClassLoader {
    Incomplete() {
      super(CombinerCodeTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals(Optional.class.getName())) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith(CombinerCodeTest.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      try (InputStream code = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = code.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** Stock Hadoop only makes an object of it, which asks for no such class. */
  @ParameterizedTest
  @ValueSource(classes = {WithHelper.class, SumWithHelper.class})
  void aClassThatIsMissingIsNoProofAndNoError(Class<?> combiner) throws Exception {
    Class<?> incomplete = Class.forName(combiner.getName(), true, new Incomplete());
    assertThat(ReflectionUtils.newInstance(incomplete, null)).isInstanceOf(incomplete);
    assertThatThrownBy(incomplete::getDeclaredMethods).isInstanceOf(NoClassDefFoundError.class);
    assertThat(CombinerCode.isExactFold(incomplete)).isFalse();
    assertThat(CombinerCode.isOfOneGroup(incomplete)).isFalse();
  }
}
