// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;

/** The random job in the API of org.apache.hadoop.mapreduce. */
final class NewApi {
  static final String SIDE = "side";

  private NewApi() {}

  /** The named output, if the plan has one: every fifth record goes there too. */
  private static final class Side {
    private final MultipleOutputs<Object, Object> outputs;

    Side(JobPlan plan, boolean last, TaskInputOutputContext<?, ?, Object, Object> context) {
      outputs = plan.multipleOutputs && last ? new MultipleOutputs<>(context) : null;
    }

    void put(String record) throws IOException, InterruptedException {
      if (outputs != null && Math.floorMod(Mix.of(record), 5) == 0) {
        outputs.write(SIDE, new Text(record), NullWritable.get());
      }
    }

    void close() throws IOException, InterruptedException {
      if (outputs != null) {
        outputs.close();
      }
    }
  }

  /** A record is its value, or key and value where the key is data and no offset. */
  static String record(boolean keyed, Object key, Object value) {
    return keyed ? Kind.show(key) + "\t" + Kind.show(value) : Kind.show(value);
  }

  /** Emits what {@link Emission} says. */
  static class PlanMapper extends Mapper<Object, Object, Object, Object> {
    private JobPlan plan;
    private Emission emission;
    private Side side;

    /** Whether keys are data. */
    boolean keyed(Context context) {
      return plan.input != JobPlan.Input.TEXT
          && plan.input != JobPlan.Input.N_LINE
          && plan.input != JobPlan.Input.COMBINE;
    }

    @Override
    protected void setup(Context context) throws IOException {
      plan = JobPlan.of(context.getConfiguration());
      emission = new Emission(plan);
      side = new Side(plan, plan.reduces == 0 && plan.shape == JobPlan.Shape.PLAIN, context);
      TaskNote.leave(context.getConfiguration());
      Parts.check(context.getConfiguration());
      context.setStatus(
          context.getInputSplit() instanceof FileSplit split
              ? "reading " + split.getPath().getName()
              : "reading");
    }

    @Override
    protected void map(Object key, Object value, Context context)
        throws IOException, InterruptedException {
      String record = record(keyed(context), key, value);
      context.getCounter(Tally.RECORDS).increment(1);
      if (record.isEmpty()) {
        context.getCounter(Tally.EMPTY_RECORDS).increment(1);
      }
      int emitted = emission.emit(record, context::write);
      context.getCounter("compat", "emitted-" + emitted).increment(1);
      side.put(record);
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      side.close();
    }
  }

  /** For the input whose keys are data, beside one whose keys are offsets. */
  static final class KeyedMapper extends PlanMapper {
    @Override
    boolean keyed(Context context) {
      return true;
    }
  }

  /** For the input whose keys are offsets, beside one whose keys are data. */
  static final class LineMapper extends PlanMapper {
    @Override
    boolean keyed(Context context) {
      return false;
    }
  }

  /** The second link of a chain: drops every seventh record. */
  static final class SieveMapper extends Mapper<Object, Object, Object, Object> {
    @Override
    protected void map(Object key, Object value, Context context)
        throws IOException, InterruptedException {
      if (Math.floorMod(Mix.of(record(true, key, value)), 7) != 0) {
        context.write(key, value);
      }
    }
  }

  /** Folds without changing types. */
  static final class PlanCombiner extends Reducer<Object, Object, Object, Object> {
    @Override
    protected void reduce(Object key, Iterable<Object> values, Context context)
        throws IOException, InterruptedException {
      JobPlan plan = JobPlan.of(context.getConfiguration());
      Folding folding = new Folding(plan);
      for (Object value : values) {
        folding.add(key, value);
      }
      for (Object value : folding.combined()) {
        context.write(key, value);
      }
    }
  }

  /** Folds each group into one line. */
  static final class PlanReducer extends Reducer<Object, Object, Object, Object> {
    private JobPlan plan;
    private Side side;

    @Override
    protected void setup(Context context) throws IOException {
      plan = JobPlan.of(context.getConfiguration());
      side = new Side(plan, true, context);
      TaskNote.leave(context.getConfiguration());
      Parts.check(context.getConfiguration());
    }

    @Override
    protected void reduce(Object key, Iterable<Object> values, Context context)
        throws IOException, InterruptedException {
      Folding folding = new Folding(plan);
      for (Object value : values) {
        // Not the parameter: Hadoop may hand out a new key object with each value.
        folding.add(context.getCurrentKey(), value);
      }
      context.getCounter(Tally.GROUPS).increment(1);
      side.put(folding.name());
      context.write(
          plan.keepsKey() ? context.getCurrentKey() : new Text(folding.name()),
          new Text(folding.reduced()));
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      side.close();
    }
  }

  /** By the key's text, so that it is the same in every process. */
  static final class ModuloPartitioner extends Partitioner<Object, Object> implements Configurable {
    private Configuration conf;

    @Override
    public int getPartition(Object key, Object value, int partitions) {
      return Math.floorMod(Mix.of(Kind.show(key)), partitions);
    }

    @Override
    public void setConf(Configuration conf) {
      this.conf = conf;
    }

    @Override
    public Configuration getConf() {
      return conf;
    }
  }
}
