// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mammoth.console.model.JobCounter;
import org.mammoth.console.model.RunKind;
import org.mammoth.console.model.TaskCounts;

/** How a job ran is said by evidence only. */
class RunEvidenceTest {

  private static final TaskCounts TASKS = new TaskCounts(10, 10, 2, 2);

  private static JobCounter counter(String group, String name, long total) {
    return new JobCounter(group, name, 0, total, total);
  }

  private static RunKind of(
      int seen, List<JobCounter> counters, Map<String, String> settings, TaskCounts tasks) {
    return RunEvidence.of(seen, false, counters, settings, tasks).kind();
  }

  @Test
  void whatWasSeenInAnEngineRanThere() {
    assertThat(of(1, List.of(), null, null)).isEqualTo(RunKind.ENGINE);
    assertThat(RunEvidence.of(0, true, List.of(), null, null).kind()).isEqualTo(RunKind.ENGINE);
    List<JobCounter> shuffle = List.of(counter("MammothShuffleCounter", "NODE_SEGMENTS", 3));
    assertThat(of(0, shuffle, Map.of(), TASKS)).isEqualTo(RunKind.ENGINE);
  }

  @Test
  void switchedOffOrAllFallenBackIsStock() {
    Map<String, String> off = Map.of("mammoth.engine.enabled", "false");
    assertThat(of(0, List.of(), off, null)).isEqualTo(RunKind.STOCK);
    List<JobCounter> all = List.of(counter("MammothCounter", "ENGINE_FALLBACKS", 12));
    assertThat(of(0, all, null, TASKS)).isEqualTo(RunKind.STOCK);
    List<JobCounter> most = List.of(counter("MammothCounter", "ENGINE_FALLBACKS", 11));
    assertThat(of(0, most, null, TASKS)).isEqualTo(RunKind.UNKNOWN);
    assertThat(of(0, all, null, null)).as("of how many is not known").isEqualTo(RunKind.UNKNOWN);
  }

  @Test
  void whatNothingTellsIsUnknown() {
    List<JobCounter> reduced = List.of(counter("TaskCounter", "REDUCE_SHUFFLE_BYTES", 9));
    assertThat(of(0, reduced, Map.of(), TASKS)).as("before Mammoth").isEqualTo(RunKind.STOCK);
    assertThat(of(0, reduced, null, TASKS)).isEqualTo(RunKind.UNKNOWN);
    assertThat(of(0, List.of(), Map.of(), TASKS)).as("maps only").isEqualTo(RunKind.UNKNOWN);
    Map<String, String> some = Map.of("mapreduce.application.classpath", "share/hadoop/mammoth/*");
    assertThat(of(0, reduced, some, TASKS)).isEqualTo(RunKind.UNKNOWN);
  }
}
