// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.diff;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.LongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.mapreduce.MammothShuffleCounter;

/**
 * Runs the random job of a seed on several sides and compares them. Thread-safe: several seeds may
 * run at once.
 */
public final class Differential {
  private static final String FACTORY = "org.mammoth.compat.jobs.RandomJob";

  /** Jobs in the engine at once: enough to share it, each with a standing host. */
  private static final int IN_ENGINE = 2;

  /** What the ApplicationMaster asks for maps and reduces with. */
  private static final int MAP_PRIORITY = 20;

  private static final int REDUCE_PRIORITY = 10;

  private final MiniCluster cluster;
  private final PartJars jars;
  private final int engines;
  private final LongFunction<Map<String, String>> settings;
  private final Semaphore inEngine = new Semaphore(IN_ENGINE, true);

  /** One side's run. */
  private record Run(Side side, Job job, Path output, JobCounts counts, Notes notes) {}

  /**
   * What became of a seed.
   *
   * @param description what the job was
   * @param features what it used
   * @param ways which way map output came to its reduces in engines, and how much
   * @param differences what was not as it should be; empty is good
   */
  public record Verdict(
      long seed,
      String description,
      List<String> features,
      Map<MammothShuffleCounter, Long> ways,
      List<String> differences) {
    @Override
    public String toString() {
      if (differences.isEmpty()) {
        return description;
      }
      return description
          + "\n  again: dev-support/bin/differential --jobs 1 --seed "
          + seed
          + "\n  "
          + String.join("\n  ", differences);
    }
  }

  /** Works on the cluster with the jobs of jars. */
  public Differential(MiniCluster cluster, PartJars jars) {
    this(cluster, jars, 1, seed -> Map.of());
  }

  /**
   * As the other.
   *
   * @param engines in how many a job may run
   * @param settings what the job of a seed is given besides, where it runs in engines; what makes
   *     it another job (keys of mammoth.compat) it is given everywhere
   */
  public Differential(
      MiniCluster cluster, PartJars jars, int engines, LongFunction<Map<String, String>> settings) {
    this.cluster = cluster;
    this.jars = jars;
    this.engines = engines;
    this.settings = settings;
  }

  /**
   * Runs a seed on the engine and on each other side, and compares each of these with the engine.
   */
  public Verdict run(long seed, List<Side> others) throws IOException, InterruptedException {
    Path folder = new Path("/random/" + seed);
    List<String> differences = new ArrayList<>();
    Run engine;
    inEngine.acquire();
    try {
      engine = run(seed, Side.ENGINE, folder, differences);
    } finally {
      inEngine.release();
    }
    Configuration conf = engine.job.getConfiguration();
    for (Side side : others) {
      Run stock = run(seed, side, folder, differences);
      if (differences.isEmpty()) {
        compare(engine, stock, differences);
      }
    }
    Verdict verdict =
        new Verdict(
            seed,
            conf.get("mammoth.compat.description"),
            List.of(conf.getStrings("mammoth.compat.features")),
            ways(engine.job),
            List.copyOf(differences));
    if (differences.isEmpty()) {
      cluster.fs().delete(folder, true);
    }
    return verdict;
  }

  private static Map<MammothShuffleCounter, Long> ways(Job job) throws IOException {
    Map<MammothShuffleCounter, Long> ways = new EnumMap<>(MammothShuffleCounter.class);
    for (MammothShuffleCounter counter : MammothShuffleCounter.values()) {
      long count = job.getCounters().findCounter(counter).getValue();
      if (count > 0) {
        ways.put(counter, count);
      }
    }
    return ways;
  }

  /**
   * What stock does not do twice the same way.
   *
   * @param unsteady whether the rules leave counters of this job out
   * @param leftOut counters that differ and that the rules leave out
   * @param differences what differs beyond that; empty is good
   */
  public record Twice(
      long seed, boolean unsteady, List<String> leftOut, List<String> differences) {}

  /** Runs a seed twice in the local runner and compares all counters that it has. */
  public Twice runStockTwice(long seed) throws IOException, InterruptedException {
    Path folder = new Path("/random-twice/" + seed);
    List<String> differences = new ArrayList<>();
    Run first = run(seed, Side.LOCAL, folder, differences);
    Run second = run(seed, Side.LOCAL_AGAIN, folder, differences);
    compare(first, second, differences);
    List<String> all =
        CounterDiff.strict().againstLocalRunner().compare(first.counts, second.counts);
    List<String> leftOut =
        all.stream()
            .filter(line -> differences.stream().noneMatch(said -> said.endsWith(line)))
            .toList();
    cluster.fs().delete(folder, true);
    return new Twice(
        seed,
        first.job.getConfiguration().getBoolean("mammoth.compat.unsteady", false),
        leftOut,
        List.copyOf(differences));
  }

  private Run run(long seed, Side side, Path folder, List<String> differences)
      throws IOException, InterruptedException {
    java.nio.file.Path notes = cluster.home().resolve("notes").resolve(seed + "-" + side);
    Files.createDirectories(notes);
    JobCode code = jars.with(PartJars.of(seed));
    try {
      Job job = code.make(FACTORY, conf(code, seed, side, notes), folder);
      code.submit(job);
      boolean good = job.waitForCompletion(false);
      if (!good) {
        differences.add(side + ": the job failed: " + job.getStatus().getFailureInfo());
      }
      Run run =
          new Run(side, job, new Path(folder, side.name()), counts(job, side), Notes.read(notes));
      checkPlace(run, differences);
      checkContainers(run, differences);
      return run;
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  private JobCounts counts(Job job, Side side) throws IOException {
    Counters counters = job.getCounters();
    if (counters == null) {
      throw new IOException(side + ": " + job.getJobID() + " has no counters");
    }
    return side.isLocal()
        ? JobCounts.local(counters)
        : JobCounts.of(cluster, TypeConverter.toYarn(job.getJobID()).getAppId(), counters);
  }

  private Configuration conf(JobCode code, long seed, Side side, java.nio.file.Path notes) {
    Configuration conf = code.conf(cluster.conf());
    conf.setStrings("mammoth.compat.parts", PartJars.of(seed).toArray(new String[0]));
    conf.setLong("mammoth.compat.seed", seed);
    conf.set("mammoth.compat.output", side.name());
    conf.set("mammoth.compat.notes", notes.toString());
    conf.setBoolean("mammoth.engine.enabled", side == Side.ENGINE);
    settings
        .apply(seed)
        .forEach(
            (key, value) -> {
              if (side == Side.ENGINE || key.startsWith("mammoth.compat.")) {
                conf.set(key, value);
              }
            });
    if (side == Side.CONTAINERS) {
      // Where jobs take the node from each other, reduces that were started early are killed for
      // the sake of maps, and counted.
      conf.set(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, "1.0");
    }
    if (side.isLocal()) {
      conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
      conf.set(
          MRConfig.LOCAL_DIR,
          cluster.home().resolve("local-runner").resolve(seed + "-" + side).toString());
      conf.set(
          "mapreduce.jobtracker.staging.root.dir",
          cluster.home().resolve("local-staging").toString());
      conf.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, 1);
    }
    return conf;
  }

  /** An engine's tasks share a process that is no ordinary container; others do not. */
  private void checkPlace(Run run, List<String> differences) {
    int tasks = run.notes.byAttempt().size();
    int ordinary = run.notes.ordinary().size();
    boolean expected =
        switch (run.side) {
          case LOCAL, LOCAL_AGAIN -> ordinary == 0;
          case CONTAINERS -> ordinary == tasks;
          case ENGINE -> ordinary == 0 && run.notes.processes().size() <= engines;
        };
    if (!expected) {
      differences.add(run.side + ": tasks did not run where they should: " + run.notes);
    }
  }

  /**
   * Maps and reduces get what their job asks for, whatever an earlier job of the host asked for.
   */
  private void checkContainers(Run run, List<String> differences) throws IOException {
    if (run.side.isLocal()) {
      return;
    }
    Configuration conf = run.job.getConfiguration();
    Set<String> asked =
        Set.of(
            container(MAP_PRIORITY, conf, MRJobConfig.MAP_MEMORY_MB, MRJobConfig.MAP_CPU_VCORES),
            container(
                REDUCE_PRIORITY,
                conf,
                MRJobConfig.REDUCE_MEMORY_MB,
                MRJobConfig.REDUCE_CPU_VCORES));
    ApplicationId application = TypeConverter.toYarn(run.job.getJobID()).getAppId();
    for (String container : cluster.containers(application)) {
      if (!asked.contains(container)) {
        differences.add(run.side + ": got container " + container + ", asked for " + asked);
      }
    }
  }

  private static String container(int priority, Configuration conf, String memory, String vcores) {
    return priority + " " + Resource.newInstance(conf.getInt(memory, 0), conf.getInt(vcores, 0));
  }

  private void compare(Run engine, Run stock, List<String> differences) throws IOException {
    Configuration conf = engine.job.getConfiguration();
    String pair = engine.side + " against " + stock.side + ": ";
    List<String> features = List.of(conf.getStrings("mammoth.compat.features"));
    OutputDiff outputs = new OutputDiff(cluster.fs(), conf);
    if (features.contains("any-order")) {
      outputs = outputs.ofLinesInAnyOrder();
    }
    for (String difference : outputs.compare(engine.output, stock.output)) {
      differences.add(pair + difference);
    }
    CounterDiff counters = CounterDiff.strict();
    if (features.contains("shape-MULTITHREADED")) {
      counters = counters.withThreadsThatReadFiles();
    }
    if (engine.side == Side.ENGINE) {
      counters = counters.inEngineMemory(features.contains("combiner"));
      if (!features.contains("map-codec-NONE")) {
        counters = counters.withCompressedMapOutput();
      }
      if (features.contains("huge")) {
        counters = counters.withRecordsLikeTheSortBuffer();
      }
    }
    if (stock.side.isLocal()) {
      counters = counters.againstLocalRunner();
    }
    if (conf.getBoolean("mammoth.compat.unsteady", false)) {
      counters = counters.withUnsteadySpills();
    }
    for (String difference : counters.compare(engine.counts, stock.counts)) {
      differences.add(pair + difference);
    }
  }
}
