// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.JobDigest;
import org.mammoth.console.model.JobNames;
import org.mammoth.console.model.RunKind;

/**
 * What Mammoth saved within a span: each job that ran in engines and succeeded, and sums by name,
 * queue and week. A sum is that of its jobs; losses count as such.
 *
 * @param jobs the latest first
 * @param all of them together
 * @param time the ratio that estimates use
 * @param unknownRuns jobs that succeeded and of which is not known how they ran
 */
public record SavedReport(
    List<Job> jobs,
    Sum all,
    List<Sum> names,
    List<Sum> queues,
    List<Sum> weeks,
    Estimate time,
    Estimate cpu,
    long unknownRuns,
    long stockRuns) {

  /**
   * One job.
   *
   * @param basis measured, estimated or none
   * @param runs stock runs it was measured by, or jobs the estimate is of
   * @param baselineMs null without a baseline
   * @param savedMs below 0 if it took longer
   */
  public record Job(
      String id,
      String name,
      String user,
      String queue,
      long startedMs,
      long tookMs,
      Long cpuMs,
      Long inputBytes,
      String basis,
      int runs,
      Long baselineMs,
      Long savedMs,
      Long savedCpuMs) {}

  /**
   * Several jobs.
   *
   * @param name the queue, the name without numbers, or the Monday a week begins with, in UTC
   * @param measured how many have a baseline of stock runs
   * @param estimated how many have an estimate
   * @param without how many have neither, and are in no sum
   * @param measuredMs time saved by those that are measured; null if none is
   */
  public record Sum(
      String name,
      long jobs,
      long measured,
      long estimated,
      long without,
      Long measuredMs,
      Long measuredCpuMs,
      Long estimatedMs,
      Long estimatedCpuMs) {}

  /**
   * What an estimate goes by.
   *
   * @param ratio stock by engine, the median; null without pairs
   * @param pairs jobs that ran both ways
   */
  public record Estimate(Double ratio, int pairs) {

    static Estimate of(Savings.Ratio ratio) {
      return new Estimate(ratio.pairs() == 0 ? null : ratio.ratio(), ratio.pairs());
    }
  }

  /**
   * Works it out.
   *
   * @param known all jobs there are, which baselines are taken from
   * @param visible those that the reader may see
   * @param fromMs jobs that ended from then on
   */
  public static SavedReport of(
      Collection<JobDigest> known, Predicate<JobDigest> visible, long fromMs, long toMs) {
    Savings savings = new Savings(known);
    List<JobDigest> within =
        known.stream()
            .filter(
                job -> job.succeeded() && job.finishedMs() >= fromMs && job.finishedMs() <= toMs)
            .filter(visible)
            .sorted(Comparator.comparingLong(JobDigest::finishedMs).reversed())
            .toList();
    List<Savings.Saving> saved =
        within.stream().filter(job -> job.run() == RunKind.ENGINE).map(savings::of).toList();
    return new SavedReport(
        saved.stream().map(SavedReport::job).toList(),
        sum("", saved),
        sums(saved, job -> JobNames.masked(job.name())),
        sums(saved, JobDigest::queue),
        sums(saved, job -> week(job.finishedMs())),
        Estimate.of(savings.time()),
        Estimate.of(savings.cpu()),
        within.stream().filter(job -> job.run() == RunKind.UNKNOWN).count(),
        within.stream().filter(job -> job.run() == RunKind.STOCK).count());
  }

  /** The same with the latest so many jobs; sums stay those of all. */
  public SavedReport first(int most) {
    return jobs.size() <= most
        ? this
        : new SavedReport(
            List.copyOf(jobs.subList(0, most)),
            all,
            names,
            queues,
            weeks,
            time,
            cpu,
            unknownRuns,
            stockRuns);
  }

  /** The Monday of a week, in UTC. */
  static String week(long ms) {
    return Instant.ofEpochMilli(ms)
        .atZone(ZoneOffset.UTC)
        .with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY))
        .truncatedTo(ChronoUnit.DAYS)
        .toLocalDate()
        .toString();
  }

  private static Job job(Savings.Saving saving) {
    JobDigest job = saving.job();
    return new Job(
        job.id(),
        job.name(),
        job.user(),
        job.queue(),
        job.startedMs(),
        job.tookMs(),
        known(job.cpuMs()),
        known(job.inputBytes()),
        saving.basis().name().toLowerCase(java.util.Locale.ROOT),
        saving.runs(),
        known(saving.baselineMs()),
        known(saving.savedMs()),
        known(saving.savedCpuMs()));
  }

  private static Long known(long value) {
    return Figures.known(value) ? value : null;
  }

  private static List<Sum> sums(List<Savings.Saving> saved, Function<JobDigest, String> by) {
    Map<String, List<Savings.Saving>> groups = new TreeMap<>(Comparator.reverseOrder());
    for (Savings.Saving saving : saved) {
      groups.computeIfAbsent(by.apply(saving.job()), name -> new ArrayList<>()).add(saving);
    }
    return groups.entrySet().stream().map(group -> sum(group.getKey(), group.getValue())).toList();
  }

  private static Sum sum(String name, List<Savings.Saving> saved) {
    long[] counts = new long[Savings.Basis.values().length];
    long[] sums = Figures.unknown(2 * counts.length);
    for (Savings.Saving saving : saved) {
      int basis = saving.basis().ordinal();
      counts[basis]++;
      sums[2 * basis] = Figures.sum(sums[2 * basis], saving.savedMs());
      sums[2 * basis + 1] = Figures.sum(sums[2 * basis + 1], saving.savedCpuMs());
    }
    int measured = Savings.Basis.MEASURED.ordinal();
    int estimated = Savings.Basis.ESTIMATED.ordinal();
    return new Sum(
        name,
        saved.size(),
        counts[measured],
        counts[estimated],
        counts[Savings.Basis.NONE.ordinal()],
        known(sums[2 * measured]),
        known(sums[2 * measured + 1]),
        known(sums[2 * estimated]),
        known(sums[2 * estimated + 1]));
  }
}
