// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.Engines;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.SharedCluster;
import org.mammoth.compat.diff.OutputDiff;

/**
 * The engine is killed at random moments of TeraSort and WordCount: the job succeeds, its output is
 * right, no attempt fails.
 *
 * <p>{@code mammoth.compat.deaths} says how often, {@code mammoth.compat.seed} at which moments.
 */
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EngineDeathIT {
  private static final int DEATHS = Integer.getInteger("mammoth.compat.deaths", 2);
  private static final long SEED = Long.getLong("mammoth.compat.seed", 4);
  private static final String ROWS = "40000";
  private static final String SPLIT_BYTES = "500000";
  private static final Path INPUT = new Path("/deaths/input");

  private final ExecutorService pool = Executors.newSingleThreadExecutor();
  private final Random random = new Random(SEED);

  @BeforeAll
  void generate(MiniCluster cluster) throws Exception {
    Configuration conf = cluster.conf();
    conf.setInt("mapreduce.job.maps", 2);
    assertThat(run(new TeraGen(), conf, ROWS, INPUT.toString())).isZero();
  }

  @AfterAll
  void stop() {
    pool.shutdownNow();
  }

  private interface Program {
    boolean run(Configuration conf, Path output) throws Exception;
  }

  @Test
  void killedEnginesCostReexecutionOnly(MiniCluster cluster) throws Exception {
    List<Program> programs = List.of(EngineDeathIT::teraSort, EngineDeathIT::wordCount);
    List<Path> undisturbed = new ArrayList<>();
    List<Long> durations = new ArrayList<>();
    for (Program program : programs) {
      Path output = new Path("/deaths/undisturbed-" + undisturbed.size());
      long start = System.nanoTime();
      assertThat(program.run(conf(cluster, output.getName()), output)).isTrue();
      durations.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
      undisturbed.add(output);
    }
    for (int death = 0; death < DEATHS; death++) {
      int which = death % programs.size();
      long longest = (long) (durations.get(which) * (0.1 + 0.8 * random.nextDouble()));
      Path output = die(cluster, programs.get(which), "killed-" + death, longest);
      assertThat(
              new OutputDiff(cluster.fs(), cluster.conf()).compare(undisturbed.get(which), output))
          .isEmpty();
      if (which == 0) {
        assertThat(
                run(new TeraValidate(), cluster.conf(), output.toString(), output + "-validated"))
            .isZero();
      }
    }
  }

  /** Kills the engines during a run of a program; earlier if the program turns out to be faster. */
  private Path die(MiniCluster cluster, Program program, String name, long longest)
      throws Exception {
    for (long moment = longest; ; moment /= 2) {
      Path output = new Path("/deaths/" + name + "-" + moment);
      boolean during = kill(cluster, program, output, moment);
      assertNoFailures(cluster, output.getName());
      System.out.println(
          name
              + " "
              + moment
              + " ms after its start, seed "
              + SEED
              + (during ? "" : ": it had ended"));
      if (during) {
        return output;
      }
      assertThat(moment).as("moment of " + name + " in ms").isPositive();
    }
  }

  /**
   * Runs a program and kills the engines a while after a task has started; false if the job was
   * faster.
   */
  private boolean kill(MiniCluster cluster, Program program, Path output, long moment)
      throws Exception {
    Configuration conf = conf(cluster, output.getName());
    Future<Boolean> running = pool.submit(() -> program.run(conf, output));
    TimeUnit.MILLISECONDS.sleep(moment);
    // The engine killed before may not have its successor yet.
    List<ProcessHandle> engines =
        Awaitility.await("an engine to kill")
            .atMost(2, TimeUnit.MINUTES)
            .until(Engines::running, found -> !found.isEmpty() || running.isDone());
    boolean during = !running.isDone();
    engines.forEach(Engines::kill);
    assertThat(running.get(5, TimeUnit.MINUTES)).as("the job after its engine was killed").isTrue();
    return during;
  }

  private static void assertNoFailures(MiniCluster cluster, String tag) throws Exception {
    List<ApplicationId> applications = cluster.applications(tag);
    assertThat(applications).isNotEmpty();
    for (ApplicationId application : applications) {
      Counters counters = cluster.counters(application);
      assertThat(counters.findCounter(JobCounter.NUM_FAILED_MAPS).getValue())
          .as("failed maps")
          .isZero();
      assertThat(counters.findCounter(JobCounter.NUM_FAILED_REDUCES).getValue())
          .as("failed reduces")
          .isZero();
    }
  }

  private static Configuration conf(MiniCluster cluster, String tag) {
    Configuration conf = cluster.conf();
    conf.set("mapreduce.job.tags", tag);
    conf.set(FileInputFormat.SPLIT_MAXSIZE, SPLIT_BYTES);
    conf.setInt("mapreduce.job.reduces", 2);
    return conf;
  }

  private static int run(Tool tool, Configuration conf, String... arguments) throws Exception {
    return ToolRunner.run(conf, tool, arguments);
  }

  private static boolean teraSort(Configuration conf, Path output) throws Exception {
    return run(new TeraSort(), conf, INPUT.toString(), output.toString()) == 0;
  }

  private static boolean wordCount(Configuration conf, Path output) throws Exception {
    Job job = Job.getInstance(conf, "word count of " + output);
    job.setJarByClass(WordCount.class);
    job.setMapperClass(WordCount.TokenizerMapper.class);
    job.setReducerClass(WordCount.IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    FileInputFormat.addInputPath(job, INPUT);
    FileOutputFormat.setOutputPath(job, output);
    return job.waitForCompletion(false);
  }
}
