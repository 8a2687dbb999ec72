// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.JobDigest;

/**
 * Which jobs had tasks in ordinary containers though the engine was on, by reason, and the setting
 * that would change it.
 *
 * @param key the setting; empty if there is none
 * @param remedy what to do with it
 * @param tasks how many tasks were seen to go for this reason; of those nobody saw, the jobs' own
 *     count less what was seen
 * @param jobs how many jobs they are of
 * @param latest up to 20 of these, the latest first
 */
public record FallbackReport(
    String reason, String key, String remedy, long tasks, long jobs, List<FallbackJob> latest) {

  private static final int MOST_JOBS = 20;

  /** A job, with how many of its tasks it is about. */
  public record FallbackJob(String id, String name, String user, long tasks) {}

  /** All reasons, those of most tasks first. */
  public static List<FallbackReport> of(Collection<JobDigest> within) {
    Map<String, List<FallbackJob>> reasons = new LinkedHashMap<>();
    List<FallbackJob> unseen = new ArrayList<>();
    within.stream()
        .sorted(Comparator.comparingLong(JobDigest::finishedMs).reversed())
        .forEach(
            job -> {
              long seen = 0;
              for (Map.Entry<String, Long> reason : job.fallbacks().entrySet()) {
                seen += reason.getValue();
                reasons
                    .computeIfAbsent(reason.getKey(), words -> new ArrayList<>())
                    .add(name(job, reason.getValue()));
              }
              if (Figures.known(job.fallbackTasks()) && job.fallbackTasks() > seen) {
                unseen.add(name(job, job.fallbackTasks() - seen));
              }
            });
    List<FallbackReport> reports = new ArrayList<>();
    reasons.forEach((reason, jobs) -> reports.add(of(reason, FallbackRemedies.of(reason), jobs)));
    reports.sort(Comparator.comparingLong(FallbackReport::tasks).reversed());
    if (!unseen.isEmpty()) {
      FallbackRemedies.Remedy remedy =
          new FallbackRemedies.Remedy("", "the NodeManagers' logs say it of each task");
      reports.add(of("", remedy, unseen));
    }
    return reports;
  }

  private static FallbackJob name(JobDigest job, long tasks) {
    return new FallbackJob(job.id(), job.name(), job.user(), tasks);
  }

  private static FallbackReport of(
      String reason, FallbackRemedies.Remedy remedy, List<FallbackJob> jobs) {
    return new FallbackReport(
        reason,
        remedy.key(),
        remedy.text(),
        jobs.stream().mapToLong(FallbackJob::tasks).sum(),
        jobs.size(),
        jobs.size() > MOST_JOBS ? List.copyOf(jobs.subList(0, MOST_JOBS)) : jobs);
  }
}
