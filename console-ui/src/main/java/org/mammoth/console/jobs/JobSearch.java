// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import org.mammoth.console.live.JobUse;
import org.mammoth.console.model.JobDigest;
import org.mammoth.console.model.JobSample;

/**
 * What jobs are looked for: each condition that is not empty has to hold.
 *
 * @param name part of the name or of the id, in any case
 * @param user whole
 * @param queue whole
 * @param state RUNNING for jobs that have not ended, or how they ended: SUCCEEDED, FAILED, KILLED
 * @param fromMs jobs that had not ended before then
 * @param toMs jobs that had started by then
 */
public record JobSearch(
    String name, String user, String queue, String state, long fromMs, long toMs) {

  /**
   * A job that is known, running or not.
   *
   * @param peaks the most it held in engines, by JobUse's columns; empty if it is not known
   */
  public record Found(JobSample job, long[] peaks) {

    long memory() {
      return peaks.length == 0 ? -1 : Math.max(-1, peaks[JobUse.COLUMNS.indexOf("total")]);
    }
  }

  private static final Map<String, Comparator<Found>> ORDERS =
      Map.of(
          "started", Comparator.comparingLong(found -> found.job().startedMs()),
          "id", Comparator.comparing(found -> found.job().id()),
          "name", Comparator.comparing(found -> found.job().name()),
          "user", Comparator.comparing(found -> found.job().user()),
          "queue", Comparator.comparing(found -> found.job().queue()),
          "state", Comparator.comparing(found -> state(found.job())),
          "took", Comparator.comparingLong(JobSearch::took),
          "maps", Comparator.comparingLong(found -> tasks(found.job(), true)),
          "reduces", Comparator.comparingLong(found -> tasks(found.job(), false)),
          "total", Comparator.comparingLong(Found::memory));

  /** How a job goes or how it ended. */
  public static String state(JobSample job) {
    return job.running() ? "RUNNING" : job.finalStatus();
  }

  private static long took(Found found) {
    // One that runs has taken the longest of all, so far.
    JobSample job = found.job();
    return job.running() ? Long.MAX_VALUE - job.startedMs() : job.finishedMs() - job.startedMs();
  }

  private static long tasks(JobSample job, boolean maps) {
    return job.tasks() == null ? -1 : maps ? job.tasks().maps() : job.tasks().reduces();
  }

  public boolean matches(JobSample job) {
    return within(job.startedMs(), job.finishedMs())
        && named(job.id(), job.name())
        && is(job.user(), job.queue(), state(job));
  }

  public boolean matches(JobDigest job) {
    return within(job.startedMs(), job.finishedMs())
        && named(job.id(), job.name())
        && is(job.user(), job.queue(), job.state());
  }

  private boolean within(long startedMs, long finishedMs) {
    return startedMs <= toMs && (finishedMs == 0 || finishedMs >= fromMs);
  }

  private boolean named(String id, String text) {
    if (name.isEmpty()) {
      return true;
    }
    String part = anyCase(name);
    return anyCase(text).contains(part) || id.contains(part);
  }

  /** The same for letters that are one in any case, as I, i and ı. */
  private static String anyCase(String text) {
    return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }

  private boolean is(String itsUser, String itsQueue, String itsState) {
    return (user.isEmpty() || user.equals(itsUser))
        && (queue.isEmpty() || queue.equals(itsQueue))
        && (state.isEmpty() || state.equals(itsState));
  }

  /**
   * An order of jobs, in which each has one place.
   *
   * @param sort a column, with - before it for the largest first
   * @throws IllegalArgumentException naming the columns, if it is none
   */
  public static Comparator<Found> order(String sort) {
    boolean down = sort.startsWith("-");
    Comparator<Found> order = ORDERS.get(down ? sort.substring(1) : sort);
    if (order == null) {
      throw new IllegalArgumentException(
          "jobs are sorted by one of " + ORDERS.keySet().stream().sorted().toList());
    }
    return (down ? order.reversed() : order)
        .thenComparing(Comparator.comparing((Found found) -> found.job().id()).reversed());
  }
}
