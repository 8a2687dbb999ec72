// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import java.time.LocalDate;
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
    List<SavedJob> jobs,
    SavedSum all,
    List<SavedSum> names,
    List<SavedSum> queues,
    List<SavedSum> weeks,
    SavedRatio time,
    SavedRatio cpu,
    long unknownRuns,
    long stockRuns) {

  private static final long DAY = 86_400_000L;

  /**
   * One job.
   *
   * @param basis measured, estimated or none
   * @param runs stock runs it was measured by, or jobs the estimate is of
   * @param baselineMs null without a baseline
   * @param savedMs below 0 if it took longer
   */
  public record SavedJob(
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
  public record SavedSum(
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
  public record SavedRatio(Double ratio, int pairs) {

    static SavedRatio of(Savings.Ratio ratio) {
      return new SavedRatio(ratio.pairs() == 0 ? null : ratio.ratio(), ratio.pairs());
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
        sums(saved, job -> JobNames.ofProgram(job.program())),
        sums(saved, JobDigest::queue),
        sums(saved, job -> week(job.finishedMs())),
        SavedRatio.of(savings.time()),
        SavedRatio.of(savings.cpu()),
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
    // 1970 began with a Thursday, three days after a Monday.
    long weeks = Math.floorDiv(Math.floorDiv(ms, DAY) + 3, 7);
    return LocalDate.ofEpochDay(7 * weeks - 3).toString();
  }

  private static SavedJob job(Savings.Saving saving) {
    JobDigest job = saving.job();
    return new SavedJob(
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

  private static List<SavedSum> sums(List<Savings.Saving> saved, Function<JobDigest, String> by) {
    Map<String, List<Savings.Saving>> groups = new TreeMap<>(Comparator.reverseOrder());
    for (Savings.Saving saving : saved) {
      groups.computeIfAbsent(by.apply(saving.job()), name -> new ArrayList<>()).add(saving);
    }
    return groups.entrySet().stream().map(group -> sum(group.getKey(), group.getValue())).toList();
  }

  private static SavedSum sum(String name, List<Savings.Saving> saved) {
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
    return new SavedSum(
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
