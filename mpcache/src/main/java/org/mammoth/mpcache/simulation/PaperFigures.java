// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.mammoth.mpcache.policy.AdmissionFacility;
import org.mammoth.mpcache.policy.LfuPolicy;
import org.mammoth.mpcache.policy.LruPolicy;
import org.mammoth.mpcache.policy.MpCachePolicy;
import org.mammoth.mpcache.policy.MpCachePolicy.VictimDistance;
import org.mammoth.mpcache.policy.ReplacementPolicy;

/**
 * The evaluation of the mpCache paper (Wang et al. 2016, §4.3.2, §4.3.4 and §4.3.5) as a
 * simulation: tables as one Markdown page, plots as SVG files. Every figure is the mean over a few
 * seeds.
 */
final class PaperFigures {

  private static final double[] CACHE_GIB = {5, 10, 20, 30, 40, 60, 80, 100, 120, 140, 160};
  private static final double[] ZIPF = {0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0};
  private static final int[] TRACE_LENGTHS = {300, 1000, 3000};

  private final int slaves;
  private final int jobs;
  private final int seeds;

  PaperFigures(int slaves, int jobs, int seeds) {
    this.slaves = slaves;
    this.jobs = jobs;
    this.seeds = seeds;
  }

  /** The policies under the names figures use. */
  static Map<String, Function<AdmissionFacility, ReplacementPolicy>> policies() {
    Map<String, Function<AdmissionFacility, ReplacementPolicy>> policies = new LinkedHashMap<>();
    policies.put("mpCache", facility -> new MpCachePolicy(facility, 1, VictimDistance.LAST_SEEN));
    policies.put("LRU", facility -> new LruPolicy());
    policies.put("LFU", facility -> new LfuPolicy(false));
    policies.put("LFU-history", facility -> new LfuPolicy(true));
    return policies;
  }

  /** Mean results of one policy over the seeds. */
  List<SimulationResult> runs(
      Function<AdmissionFacility, ReplacementPolicy> policy,
      double cacheGiB,
      double s,
      int length) {
    List<SimulationResult> results = new ArrayList<>();
    for (int seed = 1; seed <= seeds; seed++) {
      results.add(
          new Simulator(SimulatedCluster.of(slaves, cacheGiB), policy, CostModel.PAPER)
              .run(PaperTrace.make(length, s, seed), 0));
    }
    return results;
  }

  static double mean(List<SimulationResult> runs, ToDoubleFunction<SimulationResult> figure) {
    return runs.stream().mapToDouble(figure).average().orElseThrow();
  }

  /** Writes {@code figures.md} and the plots. */
  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    StringBuilder page =
        new StringBuilder(
            String.format(
                "# Figures of the simulation\n\nMade by `-paper`; do not edit. %d slaves, %d jobs"
                    + " from a cold cache unless said otherwise, mean of %d seeds,"
                    + " in the first three tables %d.\n",
                slaves, jobs, seeds, 2 * seeds));
    PaperFigures exact = new PaperFigures(slaves, jobs, 2 * seeds);
    exact.lengths(page);
    exact.variants(page);
    exact.shift(page);
    sweep(page, folder, "cache", "SSD cache per slave (GiB)", CACHE_GIB, true);
    sweep(page, folder, "zipf", "Zipf parameter s", ZIPF, false);
    Files.writeString(folder.resolve("figures.md"), page);
  }

  private void lengths(StringBuilder page) {
    page.append("\n## 80 GiB per slave, s = 1, by length of the trace\n\n").append(header("jobs"));
    for (int length : TRACE_LENGTHS) {
      policies()
          .forEach(
              (name, policy) ->
                  page.append(row(String.valueOf(length), name, runs(policy, 80, 1, length))));
    }
  }

  private void variants(StringBuilder page) {
    page.append("\n## 80 GiB per slave, s = 1, variants of mpCache\n\n").append(header("bonus"));
    for (double bonus : new double[] {0, 1, 5}) {
      for (VictimDistance distance : VictimDistance.values()) {
        page.append(
            row(
                number(bonus),
                "mpCache, distance " + spelled(distance),
                runs(facility -> new MpCachePolicy(facility, bonus, distance), 80, 1, jobs)));
      }
    }
  }

  /**
   * Halfway, everybody turns to other data sets of the same popularity; the last quarter counts.
   */
  private void shift(StringBuilder page) {
    page.append("\n## 80 GiB per slave, s = 1, after all data sets were replaced by new ones\n\n")
        .append(header("jobs"));
    Map<String, Function<AdmissionFacility, ReplacementPolicy>> all =
        new LinkedHashMap<>(policies());
    for (VictimDistance distance : VictimDistance.values()) {
      all.put(
          "mpCache, distance " + spelled(distance),
          facility -> new MpCachePolicy(facility, 1, distance));
    }
    all.remove("mpCache");
    all.forEach(
        (name, policy) -> {
          List<SimulationResult> runs = new ArrayList<>();
          for (int seed = 1; seed <= seeds; seed++) {
            List<TraceJob> trace = new ArrayList<>(PaperTrace.make(jobs, 1, seed));
            PaperTrace.make(jobs, 1, seed + 1000)
                .forEach(
                    job ->
                        trace.add(
                            new TraceJob(
                                job.type(),
                                "/new" + job.dataSet(),
                                job.blocks(),
                                job.blockBytes(),
                                job.localizedBytes())));
            runs.add(
                new Simulator(SimulatedCluster.of(slaves, 80), policy, CostModel.PAPER)
                    .run(trace, jobs + jobs / 2));
          }
          page.append(row(String.valueOf(2 * jobs), name, runs));
        });
  }

  private static String spelled(VictimDistance distance) {
    return distance.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private void sweep(
      StringBuilder page, Path folder, String name, String label, double[] points, boolean cache)
      throws IOException {
    String fixed = cache ? "s = 1" : "80 GiB per slave";
    page.append("\n## ")
        .append(label)
        .append(", ")
        .append(fixed)
        .append("\n\n")
        .append(header("x"));
    SvgPlot hits = new SvgPlot("Hit rate, mean over jobs; " + fixed, label, "part of blocks");
    SvgPlot whole = new SvgPlot("Jobs that found all cached; " + fixed, label, "part of jobs");
    SvgPlot speed = new SvgPlot("Speed-up, mean over jobs; " + fixed, label, "times");
    SvgPlot strict =
        new SvgPlot("Speed-up, mean over jobs, strict waves; " + fixed, label, "times");
    Map<String, List<double[]>> columns = new LinkedHashMap<>();
    Map<String, double[]> classes = new LinkedHashMap<>();
    for (int i = 0; i < points.length; i++) {
      for (Map.Entry<String, Function<AdmissionFacility, ReplacementPolicy>> policy :
          policies().entrySet()) {
        List<SimulationResult> runs =
            runs(policy.getValue(), cache ? points[i] : 80, cache ? 1 : points[i], jobs);
        page.append(row(number(points[i]), policy.getKey(), runs));
        List<double[]> into =
            columns.computeIfAbsent(
                policy.getKey(),
                key ->
                    List.of(
                        new double[points.length],
                        new double[points.length],
                        new double[points.length],
                        new double[points.length]));
        into.get(0)[i] = mean(runs, SimulationResult::jobHitRate);
        into.get(1)[i] = mean(runs, SimulationResult::completeRate);
        into.get(2)[i] = mean(runs, SimulationResult::meanSpeedup);
        into.get(3)[i] = mean(runs, SimulationResult::strictSpeedup);
        if (policy.getKey().equals("mpCache")) {
          perClass(classes, runs, i, points.length);
        }
      }
    }
    columns.forEach(
        (policy, values) -> {
          hits.line(policy, points, values.get(0));
          whole.line(policy, points, values.get(1));
          speed.line(policy, points, values.get(2));
          strict.line(policy, points, values.get(3));
        });
    SvgPlot byClass =
        new SvgPlot("Job time with mpCache, stock = 1; " + fixed, label, "part of stock time");
    classes.forEach((shuffle, values) -> byClass.line(shuffle, points, values));
    Files.writeString(folder.resolve("hit-rate-by-" + name + ".svg"), hits.svg());
    Files.writeString(folder.resolve("complete-by-" + name + ".svg"), whole.svg());
    Files.writeString(folder.resolve("speedup-by-" + name + ".svg"), speed.svg());
    Files.writeString(folder.resolve("speedup-strict-by-" + name + ".svg"), strict.svg());
    Files.writeString(folder.resolve("time-by-" + name + ".svg"), byClass.svg());
  }

  private static void perClass(
      Map<String, double[]> classes, List<SimulationResult> runs, int index, int points) {
    for (Benchmark.Shuffle shuffle : Benchmark.Shuffle.values()) {
      double mean =
          Arrays.stream(Benchmark.values())
              .filter(benchmark -> benchmark.shuffle == shuffle)
              .mapToDouble(
                  benchmark ->
                      mean(runs, run -> run.typeTime().getOrDefault(benchmark.name(), 1.0)))
              .average()
              .orElseThrow();
      classes
              .computeIfAbsent(
                  "shuffle-" + shuffle.name().toLowerCase(Locale.ROOT), key -> new double[points])[
              index] =
          mean;
    }
  }

  private static String header(String first) {
    return "| "
        + first
        + " | policy | hit rate, mean over jobs | hit rate, by blocks | jobs that found all cached"
        + " | speed-up | speed-up, strict waves | time, part of stock | total hours | localized on"
        + " SSD |\n|---|---|---|---|---|---|---|---|---|---|\n";
  }

  private static String row(String first, String policy, List<SimulationResult> runs) {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %.1f %% | %.1f %% | %.1f %% | %.2f | %.2f | %.3f | %.1f | %.1f %% |\n",
        first,
        policy,
        100 * mean(runs, SimulationResult::jobHitRate),
        100 * mean(runs, SimulationResult::blockHitRate),
        100 * mean(runs, SimulationResult::completeRate),
        mean(runs, SimulationResult::meanSpeedup),
        mean(runs, SimulationResult::strictSpeedup),
        mean(runs, SimulationResult::meanTime),
        mean(runs, SimulationResult::totalSeconds) / 3600,
        100 * mean(runs, SimulationResult::localizedOnSsd));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value).replaceAll("\\.0$", "");
  }
}
