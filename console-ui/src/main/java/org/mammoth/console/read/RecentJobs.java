// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.console.model.JobSample;

/**
 * The jobs that run, all of them, and the latest of those that ended within a day. A
 * ResourceManager keeps many of these, and would leave out any and not the earliest if it were
 * asked for so many: it is asked for all that ended since the last one that it told of, and the
 * rest is kept here. Any thread.
 */
final class RecentJobs {

  /** How many jobs that have ended are listed. */
  static final int MOST_ENDED = 500;

  private static final long DAY_MS = 86_400_000;

  /** How long a ResourceManager may take until it tells of an end. */
  private static final long LATE_MS = 600_000;

  private final Map<String, JobSample> ended = new HashMap<>();

  /** From which end on jobs are to be asked for, by the ResourceManager's clock. */
  synchronized long sinceMs(long nowMs) {
    long newest = ended.values().stream().mapToLong(JobSample::finishedMs).max().orElse(0);
    // Its clock may have been ahead.
    return Math.max(nowMs - DAY_MS, Math.min(newest, nowMs) - LATE_MS);
  }

  /**
   * The list, those that started last first.
   *
   * @param running the jobs that ran; asked for before the others, so that no job is missed between
   * @param more those that have ended since {@link #sinceMs}
   */
  synchronized List<JobSample> with(List<JobSample> running, List<JobSample> more, long nowMs) {
    more.stream().filter(job -> !job.running()).forEach(job -> ended.put(job.id(), job));
    List<JobSample> kept =
        ended.values().stream()
            .filter(job -> job.finishedMs() >= nowMs - DAY_MS)
            .sorted(
                Comparator.comparingLong(JobSample::finishedMs)
                    .thenComparing(JobSample::id)
                    .reversed())
            .limit(MOST_ENDED)
            .toList();
    ended.clear();
    kept.forEach(job -> ended.put(job.id(), job));
    List<JobSample> all = new ArrayList<>(kept);
    running.stream().filter(job -> !ended.containsKey(job.id())).forEach(all::add);
    all.sort(Comparator.comparingLong(JobSample::startedMs).reversed());
    return all;
  }
}
