// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

import java.util.List;
import java.util.Map;

/**
 * A job that has ended, as it is kept when daemons have forgotten it. Immutable.
 *
 * @param state how it ended: SUCCEEDED, FAILED, KILLED
 * @param diagnostics why, as the ResourceManager or the history server says; may be empty
 * @param memorySeconds MiB times seconds of its containers; null if the ResourceManager had
 *     forgotten it
 * @param vcoreSeconds the same of virtual cores
 * @param tasks null if the history server did not tell
 * @param attempts null if the history server was not asked or did not tell
 * @param counters empty if the history server was not asked or did not tell
 * @param held the most it held in engines
 * @param run how it ran
 * @param runWhy the evidence for that, or why there is none
 * @param seenInEngine how many of its attempts were seen in engines; at least so many ran there
 * @param fallbacks tasks that were seen to go to ordinary containers, by reason
 * @param merges reduces that were seen to merge in each way
 */
public record JobRecord(
    String id,
    String name,
    String user,
    String queue,
    String state,
    long startedMs,
    long finishedMs,
    String diagnostics,
    Long memorySeconds,
    Long vcoreSeconds,
    TaskCounts tasks,
    AttemptCounts attempts,
    List<JobCounter> counters,
    JobPeaks held,
    RunKind run,
    String runWhy,
    int seenInEngine,
    Map<String, Long> fallbacks,
    Map<String, Long> merges) {

  /**
   * A counter's total of map and reduce; unknown if the job has no such counter or none is kept.
   */
  public long counter(String group, String name) {
    for (JobCounter counter : counters) {
      if (counter.name().equals(name) && counter.group().equals(group)) {
        return counter.total();
      }
    }
    return Figures.UNKNOWN;
  }

  /** As the console shows jobs. */
  public JobSample sample() {
    return JobDigest.sample(id, name, user, queue, state, startedMs, finishedMs, tasks);
  }
}
