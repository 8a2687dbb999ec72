// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.mammoth.console.model.JobSample;

/**
 * The jobs that run, all of them, and the latest of those that ended within a day. A
 * ResourceManager keeps many of these, and would leave out any and not the earliest if it were
 * asked for so many: it is asked for all that ended since the last one that it told of, and the
 * rest is kept here. Its clock and the console's may differ by any time: what is asked for goes by
 * its own, for how long an end is listed goes by when it was seen here. Any thread.
 */
final class RecentJobs {

  /** How many jobs that have ended are listed. */
  static final int MOST_ENDED = 500;

  private static final long DAY_MS = 86_400_000;

  /** How long a ResourceManager may take until it tells of an end. */
  private static final long LATE_MS = 600_000;

  /** The two clocks may differ by so much, and an end be told of so late, without a word. */
  private static final long AGREE_MS = 10_000;

  private final Map<String, JobSample> ended = new HashMap<>();

  /** When each end was seen that is listed or told of again. */
  private final Map<String, Long> seen = new HashMap<>();

  private Set<String> ran = Set.of();
  private boolean asked;

  /** The latest end so far by the ResourceManager's clock; -1 if it has told of none. */
  private long newestMs = -1;

  /** From which end on jobs are to be asked for, by the ResourceManager's clock. */
  synchronized long sinceMs(long nowMs) {
    if (newestMs < 0) {
      // None within a day may be none by a clock that is a day behind.
      return asked ? 0 : nowMs - DAY_MS;
    }
    // Its clock may have been ahead.
    return Math.min(newestMs, nowMs) - LATE_MS;
  }

  /**
   * The list, those that started last first.
   *
   * @param running the jobs that ran; asked for before the others, so that no job is missed between
   * @param more those that have ended since {@link #sinceMs}
   */
  synchronized List<JobSample> with(List<JobSample> running, List<JobSample> more, long nowMs) {
    List<JobSample> told = more.stream().filter(job -> !job.running()).toList();
    for (JobSample job : told) {
      long seenMs = seen.computeIfAbsent(job.id(), id -> firstSeenMs(job, nowMs));
      ended.put(job.id(), job.endSeen(seenMs));
    }
    List<JobSample> kept =
        ended.values().stream()
            .filter(job -> job.endSeenMs() >= nowMs - DAY_MS)
            .sorted(
                Comparator.comparingLong(JobSample::finishedMs)
                    .thenComparing(JobSample::id)
                    .reversed())
            .limit(MOST_ENDED)
            .toList();
    ended.clear();
    kept.forEach(job -> ended.put(job.id(), job));
    Set<String> known = new HashSet<>(ids(told));
    known.addAll(ended.keySet());
    seen.keySet().retainAll(known);
    ran = ids(running);
    asked = true;
    newestMs = told.stream().mapToLong(JobSample::finishedMs).reduce(newestMs, Math::max);
    List<JobSample> all = new ArrayList<>(kept);
    running.stream().filter(job -> !ended.containsKey(job.id())).forEach(all::add);
    all.sort(Comparator.comparingLong(JobSample::startedMs).reversed());
    return all;
  }

  /** Now, if the clocks differ, for what ended since the last answer; else its own time. */
  private long firstSeenMs(JobSample job, long nowMs) {
    boolean news = ran.contains(job.id()) || newestMs >= 0 && job.finishedMs() > newestMs;
    boolean agreed = Math.abs(nowMs - job.finishedMs()) <= AGREE_MS;
    return news && !agreed ? nowMs : Math.min(job.finishedMs(), nowMs);
  }

  private static Set<String> ids(List<JobSample> jobs) {
    return jobs.stream().map(JobSample::id).collect(Collectors.toSet());
  }
}
