// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import java.util.List;
import java.util.Map;
import org.mammoth.console.model.AttemptCounts;
import org.mammoth.console.model.JobCounter;
import org.mammoth.console.model.JobPeaks;
import org.mammoth.console.model.JobRecord;
import org.mammoth.console.model.RunKind;
import org.mammoth.console.model.TaskCounts;

/** Jobs for tests. */
public final class ArchivedJobs {

  private ArchivedJobs() {}

  /** A job of which everything is known; what differs is made from its number. */
  public static JobRecord job(int number, String state, RunKind run) {
    return job(number, "nightly " + number % 3, state, run, number * 1000L, 60_000 + number);
  }

  public static JobRecord job(
      int number, String name, String state, RunKind run, long input, long tookMs) {
    long started = 1_700_000_000_000L + number * 60_000L;
    return new JobRecord(
        "job_1_" + String.format("%04d", number),
        name,
        number % 2 == 0 ? "ada" : "bob",
        number % 3 == 0 ? "etl" : "adhoc",
        state,
        started,
        started + tookMs,
        "",
        number * 7L,
        null,
        new TaskCounts(10, 9, 1, 1),
        new AttemptCounts(number % 4, 0, 0, 0),
        List.of(
            new JobCounter("FileInputFormatCounter", "BYTES_READ", input, 0, input),
            new JobCounter("TaskCounter", "CPU_MILLISECONDS", tookMs, tookMs, 2 * tookMs)),
        new JobPeaks(started, started + tookMs, new long[] {1, 2, 3, 4, 5, 6, 7, 8, 9, number}, ""),
        run,
        "because",
        number,
        number % 5 == 0 ? Map.of("it is profiled (mapreduce.task.profile)", 3L) : Map.of(),
        Map.of("auto: push", 1L));
  }
}
