// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.SharedCluster;
import org.mammoth.compat.diff.CounterDiff;
import org.mammoth.compat.diff.OutputDiff;
import org.mammoth.compat.diff.PartJars;
import org.mammoth.compat.settings.SettingsRun.Given;
import org.mammoth.compat.settings.SettingsRun.Outcome;
import org.mammoth.compat.settings.UpstreamSettings.Setting;

/**
 * Random jobs with random settings end on the engine as in ordinary containers of the same cluster:
 * the same bytes, counters, log files and errors. All keys of upstream's default files are dealt
 * out before any comes again.
 */
@ExtendWith(SharedCluster.class)
class RandomSettingsTest {
  private static final int FEW = 3;
  private static final int JOBS = Integer.getInteger("mammoth.compat.settings.jobs", FEW);
  private static final int CLASSES = Integer.getInteger("mammoth.compat.settings.classes", 4);
  private static final int EACH = Integer.getInteger("mammoth.compat.settings.each", 4);
  private static final long SEED = Long.getLong("mammoth.compat.seed", 20261128);
  private static final int AT_ONCE = Integer.getInteger("mammoth.compat.at.once", 3);

  private static final Path PROGRESS =
      Path.of(System.getProperty("hadoop.log.dir"), "random-settings.txt");

  private final UpstreamSettings all = new UpstreamSettings();

  @Test
  void settingsEndAsOnStock(MiniCluster cluster) throws Exception {
    tell(all.keys().size() + " keys, " + EACH + " to a job, seed " + SEED);
    run(JOBS, trials(cluster, "settings"), this::differences);
  }

  @Test
  void classesOfUpstreamsLibraryEndAsOnStock(MiniCluster cluster) throws Exception {
    UpstreamClasses classes = new UpstreamClasses();
    tell(classes.size() + " classes in a role, seed " + SEED);
    run(
        CLASSES,
        trials(cluster, "classes"),
        (trial, job) -> trial.twice(conf -> classes.draw(conf, job, SEED), "").differences());
  }

  /** Where a job has a loader of its own, a process does not find the file systems it names. */
  @Test
  void jobsWithTheirOwnLoaderEndAsOnStock(MiniCluster cluster) throws Exception {
    int job = 0;
    Trials trials = trials(cluster, "loader");
    while (!PartJars.of(trials.of(job).seed()).contains("scheme")) {
      job++;
    }
    Setting own = new Setting("mapreduce.job.classloader", "true");
    assertThat(trials.of(job).twice(List.of(own), "").differences()).isEmpty();
  }

  private static Trials trials(MiniCluster cluster, String name) {
    SettingsRun runs =
        new SettingsRun(
            cluster, new PartJars(cluster.home().resolve("jars").resolve(name)), "/" + name);
    return job -> new Trial(cluster, runs, runs.smallFrom(SEED + job), name + job);
  }

  private static void run(int jobs, Trials trials, Comparison comparison) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
    List<Future<List<String>>> running = new ArrayList<>();
    List<String> differences = new ArrayList<>();
    try {
      for (int i = 0; i < jobs; i++) {
        int job = i;
        running.add(pool.submit(() -> comparison.differences(trials.of(job), job)));
      }
      for (Future<List<String>> each : running) {
        for (String difference : each.get()) {
          tell("DIFFERS " + difference);
          differences.add(difference);
        }
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(differences).isEmpty();
  }

  private interface Trials {
    Trial of(int job) throws Exception;
  }

  /** What differs between the two sides of a job. */
  private interface Comparison {
    List<String> differences(Trial trial, int job) throws Exception;
  }

  /**
   * What differs twice, and by which of the settings alone. In a long run also what each setting
   * does alone where a job fails on both sides: that takes minutes.
   */
  private List<String> differences(Trial trial, int job) throws Exception {
    List<Setting> settings = all.draw(job, EACH, SEED);
    Pair together = trial.twice(settings, "");
    boolean enough = together.good() || JOBS <= FEW;
    if (together.differences().isEmpty() && enough) {
      return List.of();
    }
    List<String> told = new ArrayList<>();
    Pair without = trial.twice(List.of(), "none");
    if (!without.differences().isEmpty()) {
      told.add("without settings: " + without.differences());
    } else {
      // One that ends the job hides what the others do.
      for (int i = 0; i < settings.size(); i++) {
        Pair alone = trial.twice(settings.subList(i, i + 1), "only" + i);
        if (!alone.differences().isEmpty()) {
          told.addAll(alone.differences());
        }
      }
      if (told.isEmpty() && !together.differences().isEmpty()) {
        told.add("together: " + together.differences());
      }
    }
    return told;
  }

  /**
   * Both sides' end.
   *
   * @param good whether both succeeded
   */
  private record Pair(boolean good, List<String> differences) {}

  /** The job of a seed. */
  private record Trial(MiniCluster cluster, SettingsRun runs, long seed, String name) {

    Pair twice(List<Setting> settings, String suffix) throws Exception {
      return twice(job -> settings, suffix);
    }

    /** What differs twice is no accident; a busy machine gets four times as long. */
    Pair twice(Given given, String suffix) throws Exception {
      Pair first = once(given, suffix + "a", SettingsRun.STILL);
      return first.differences().isEmpty()
          ? first
          : once(given, suffix + "b", SettingsRun.STILL.multipliedBy(4));
    }

    private Pair once(Given given, String suffix, Duration still) throws Exception {
      Outcome engine = runs.run(seed, given, true, name + suffix + "-engine", still);
      Outcome stock = runs.run(seed, given, false, name + suffix + "-stock", still);
      List<String> differences = compare(cluster, engine, stock);
      tell(
          String.format(
              "%s %s%s %s %s%s",
              differences.isEmpty() ? "same   " : "differs",
              name,
              suffix,
              engine.settings(),
              engine.end(),
              engine.outside() == 0 ? "" : ", " + engine.outside() + " tasks in processes"));
      return new Pair(
          engine.isGood() && stock.isGood(),
          differences.isEmpty() ? differences : List.of(engine.settings() + " " + differences));
    }
  }

  private static List<String> compare(MiniCluster cluster, Outcome engine, Outcome stock)
      throws IOException {
    List<String> differences = new ArrayList<>();
    if (!engine.endsAs(stock)) {
      differences.add(engine.end() + " against " + stock.end());
    } else if (engine.isGood()) {
      if (!engine.logs().equals(stock.logs())) {
        differences.add("logs " + engine.logs() + " against " + stock.logs());
      }
      // Some of upstream's output formats write no files, and make no folder.
      boolean hasFolder = cluster.fs().exists(stock.output());
      if (cluster.fs().exists(engine.output()) != hasFolder) {
        differences.add("output folder on stock: " + hasFolder);
      } else if (hasFolder) {
        differences.addAll(
            new OutputDiff(cluster.fs(), engine.conf()).compare(engine.output(), stock.output()));
      }
      CounterDiff counters =
          CounterDiff.strict()
              .withUnsteadySpills()
              .withCompressedMapOutput()
              .withRecordsLikeTheSortBuffer()
              .withThreadsThatReadFiles();
      List<String> features = List.of(engine.conf().getStrings("mammoth.compat.features"));
      if (features.containsAll(List.of("shape-CHAIN", "multiple-outputs"))) {
        counters = counters.withThreadsThatWriteFiles();
      }
      differences.addAll(counters.compare(engine.counts(), stock.counts()));
    }
    return differences;
  }

  /** To a file as well, which can be followed while the run goes on. */
  private static synchronized void tell(String line) throws IOException {
    System.out.println(line);
    Files.writeString(PROGRESS, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
