// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

import java.util.Map;
import org.mammoth.mapreduce.MammothCounter;

/**
 * What is held in memory of a job that has ended: what lists, searches and sums need. Immutable.
 *
 * @param recordedMs start of the file it was written to
 * @param program the same for all runs of the job: its user, and its name without numbers
 * @param inputBytes what its maps read; unknown if no counter tells
 * @param cpuMs CPU time of its tasks; unknown if no counter tells
 * @param counted whether its counters are known
 * @param fallbackTasks tasks in ordinary containers though the engine was on, as the job counts
 *     them; unknown if its counters are
 * @param fallbacks those that were seen, by reason
 */
public record JobDigest(
    String id,
    String name,
    String user,
    String queue,
    String state,
    long startedMs,
    long finishedMs,
    long recordedMs,
    String program,
    TaskCounts tasks,
    JobPeaks held,
    RunKind run,
    long inputBytes,
    long cpuMs,
    boolean counted,
    long fallbackTasks,
    Map<String, Long> fallbacks) {

  private static final String TASK = "TaskCounter";

  /** Of a record; texts that many jobs share are one in memory. */
  public static JobDigest of(JobRecord job, long recordedMs) {
    boolean counted = !job.counters().isEmpty();
    long read = job.counter("FileInputFormatCounter", "BYTES_READ");
    long fallbacks =
        job.counter(MammothCounter.class.getSimpleName(), MammothCounter.ENGINE_FALLBACKS.name());
    JobPeaks held = job.held();
    return new JobDigest(
        job.id(),
        job.name().intern(),
        job.user().intern(),
        job.queue().intern(),
        job.state().intern(),
        job.startedMs(),
        job.finishedMs(),
        recordedMs,
        JobNames.key(job.user(), job.name()).intern(),
        job.tasks(),
        held.told() ? held : new JobPeaks(0, 0, NOTHING, held.untold().intern()),
        job.run(),
        Figures.known(read) ? read : job.counter("FileSystemCounter", "HDFS_BYTES_READ"),
        job.counter(TASK, "CPU_MILLISECONDS"),
        counted,
        counted && !Figures.known(fallbacks) ? 0 : fallbacks,
        job.fallbacks().isEmpty() ? Map.of() : Map.copyOf(job.fallbacks()));
  }

  /** Shared by all of whose memory nothing is known. */
  private static final long[] NOTHING = new long[0];

  public long tookMs() {
    return finishedMs - startedMs;
  }

  public boolean succeeded() {
    return state.equals("SUCCEEDED");
  }

  /** As the console shows jobs. */
  public JobSample sample() {
    return sample(id, name, user, queue, state, startedMs, finishedMs, tasks);
  }

  static JobSample sample(
      String id,
      String name,
      String user,
      String queue,
      String state,
      long startedMs,
      long finishedMs,
      TaskCounts tasks) {
    return new JobSample(
        id,
        "application_" + id.substring(id.indexOf('_') + 1),
        name,
        user,
        queue,
        "FINISHED",
        state,
        100,
        startedMs,
        finishedMs,
        finishedMs,
        0,
        0,
        "",
        tasks);
  }
}
