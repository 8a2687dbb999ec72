// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.Mapper;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Partitioner;
import org.apache.hadoop.mapred.Reducer;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.lib.MultipleOutputs;

/** The random job in the API of org.apache.hadoop.mapred. */
final class OldApi {
  private OldApi() {}

  /** What maps and reduces share: the plan, the side output, the note. */
  private abstract static class Base extends MapReduceBase {
    private JobPlan plan;
    private JobConf conf;
    private MultipleOutputs outputs;

    @Override
    public void configure(JobConf job) {
      conf = job;
      plan = JobPlan.of(job);
    }

    final JobPlan plan() {
      return plan;
    }

    final JobConf conf() {
      return conf;
    }

    final void leaveNote() {
      try {
        TaskNote.leave(conf);
        Parts.check(conf);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    final void openSide() {
      outputs = plan.multipleOutputs ? new MultipleOutputs(conf) : null;
    }

    @SuppressWarnings("unchecked")
    final void side(String record, Reporter reporter) throws IOException {
      if (outputs != null && Math.floorMod(Mix.of(record), 5) == 0) {
        outputs.getCollector(NewApi.SIDE, reporter).collect(new Text(record), NullWritable.get());
      }
    }

    @Override
    public void close() throws IOException {
      if (outputs != null) {
        outputs.close();
      }
    }
  }

  /** Emits what {@link Emission} says. */
  static class PlanMapper extends Base implements Mapper<Object, Object, Object, Object> {
    private Emission emission;

    @Override
    public void configure(JobConf job) {
      super.configure(job);
      emission = new Emission(plan());
      if (plan().reduces == 0 && plan().shape == JobPlan.Shape.PLAIN) {
        openSide();
      }
      leaveNote();
    }

    boolean keyed() {
      return plan().input != JobPlan.Input.TEXT
          && plan().input != JobPlan.Input.N_LINE
          && plan().input != JobPlan.Input.COMBINE;
    }

    @Override
    public void map(
        Object key, Object value, OutputCollector<Object, Object> output, Reporter reporter)
        throws IOException {
      String record = NewApi.record(keyed(), key, value);
      reporter.incrCounter(Tally.RECORDS, 1);
      if (record.isEmpty()) {
        reporter.incrCounter(Tally.EMPTY_RECORDS, 1);
      }
      try {
        int emitted = emission.emit(record, output::collect);
        reporter.incrCounter("compat", "emitted-" + emitted, 1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
      side(record, reporter);
    }
  }

  /** For the input whose keys are data, beside one whose keys are offsets. */
  static final class KeyedMapper extends PlanMapper {
    @Override
    boolean keyed() {
      return true;
    }
  }

  /** For the input whose keys are offsets, beside one whose keys are data. */
  static final class LineMapper extends PlanMapper {
    @Override
    boolean keyed() {
      return false;
    }
  }

  /** The second link of a chain: drops every seventh record. */
  static final class SieveMapper extends MapReduceBase
      implements Mapper<Object, Object, Object, Object> {
    @Override
    public void map(
        Object key, Object value, OutputCollector<Object, Object> output, Reporter reporter)
        throws IOException {
      if (Math.floorMod(Mix.of(NewApi.record(true, key, value)), 7) != 0) {
        output.collect(key, value);
      }
    }
  }

  /** Folds without changing types. */
  static final class PlanCombiner extends Base implements Reducer<Object, Object, Object, Object> {
    @Override
    public void reduce(
        Object key,
        Iterator<Object> values,
        OutputCollector<Object, Object> output,
        Reporter reporter)
        throws IOException {
      Folding folding = new Folding(plan());
      while (values.hasNext()) {
        folding.add(key, values.next());
      }
      for (Object value : folding.combined()) {
        output.collect(key, value);
      }
    }
  }

  /** Folds each group into one line. */
  static final class PlanReducer extends Base implements Reducer<Object, Object, Object, Object> {
    @Override
    public void configure(JobConf job) {
      super.configure(job);
      openSide();
      leaveNote();
    }

    @Override
    public void reduce(
        Object key,
        Iterator<Object> values,
        OutputCollector<Object, Object> output,
        Reporter reporter)
        throws IOException {
      Folding folding = new Folding(plan());
      while (values.hasNext()) {
        // The value first: this API moves the key along with it.
        Object value = values.next();
        folding.add(key, value);
      }
      reporter.incrCounter(Tally.GROUPS, 1);
      side(folding.name(), reporter);
      output.collect(
          plan().keepsKey() ? key : new Text(folding.name()), new Text(folding.reduced()));
    }
  }

  /** By the key's text, so that it is the same in every process. */
  static final class ModuloPartitioner extends MapReduceBase
      implements Partitioner<Object, Object> {
    @Override
    public int getPartition(Object key, Object value, int partitions) {
      return Math.floorMod(Mix.of(Kind.show(key)), partitions);
    }
  }
}
