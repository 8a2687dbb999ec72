// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.SharedCluster;
import org.mammoth.compat.diff.OutputDiff;
import org.mammoth.mapreduce.MammothCounter;

/**
 * Hadoop promises no order of equal keys, but where it has one that does not depend on time, small
 * jobs have the same: their maps spill once, and their reduces merge in memory. So have their
 * counters of what combiners take and leave.
 */
@ExtendWith(SharedCluster.class)
class OrderOfEqualKeysIT {

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

  @ParameterizedTest
  @CsvSource({
    // maps, most lines of each, distinct keys, reduces, with a combiner that does nothing
    "1, 12, 3, 1, false",
    "1, 20000, 40, 2, false",
    "4, 3000, 7, 1, true",
    "7, 500, 2000, 2, false",
  })
  void valuesOfAKeyComeAsOnStock(
      int maps, int lines, int keys, int reduces, boolean combine, MiniCluster cluster)
      throws Exception {
    Path folder = new Path("/equal-keys/" + maps + "-" + lines);
    Random dice = new Random(maps * 31L + lines);
    for (int map = 0; map < maps; map++) {
      try (PrintStream out =
          new PrintStream(cluster.fs().create(new Path(folder, "in/" + map)), false, "UTF-8")) {
        int count = lines - map * (lines / 10);
        for (int line = 0; line < count; line++) {
          out.println("key" + dice.nextInt(keys) + "\t" + map + " " + line);
        }
      }
    }
    List<Map<TaskCounter, Long>> counted = new ArrayList<>();
    for (boolean engine : new boolean[] {true, false}) {
      Configuration conf = new Configuration(cluster.conf());
      conf.setBoolean("mammoth.engine.enabled", engine);
      // One map after the other, so that they end in the same order.
      conf.setInt(MRJobConfig.JOB_RUNNING_MAP_LIMIT, 1);
      conf.setFloat(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, 1);
      Job job = Job.getInstance(conf, "equal keys");
      job.setInputFormatClass(KeyValueTextInputFormat.class);
      job.setOutputKeyClass(Text.class);
      job.setOutputValueClass(Text.class);
      job.setNumReduceTasks(reduces);
      if (combine) {
        job.setCombinerClass(Reducer.class);
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
}
