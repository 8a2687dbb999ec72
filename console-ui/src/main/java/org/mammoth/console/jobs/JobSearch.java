// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.mammoth.console.live.JobUse;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.JobDigest;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.TaskCounts;

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
   * @param held what it holds in engines now, or the most it held if it has ended, by JobUse's
   *     columns; empty if it is not known
   */
  public record Found(JobSample job, long[] held) {

    private long held(String column) {
      return Figures.at(held, JobUse.COLUMNS.indexOf(column));
    }

    /** Of a job that has ended all it had, as the list shows it. */
    private long tasks(String column) {
      if (job.running()) {
        return held(column);
      }
      TaskCounts tasks = job.tasks();
      return tasks == null
          ? Figures.UNKNOWN
          : column.equals("maps") ? tasks.maps() : tasks.reduces();
    }
  }

  /** How a job goes or how it ended. */
  public static String state(JobSample job) {
    return job.running() ? "RUNNING" : job.finalStatus();
  }

  /** What jobs are sorted by, beside what they hold: {@link JobUse#COLUMNS}. */
  private static final List<String> OWN =
      List.of("started", "id", "name", "user", "queue", "state", "took");

  /** All columns that jobs are sorted by. */
  public static List<String> orders() {
    return Stream.concat(OWN.stream(), JobUse.COLUMNS.stream()).toList();
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
   * An order of jobs, in which each has one place. What is not known is less than all that is.
   *
   * @param sort one of {@link #orders}, with - before it for the largest first
   * @param nowMs until when jobs that run have taken so long
   * @throws IllegalArgumentException naming the columns, if it is none
   */
  public static Comparator<Found> order(String sort, long nowMs) {
    boolean down = sort.startsWith("-");
    Comparator<Found> order = by(down ? sort.substring(1) : sort, nowMs);
    return (down ? order.reversed() : order)
        .thenComparing(Comparator.comparing((Found found) -> found.job().id()).reversed());
  }

  private static Comparator<Found> by(String column, long nowMs) {
    return switch (column) {
      case "started" -> Comparator.comparingLong(found -> found.job().startedMs());
      // Numbers of jobs have four digits or more: the shorter one is the smaller.
      case "id" ->
          Comparator.comparingInt((Found found) -> found.job().id().length())
              .thenComparing(found -> found.job().id());
      case "name" ->
          Comparator.comparing(
              (Found found) -> found.job().name(),
              String.CASE_INSENSITIVE_ORDER.thenComparing(Comparator.naturalOrder()));
      case "user" -> Comparator.comparing(found -> found.job().user());
      case "queue" -> Comparator.comparing(found -> found.job().queue());
      case "state" -> Comparator.comparing(found -> state(found.job()));
      case "took" -> Comparator.comparingLong(found -> took(found.job(), nowMs));
      case "maps", "reduces" -> Comparator.comparingLong(found -> found.tasks(column));
      default -> {
        if (!JobUse.COLUMNS.contains(column)) {
          throw new IllegalArgumentException("jobs are sorted by one of " + orders());
        }
        yield Comparator.comparingLong(found -> found.held(column));
      }
    };
  }

  private static long took(JobSample job, long nowMs) {
    return (job.running() ? nowMs : job.finishedMs()) - job.startedMs();
  }
}
