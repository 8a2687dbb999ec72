// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.IOException;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.io.serializer.Serializer;
import org.apache.hadoop.mapred.Counters.Counter;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Task.CombinerRunner;
import org.apache.hadoop.mapred.Task.TaskReporter;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.reduce.WrappedReducer;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.util.ReflectionUtils;
import org.mammoth.engine.sort.Combiner;
import org.mammoth.engine.sort.groups.GroupCombiner;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.Groups;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.SegmentWriter;

/**
 * Runs the job's combiner, of the old or the new interface, on merged records and on groups of a
 * hash table. One thread at a time.
 */
final class JobCombiner<K, V> implements Combiner, GroupCombiner {

  private final JobConf job;
  private final TaskAttemptID attempt;
  private final TaskReporter reporter;
  private final ProgressFlag progress;
  private final CombinerRunner<K, V> runner;
  private final Class<? extends Reducer<K, V, K, V>> newCombiner;
  private final GroupContextFactory<K, V> contexts;
  private final Counter combined;

  /** Keys are one to the combiner only if all their bytes are the same. */
  private final boolean sameBytes;

  private final boolean mindsOrder;
  private final boolean foldsExactly;

  /** Two of them: sorting what groups emit may merge and combine while the emission goes on. */
  private final Serialized ofMerged;

  private final Serialized ofGroups;

  private JobCombiner(
      JobConf job,
      TaskAttemptID attempt,
      TaskReporter reporter,
      CombinerRunner<K, V> runner,
      Class<? extends Reducer<K, V, K, V>> newCombiner)
      throws IOException {
    this.job = job;
    this.attempt = attempt;
    this.reporter = reporter;
    this.progress = new ProgressFlag(reporter);
    this.runner = runner;
    this.newCombiner = newCombiner;
    this.combined = reporter.getCounter(TaskCounter.COMBINE_OUTPUT_RECORDS);
    @SuppressWarnings("unchecked")
    Class<K> keyClass = (Class<K>) job.getMapOutputKeyClass();
    @SuppressWarnings("unchecked")
    Class<V> valueClass = (Class<V>) job.getMapOutputValueClass();
    RawComparator<?> order = job.getOutputKeyComparator();
    sameBytes =
        KeyOrders.compareAllBytes(order, keyClass)
            && job.getCombinerKeyGroupingComparator().getClass() == order.getClass();
    Class<?> combiner = newCombiner != null ? newCombiner : job.getCombinerClass();
    boolean exactFold = CombinerCode.isExactFold(combiner);
    boolean ofOneGroup = exactFold || CombinerCode.isOfOneGroup(combiner);
    mindsOrder = !sameBytes || !ofOneGroup;
    foldsExactly = sameBytes && exactFold;
    contexts =
        new GroupContextFactory<>(
            job,
            keyClass,
            valueClass,
            ofOneGroup && CombinerCode.isPlainKey(keyClass),
            reporter.getCounter(TaskCounter.COMBINE_INPUT_RECORDS));
    SerializationFactory serializations = new SerializationFactory(job);
    ofMerged = new Serialized(serializations);
    ofGroups = new Serialized(serializations);
  }

  @Override
  public boolean mindsOrder() {
    return mindsOrder;
  }

  /** Whether it does not show in the result how often it runs, nor in which order values come. */
  boolean foldsExactly() {
    return foldsExactly;
  }

  /** The combiner of a job, or null if it has none. */
  @SuppressWarnings("unchecked")
  static <K, V> JobCombiner<K, V> of(
      JobConf job, org.apache.hadoop.mapred.TaskAttemptID attempt, TaskReporter reporter)
      throws IOException, ClassNotFoundException {
    CombinerRunner<K, V> runner =
        CombinerRunner.create(
            job, attempt, reporter.getCounter(TaskCounter.COMBINE_INPUT_RECORDS), reporter, null);
    if (runner == null) {
      return null;
    }
    Class<? extends Reducer<K, V, K, V>> newCombiner =
        job.getCombinerClass() != null
            ? null
            : (Class<? extends Reducer<K, V, K, V>>)
                new JobContextImpl(job, attempt.getJobID()).getCombinerClass();
    return new JobCombiner<>(job, attempt, reporter, runner, newCombiner);
  }

  /** Takes the serialised form of what the combiner emits. */
  private interface Target {
    void take() throws IOException, InterruptedException;
  }

  /** The last record emitted. */
  private final class Serialized {
    private final DataOutputBuffer key = new DataOutputBuffer();
    private final DataOutputBuffer value = new DataOutputBuffer();
    private final Serializer<K> keySerializer;
    private final Serializer<V> valueSerializer;

    Serialized(SerializationFactory serializations) throws IOException {
      keySerializer = serializations.getSerializer(contexts.keyClass());
      keySerializer.open(key);
      valueSerializer = serializations.getSerializer(contexts.valueClass());
      valueSerializer.open(value);
    }

    void emit(K k, V v, Target target) throws IOException {
      combined.increment(1);
      progress.raise();
      require("key", contexts.keyClass(), k);
      require("value", contexts.valueClass(), v);
      key.reset();
      keySerializer.serialize(k);
      value.reset();
      valueSerializer.serialize(v);
      try {
        target.take();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("the task was stopped while combining", e);
      }
    }
  }

  /**
   * Refuses an object of another class, as upstream's writer of spills does: its bytes would be
   * read as something that they are not.
   */
  private static void require(String what, Class<?> expected, Object found) throws IOException {
    if (found.getClass() != expected) {
      throw new IOException(
          "wrong " + what + " class: " + found.getClass() + " is not " + expected);
    }
  }

  private void run(
      org.apache.hadoop.mapred.RawKeyValueIterator records, Serialized record, Target target)
      throws IOException, InterruptedException {
    OutputCollector<K, V> collector = (k, v) -> record.emit(k, v, target);
    try {
      runner.combine(new LiveRecords(records, progress), collector);
    } catch (ClassNotFoundException e) {
      throw new IOException("the job's combiner can't be loaded", e);
    }
  }

  @Override
  public void combine(MergeQueue sorted, SegmentWriter out)
      throws IOException, InterruptedException {
    DataOutputBuffer key = ofMerged.key;
    DataOutputBuffer value = ofMerged.value;
    run(
        new MergedRecords(sorted, 0, newCombiner == null, () -> {}),
        ofMerged,
        () -> out.append(key.getData(), 0, key.getLength(), value.getData(), 0, value.getLength()));
  }

  @Override
  public void combine(Groups groups, Emitter out) throws IOException, InterruptedException {
    DataOutputBuffer key = ofGroups.key;
    DataOutputBuffer value = ofGroups.value;
    Target target =
        () -> out.emit(key.getData(), 0, key.getLength(), value.getData(), 0, value.getLength());
    if (newCombiner == null || !sameBytes) {
      run(new GroupRecords(groups, newCombiner == null), ofGroups, target);
      return;
    }
    RecordWriter<K, V> writer =
        new RecordWriter<>() {
          @Override
          public void write(K k, V v) throws IOException {
            ofGroups.emit(k, v, target);
          }

          @Override
          public void close(TaskAttemptContext context) {}
        };
    Reducer<K, V, K, V> reducer = ReflectionUtils.newInstance(newCombiner, job);
    GroupContext<K, V> context = new GroupContext<>(contexts, attempt, groups, writer, reporter);
    try {
      reducer.run(new WrappedReducer<K, V, K, V>().getReducerContext(context));
    } finally {
      context.tellCounter();
    }
    reporter.progress();
  }
}
