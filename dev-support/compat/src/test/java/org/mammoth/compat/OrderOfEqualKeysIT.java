// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.SharedCluster;
import org.mammoth.compat.diff.OutputDiff;
import org.mammoth.mapreduce.MammothCounter;

/**
 * Hadoop promises no order of equal keys, but where it has one that does not depend on time, jobs
 * have the same, with maps of one spill and of several. So have their counters of what combiners
 * take and leave, and what combiners make of values that they see twice, or in another order.
 */
@ExtendWith(SharedCluster.class)
class OrderOfEqualKeysIT {

  private static final int SAME_LENGTH_MAPS = 3;

  /** What a combiner and the order of records decide. */
  private static final Set<TaskCounter> COUNTED =
      EnumSet.of(
          TaskCounter.COMBINE_INPUT_RECORDS,
          TaskCounter.COMBINE_OUTPUT_RECORDS,
          TaskCounter.MAP_OUTPUT_BYTES,
          TaskCounter.MAP_OUTPUT_MATERIALIZED_BYTES,
          TaskCounter.REDUCE_INPUT_GROUPS,
          TaskCounter.REDUCE_INPUT_RECORDS,
          TaskCounter.REDUCE_SHUFFLE_BYTES);

  /** Rounded, so that an average of averages is another one. */
  public static class Average extends Reducer<Text, Text, Text, Text> {
    @Override
    protected void reduce(Text key, Iterable<Text> values, Context context)
        throws IOException, InterruptedException {
      long sum = 0;
      int count = 0;
      for (Text value : values) {
        sum += Long.parseLong(value.toString());
        count++;
      }
      context.write(key, new Text(Long.toString(sum / count)));
    }
  }

  /** The last digits of such a sum are those of its order. */
  public static class SumOfFractions extends Reducer<Text, Text, Text, Text> {
    @Override
    protected void reduce(Text key, Iterable<Text> values, Context context)
        throws IOException, InterruptedException {
      double sum = 0;
      for (Text value : values) {
        sum += Double.parseDouble(value.toString()) / 3;
      }
      context.write(key, new Text(Double.toString(sum)));
    }
  }

  /** Calls no two keys equal, and says of two that are that either comes first. */
  public static class Careless extends WritableComparator {
    public Careless() {
      super(Text.class, true);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public int compare(WritableComparable left, WritableComparable right) {
      return left.toString().length() < right.toString().length() ? -1 : 1;
    }
  }

  @ParameterizedTest
  @CsvSource({
    // maps, most lines of each, distinct keys, reduces, sort buffer, combiner, whether it reduces
    "1, 12, 3, 1, 100, , false",
    "1, 20000, 40, 2, 100, , false",
    "4, 3000, 7, 1, 100, org.apache.hadoop.mapreduce.Reducer, false",
    "7, 500, 2000, 2, 100, , false",
    // more than a collect buffer of 1 MiB, and more than stock sorts in one spill
    "1, 80000, 5000, 2, 1, , false",
    "2, 60000, 400, 2, 100, org.mammoth.compat.OrderOfEqualKeysIT$Average, true",
    "1, 90000, 400, 2, 1, org.mammoth.compat.OrderOfEqualKeysIT$Average, true",
    "2, 80000, 30, 1, 1, org.mammoth.compat.OrderOfEqualKeysIT$SumOfFractions, true",
    "1, 60000, 100, 1, 1, careless, false",
  })
  @SuppressWarnings("rawtypes")
  void valuesOfAKeyComeAsOnStock(
      int maps,
      int lines,
      int keys,
      int reduces,
      int sortBuffer,
      String combiner,
      boolean reduceLikeCombine,
      MiniCluster cluster)
      throws Exception {
    Path folder = new Path("/equal-keys/" + maps + "-" + lines + "-" + keys);
    boolean careless = "careless".equals(combiner);
    Random dice = new Random(maps * 31L + lines);
    for (int map = 0; map < maps; map++) {
      try (PrintStream out =
          new PrintStream(cluster.fs().create(new Path(folder, "in/" + map)), false, "UTF-8")) {
        int count = lines - map * (lines / 10);
        for (int line = 0; line < count; line++) {
          out.println("key" + dice.nextInt(keys) + "\t" + map + dice.nextInt(1_000_000));
        }
      }
    }
    List<Map<TaskCounter, Long>> counted = new ArrayList<>();
    for (boolean engine : new boolean[] {true, false}) {
      Configuration conf = new Configuration(cluster.conf());
      conf.setBoolean("mammoth.engine.enabled", engine);
      conf.setInt(MRJobConfig.IO_SORT_MB, sortBuffer);
      // One map after the other, so that they end in the same order.
      conf.setInt(MRJobConfig.JOB_RUNNING_MAP_LIMIT, 1);
      conf.setFloat(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, 1);
      Job job = Job.getInstance(conf, "equal keys");
      job.setInputFormatClass(KeyValueTextInputFormat.class);
      job.setOutputKeyClass(Text.class);
      job.setOutputValueClass(Text.class);
      job.setNumReduceTasks(reduces);
      if (careless) {
        job.setSortComparatorClass(Careless.class);
      } else if (combiner != null) {
        Class<? extends Reducer> combining = Class.forName(combiner).asSubclass(Reducer.class);
        job.setCombinerClass(combining);
        job.setReducerClass(reduceLikeCombine ? combining : Reducer.class);
      }
      FileInputFormat.addInputPath(job, new Path(folder, "in"));
      FileOutputFormat.setOutputPath(job, new Path(folder, "engine-" + engine));
      assertThat(job.waitForCompletion(false)).isTrue();
      assertThat(job.getCounters().findCounter(MammothCounter.ENGINE_FALLBACKS).getValue())
          .isZero();
      Map<TaskCounter, Long> counts = new EnumMap<>(TaskCounter.class);
      for (TaskCounter each : COUNTED) {
        counts.put(each, job.getCounters().findCounter(each).getValue());
      }
      counted.add(counts);
    }
    assertThat(counted.get(0)).isEqualTo(counted.get(1));
    assertThat(
            new OutputDiff(cluster.fs(), cluster.conf())
                .compare(new Path(folder, "engine-true"), new Path(folder, "engine-false")))
        .isEmpty();
  }

  /** Has maps end the later, the earlier they begin. */
  public static class LastFirst extends Mapper<Text, Text, Text, Text> {
    @Override
    protected void cleanup(Context context) throws InterruptedException {
      int map = context.getTaskAttemptID().getTaskID().getId();
      Thread.sleep((SAME_LENGTH_MAPS - map) * 400L);
    }
  }

  /**
   * Segments of one length come in the order of their maps, whichever ends first: as on stock where
   * maps end in their order, and the same each time.
   */
  @Test
  void segmentsOfOneLengthComeInTheOrderOfTheirMaps(MiniCluster cluster) throws Exception {
    Path folder = new Path("/equal-lengths");
    for (int map = 0; map < SAME_LENGTH_MAPS; map++) {
      try (PrintStream out =
          new PrintStream(cluster.fs().create(new Path(folder, "in/" + map)), false, "UTF-8")) {
        for (int line = 0; line < 50; line++) {
          out.println("key" + line % 7 + "\t" + map + " " + (100 + line));
        }
      }
    }
    for (boolean engine : new boolean[] {true, false}) {
      Configuration conf = new Configuration(cluster.conf());
      conf.setBoolean("mammoth.engine.enabled", engine);
      conf.setInt(MRJobConfig.JOB_RUNNING_MAP_LIMIT, engine ? 0 : 1);
      conf.setFloat(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, 1);
      Job job = Job.getInstance(conf, "equal lengths");
      job.setInputFormatClass(KeyValueTextInputFormat.class);
      job.setMapperClass(LastFirst.class);
      job.setOutputKeyClass(Text.class);
      job.setOutputValueClass(Text.class);
      FileInputFormat.addInputPath(job, new Path(folder, "in"));
      FileOutputFormat.setOutputPath(job, new Path(folder, "engine-" + engine));
      assertThat(job.waitForCompletion(false)).isTrue();
    }
    assertThat(
            new OutputDiff(cluster.fs(), cluster.conf())
                .compare(new Path(folder, "engine-true"), new Path(folder, "engine-false")))
        .isEmpty();
  }
}
