// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.util.List;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.task.reduce.Shuffle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.mapreduce.engine.containers.TaskProcessTree;
import org.mammoth.mapreduce.engine.containers.TaskProgram;
import org.mammoth.mapreduce.shuffle.MammothShuffle;
import org.mammoth.mapreduce.sort.MammothCollector;

/** Which jobs have upstream's sort and shuffle in an engine. */
class StockSettingsTest {

  private final JobConf job = new JobConf();

  private String collector() {
    return TaskProgram.plugIn(job)
        .get(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, "")
        .split(",")[0];
  }

  private String shuffle() {
    return TaskProgram.plugIn(job).get(MRConfig.SHUFFLE_CONSUMER_PLUGIN, Shuffle.class.getName());
  }

  /** So it goes on without its ApplicationMaster, and streaming's scripts are not told so. */
  @ParameterizedTest
  @ValueSource(strings = {"", "false", "true"})
  void onlyTheTaskTakesItselfForOneOfTheApplicationMaster(String asked) throws Exception {
    if (!asked.isEmpty()) {
      job.set("mapreduce.task.uberized", asked);
    }
    MapTask task = new MapTask();
    TaskProgram.hand(task, job);
    Field field = Task.class.getDeclaredField("uberized");
    field.setAccessible(true);
    assertThat(field.getBoolean(task)).isTrue();
    assertThat(job.get("mapreduce.task.uberized", "")).isEqualTo(asked);
  }

  /** Its tasks may run where there is no engine, or nothing of ours. */
  @Test
  void aJobThatATaskSubmitsHasNothingOfOurs() throws Exception {
    job.set("own", "kept");
    JobConf plugged = TaskProgram.plugIn(job);
    assertThat(plugged.getClass(MRConfig.RESOURCE_CALCULATOR_PROCESS_TREE, null))
        .isEqualTo(TaskProcessTree.class);
    assertThat(plugged.getClass(MRConfig.SHUFFLE_CONSUMER_PLUGIN, Shuffle.class))
        .isEqualTo(MammothShuffle.class);
    assertThat(plugged.getClasses(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR))
        .containsExactly(MammothCollector.class, MapTask.MapOutputBuffer.class);
    StringWriter file = new StringWriter();
    plugged.writeXml(file);
    assertThat(file.toString()).contains("kept").doesNotContain("org.mammoth");
    plugged.forEach(each -> assertThat(each.getValue()).doesNotContain("org.mammoth"));
    for (JobConf nested : List.of(new JobConf(plugged), copy(plugged))) {
      assertThat(nested.get("own")).isEqualTo("kept");
      assertThat(nested.get(MRConfig.RESOURCE_CALCULATOR_PROCESS_TREE)).isNull();
      assertThat(nested.getClass(MRConfig.SHUFFLE_CONSUMER_PLUGIN, Shuffle.class))
          .isEqualTo(Shuffle.class);
      assertThat(nested.get(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, ""))
          .doesNotContain("org.mammoth");
    }
  }

  private static JobConf copy(JobConf conf) throws IOException {
    return (JobConf) Job.getInstance(conf).getConfiguration();
  }

  @Test
  void jobsHaveOursByDefault() {
    assertThat(collector()).isEqualTo(MammothCollector.class.getName());
    assertThat(shuffle()).isEqualTo(MammothShuffle.class.getName());
  }

  @ParameterizedTest
  @CsvSource({
    "mapreduce.task.io.sort.mb, 2048",
    "mapreduce.task.io.sort.mb, -1",
    "mapreduce.map.sort.spill.percent, 0",
    "mapreduce.map.sort.spill.percent, 1.1",
    "mapreduce.task.spill.files.count.limit, -2",
    "mapreduce.task.spill.files.count.limit, 3",
    "map.sort.class, org.apache.hadoop.util.HeapSort",
    "mapreduce.task.io.sort.mb, 512m",
    "mapreduce.task.io.sort.mb, ''",
    "mapreduce.map.sort.spill.percent, 80%",
    "mapreduce.task.spill.files.count.limit, none",
  })
  void whatOnlyUpstreamsSortHeedsOrRefusesHasIt(String key, String value) {
    job.set(key, value);
    assertThat(collector()).isIn("", MapTask.MapOutputBuffer.class.getName());
    assertThat(shuffle()).isEqualTo(MammothShuffle.class.getName());
  }

  @ParameterizedTest
  @CsvSource({
    "mapreduce.reduce.shuffle.input.buffer.percent, 0",
    "mapreduce.reduce.shuffle.input.buffer.percent, 1.5",
    "mapreduce.reduce.shuffle.memory.limit.percent, -0.1",
    "mapreduce.reduce.shuffle.memory.limit.percent, 0.9",
    "mapreduce.reduce.shuffle.merge.percent, 0.1",
    "mapreduce.reduce.input.buffer.percent, 2",
    "mapreduce.reduce.input.buffer.percent, ''",
    "mapreduce.reduce.shuffle.merge.percent, 66%",
  })
  void whatUpstreamsMergeRefusesHasIt(String key, String value) {
    job.set(key, value);
    assertThat(collector()).isEqualTo(MammothCollector.class.getName());
    assertThat(shuffle()).isEqualTo(Shuffle.class.getName());
  }

  @ParameterizedTest
  @CsvSource({
    "mapreduce.task.merge.progress.records, 0",
    "mapreduce.task.combine.progress.records, 0",
    "mapreduce.task.merge.progress.records, ten",
    "mapreduce.task.combine.progress.records, ''"
  })
  void whatUpstreamsMergeCannotDivideByIsItsError(String key, String value) {
    job.set(key, value);
    assertThat(collector()).isIn("", MapTask.MapOutputBuffer.class.getName());
    assertThat(shuffle()).isEqualTo(Shuffle.class.getName());
  }

  @ParameterizedTest
  @CsvSource({
    "mapreduce.task.merge.progress.records, -1",
    "mapreduce.task.combine.progress.records, 1",
    "mapreduce.task.io.sort.mb, 2047",
    "mapreduce.map.sort.spill.percent, 1.0",
    "mapreduce.task.spill.files.count.limit, -1",
    "mapreduce.reduce.shuffle.memory.limit.percent, 0.5",
    "mapreduce.reduce.input.buffer.percent, 1.0",
  })
  void whatIsUsualHasOurs(String key, String value) {
    job.set(key, value);
    assertThat(collector()).isEqualTo(MammothCollector.class.getName());
    assertThat(shuffle()).isEqualTo(MammothShuffle.class.getName());
  }
}
