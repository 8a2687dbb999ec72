// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.util.List;
import java.util.Map;
import org.mammoth.console.jobs.FallbackReport;
import org.mammoth.console.jobs.SavedReport;
import org.mammoth.console.model.AttemptCounts;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.read.ContainerLogs;

/** The shapes of answers about jobs beyond the present. */
final class JobViews {

  private JobViews() {}

  /**
   * Jobs that match.
   *
   * @param jobs those of this page
   * @param matches how many there are
   * @param users whose jobs there are in that time, up to 500
   * @param queues the same of queues
   * @param states the same of states, with how many jobs are in each
   * @param ever how many jobs there are at any time
   * @param days how long jobs are kept
   * @param trouble why jobs are not recorded at present; else empty
   */
  record Jobs(
      long timeMs,
      List<String> columns,
      List<Views.JobRow> jobs,
      long matches,
      long offset,
      long fromMs,
      long toMs,
      List<String> users,
      List<String> queues,
      Map<String, Long> states,
      long ever,
      long days,
      String trouble) {}

  /**
   * What is kept of a job that has ended.
   *
   * @param run engine, stock, or unknown
   * @param runWhy the evidence for that
   * @param attempts null if nobody told
   * @param fallbacks by reason
   * @param merges how many reduces merged in each way
   */
  record Kept(
      String run,
      String runWhy,
      String diagnostics,
      Long memorySeconds,
      Long vcoreSeconds,
      AttemptCounts attempts,
      long seenInEngine,
      Map<String, Long> fallbacks,
      Map<String, Long> merges) {}

  /** One of two jobs that are compared. */
  record ComparedJob(JobSample job, String run, String runWhy, String untold) {}

  /**
   * A number of both.
   *
   * @param a null where it is not told
   * @param ratio b by a; null where either is not told, or a is 0
   */
  record ComparedNumber(String group, String name, Long a, Long b, Double ratio) {}

  /** Two jobs side by side. */
  record Comparison(ComparedJob a, ComparedJob b, List<ComparedNumber> pairs) {}

  /**
   * Why a job failed, as far as can be read.
   *
   * @param diagnostics empty if nobody tells
   * @param attempts up to four that failed
   * @param failed how many failed in all; null if nobody tells
   * @param untold why attempts are not known; else empty
   */
  record Failure(
      String job,
      String state,
      String diagnostics,
      List<FailedAttempt> attempts,
      Long failed,
      String untold) {}

  /**
   * An attempt that failed.
   *
   * @param logs the ends of its files that have something in them, or say why they cannot be read
   */
  record FailedAttempt(
      String id,
      String task,
      String type,
      String node,
      String container,
      long startedMs,
      long finishedMs,
      String diagnostics,
      List<ContainerLogs.LogTail> logs) {}

  /**
   * What Mammoth saved.
   *
   * @param saved its jobs are the latest 500
   * @param jobs how many there are
   * @param todo what has to be done to get numbers; empty if every job has one
   * @param fallbacks why tasks went to ordinary containers
   */
  record Saved(
      long timeMs,
      long fromMs,
      long toMs,
      SavedReport saved,
      long jobs,
      String todo,
      List<FallbackReport> fallbacks,
      String trouble) {}
}
