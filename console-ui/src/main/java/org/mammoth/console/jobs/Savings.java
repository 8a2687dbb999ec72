// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.JobDigest;
import org.mammoth.console.model.RunKind;

/**
 * What jobs took against what they would have taken on stock Hadoop: by runs of the same job on
 * stock, or else by the ratio that jobs with both kinds of runs show, which is an estimate. Without
 * either there is no number. Made of a set of jobs once; immutable.
 */
final class Savings {

  /** Runs whose inputs differ by more are not compared. */
  static final double MOST_DIFFERENCE = 1.5;

  /** With fewer jobs that ran both ways nothing is estimated: one says nothing of others. */
  static final int LEAST_PAIRS = 2;

  /** How many runs on stock a job is measured by: the latest. */
  static final int MOST_RUNS = 100;

  /** How a baseline was found. */
  enum Basis {
    /** The median of runs of the same job on stock. */
    MEASURED,
    /** What it took in engines, times the median ratio of jobs that have both kinds of runs. */
    ESTIMATED,
    /** There is none. */
    NONE
  }

  /**
   * One job against its baseline.
   *
   * @param runs stock runs it was measured by, or jobs the estimate was calibrated with
   * @param baselineMs what it would have taken; unknown without a baseline
   * @param baselineCpuMs the same of CPU time; unknown too if CPU time is not counted
   */
  record Saving(JobDigest job, Basis basis, int runs, long baselineMs, long baselineCpuMs) {

    /** Time saved; below 0 if it took longer; unknown without a baseline. */
    long savedMs() {
      return less(baselineMs, job.tookMs());
    }

    /** CPU time saved, as {@link #savedMs}. */
    long savedCpuMs() {
      return less(baselineCpuMs, job.cpuMs());
    }

    private static long less(long baseline, long took) {
      return Figures.known(baseline) && Figures.known(took) ? baseline - took : Figures.UNKNOWN;
    }
  }

  /**
   * The median of stock by engine, per byte of input.
   *
   * @param pairs jobs with both kinds of runs; 0 if there is no ratio
   */
  record Ratio(double ratio, int pairs) {}

  private final Map<String, List<JobDigest>> stock = new HashMap<>();
  private final Ratio time;
  private final Ratio cpu;

  /** Of all jobs that are known, whoever's they are. */
  Savings(Collection<JobDigest> all) {
    Map<String, List<JobDigest>> engine = new HashMap<>();
    for (JobDigest job : all) {
      if (job.succeeded() && job.run() != RunKind.UNKNOWN && Figures.known(job.inputBytes())) {
        (job.run() == RunKind.STOCK ? stock : engine)
            .computeIfAbsent(job.program(), key -> new ArrayList<>())
            .add(job);
      }
    }
    stock.replaceAll(
        (key, runs) ->
            runs.stream()
                .sorted(Comparator.comparingLong(JobDigest::finishedMs).reversed())
                .limit(MOST_RUNS)
                .toList());
    time = ratio(engine, JobDigest::tookMs);
    cpu = ratio(engine, JobDigest::cpuMs);
  }

  private Ratio ratio(Map<String, List<JobDigest>> engine, ToLongFunction<JobDigest> cost) {
    List<Double> ratios = new ArrayList<>();
    engine.forEach(
        (key, runs) -> {
          List<Double> own = new ArrayList<>();
          for (JobDigest run : runs) {
            long baseline = baseline(run, comparable(run), cost);
            if (Figures.known(baseline) && cost.applyAsLong(run) > 0) {
              own.add((double) baseline / cost.applyAsLong(run));
            }
          }
          // A job that runs every minute counts once, as one that runs every night.
          if (!own.isEmpty()) {
            ratios.add(median(own));
          }
        });
    return ratios.size() < LEAST_PAIRS ? new Ratio(0, 0) : new Ratio(median(ratios), ratios.size());
  }

  /** Stock runs of the same job with an input of about the same size. */
  private List<JobDigest> comparable(JobDigest job) {
    return stock.getOrDefault(job.program(), List.of()).stream()
        .filter(run -> alike(run.inputBytes(), job.inputBytes()))
        .toList();
  }

  static boolean alike(long a, long b) {
    return Math.max(a, b) <= MOST_DIFFERENCE * Math.min(a, b);
  }

  /** The median of the runs, each scaled to the job's input; unknown without runs that tell. */
  private static long baseline(
      JobDigest job, List<JobDigest> runs, ToLongFunction<JobDigest> cost) {
    List<Double> scaled = new ArrayList<>();
    for (JobDigest run : runs) {
      if (cost.applyAsLong(run) > 0) {
        double scale = run.inputBytes() == 0 ? 1 : (double) job.inputBytes() / run.inputBytes();
        scaled.add(cost.applyAsLong(run) * scale);
      }
    }
    return scaled.isEmpty() ? Figures.UNKNOWN : Math.round(median(scaled));
  }

  /** One job that ran in engines and succeeded, against its baseline. */
  Saving of(JobDigest job) {
    if (Figures.known(job.inputBytes())) {
      List<JobDigest> runs = comparable(job);
      if (!runs.isEmpty()) {
        return new Saving(
            job,
            Basis.MEASURED,
            runs.size(),
            baseline(job, runs, JobDigest::tookMs),
            baseline(job, runs, JobDigest::cpuMs));
      }
    }
    if (time.pairs() == 0) {
      return new Saving(job, Basis.NONE, 0, Figures.UNKNOWN, Figures.UNKNOWN);
    }
    long cpuMs =
        cpu.pairs() > 0 && Figures.known(job.cpuMs())
            ? Math.round(job.cpuMs() * cpu.ratio())
            : Figures.UNKNOWN;
    return new Saving(
        job, Basis.ESTIMATED, time.pairs(), Math.round(job.tookMs() * time.ratio()), cpuMs);
  }

  Ratio time() {
    return time;
  }

  Ratio cpu() {
    return cpu;
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
