// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import java.util.Comparator;
import java.util.Iterator;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.VLongWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * Combiners of the random job beside the one that only folds: sums as everybody writes them, and
 * those that count on what else stock Hadoop gives them. These fail where they do not get it.
 */
final class Combiners {
  private Combiners() {}

  /** The combiner of a plan in the new interface. */
  static Class<? extends Reducer<?, ?, ?, ?>> ofNewApi(JobPlan plan) {
    return switch (plan.combining) {
      case FOLD -> NewApi.PlanCombiner.class;
      case PLAIN_SUM -> plan.value == Kind.LONG ? LongSum.class : VLongSum.class;
      case WATCHFUL -> Watchful.class;
    };
  }

  /** The combiner of a plan in the old interface. */
  static Class<? extends org.apache.hadoop.mapred.Reducer<?, ?, ?, ?>> ofOldApi(JobPlan plan) {
    return switch (plan.combining) {
      case FOLD -> OldApi.PlanCombiner.class;
      case PLAIN_SUM -> plan.value == Kind.LONG ? OldLongSum.class : OldVLongSum.class;
      case WATCHFUL -> OldWatchful.class;
    };
  }

  static final class LongSum extends Reducer<Object, LongWritable, Object, LongWritable> {
    private final LongWritable result = new LongWritable();

    @Override
    protected void reduce(Object key, Iterable<LongWritable> values, Context context)
        throws IOException, InterruptedException {
      long sum = 0;
      for (LongWritable value : values) {
        sum += value.get();
      }
      result.set(sum);
      context.write(key, result);
    }
  }

  static final class VLongSum extends Reducer<Object, VLongWritable, Object, VLongWritable> {
    @Override
    protected void reduce(Object key, Iterable<VLongWritable> values, Context context)
        throws IOException, InterruptedException {
      long sum = 0;
      for (VLongWritable value : values) {
        sum += value.get();
      }
      context.write(key, new VLongWritable(sum));
    }
  }

  static final class OldLongSum extends MapReduceBase
      implements org.apache.hadoop.mapred.Reducer<Object, LongWritable, Object, LongWritable> {
    @Override
    public void reduce(
        Object key,
        Iterator<LongWritable> values,
        OutputCollector<Object, LongWritable> output,
        Reporter reporter)
        throws IOException {
      long sum = 0;
      while (values.hasNext()) {
        sum += values.next().get();
      }
      output.collect(key, new LongWritable(sum));
    }
  }

  static final class OldVLongSum extends MapReduceBase
      implements org.apache.hadoop.mapred.Reducer<Object, VLongWritable, Object, VLongWritable> {
    private final VLongWritable result = new VLongWritable();

    @Override
    public void reduce(
        Object key,
        Iterator<VLongWritable> values,
        OutputCollector<Object, VLongWritable> output,
        Reporter reporter)
        throws IOException {
      long sum = 0;
      while (values.hasNext()) {
        sum += values.next().get();
      }
      result.set(sum);
      output.collect(key, result);
    }
  }

  /** Remembers the last key and fails if the next does not come after it. */
  private static final class Watch {
    private final JobPlan plan;
    private final Comparator<Object> order;
    private Object last;

    @SuppressWarnings("unchecked")
    Watch(JobPlan plan, Comparator<?> order) {
      this.plan = plan;
      this.order = (Comparator<Object>) order;
    }

    void next(Object key) throws IOException {
      if (last != null && plan.comparesObjectsAlike() && order.compare(last, key) >= 0) {
        throw new IOException("The combiner got " + Kind.show(key) + " after " + Kind.show(last));
      }
      last = plan.key.copy(key);
    }
  }

  /** Counts on the order of keys, and on a key that is as it was written with each value. */
  static final class Watchful extends Reducer<Object, Object, Object, Object> {
    private static final byte[] MARK = {1, 2, 1};
    private JobPlan plan;
    private Watch watch;

    @Override
    protected void setup(Context context) {
      plan = JobPlan.of(context.getConfiguration());
      watch = new Watch(plan, context.getSortComparator());
    }

    @Override
    protected void reduce(Object key, Iterable<Object> values, Context context)
        throws IOException, InterruptedException {
      watch.next(key);
      Folding folding = new Folding(plan);
      Object clean = key;
      for (Object value : values) {
        Object current = context.getCurrentKey();
        clean = plan.key.copy(current);
        folding.add(clean, value);
        if (current instanceof Text text) {
          spoil(text);
        }
      }
      for (Object value : folding.combined()) {
        context.write(clean, value);
      }
    }

    private static void spoil(Text key) throws IOException {
      if (key.toString().endsWith(new String(MARK, java.nio.charset.StandardCharsets.US_ASCII))) {
        throw new IOException("The key was not read anew with the next value: " + key);
      }
      key.append(MARK, 0, MARK.length);
    }
  }

  /** Counts on the order of keys. */
  static final class OldWatchful extends MapReduceBase
      implements org.apache.hadoop.mapred.Reducer<Object, Object, Object, Object> {
    private JobPlan plan;
    private Watch watch;

    @Override
    public void configure(JobConf job) {
      plan = JobPlan.of(job);
      watch = new Watch(plan, job.getOutputKeyComparator());
    }

    @Override
    public void reduce(
        Object key,
        Iterator<Object> values,
        OutputCollector<Object, Object> output,
        Reporter reporter)
        throws IOException {
      watch.next(key);
      Folding folding = new Folding(plan);
      while (values.hasNext()) {
        folding.add(key, values.next());
      }
      for (Object value : folding.combined()) {
        output.collect(key, value);
      }
    }
  }
}
