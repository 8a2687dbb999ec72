// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.ToolRunner;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.mammoth.api.status.NodeSnapshot;
import org.mammoth.compat.cluster.Engines;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.NodeStatus;
import org.mammoth.compat.diff.OutputDiff;

/**
 * A real NodeManager whose engines are harmed at random moments of a job: the job's output is
 * right, no container stays, nothing stays admitted, and no engine that was given up lives on.
 *
 * <p>{@code mammoth.compat.lifecycle} says how often each harm is done, {@code mammoth.compat.seed}
 * at which moments. {@code FaultSchedulesTest} does the same on a simulated clock, where clocks
 * jump too.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LifecycleIT {

  private static final String EXECUTOR =
      "org.mammoth.mapreduce.nodemanager.MammothContainerExecutor";
  private static final int EACH = Integer.getInteger("mammoth.compat.lifecycle", 1);
  private static final boolean LONG = EACH > 1;
  private static final long SEED = Long.getLong("mammoth.compat.seed", 4);
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final org.apache.hadoop.fs.Path INPUT =
      new org.apache.hadoop.fs.Path("/lifecycle/input");

  private final ExecutorService pool = Executors.newSingleThreadExecutor();
  private final Random random = new Random(SEED);
  private final Map<EngineHarm, Integer> done = new EnumMap<>(EngineHarm.class);
  private MiniCluster cluster;
  private int outputs;

  @BeforeAll
  void start() throws Exception {
    Path home =
        Path.of(System.getProperty("java.io.tmpdir"), "lifecycle-" + ProcessHandle.current().pid());
    Map<String, String> settings =
        Map.of(
            "yarn.nodemanager.local-dirs",
            home.resolve("disk1").toUri() + "," + home.resolve("disk2"),
            "mammoth.engine.quarantine.deaths",
            "100");
    cluster = new MiniCluster(home, EXECUTOR, settings);
    Configuration conf = cluster.conf();
    conf.setInt("mapreduce.job.maps", 2);
    assertThat(ToolRunner.run(conf, new TeraGen(), new String[] {"20000", INPUT.toString()}))
        .isZero();
  }

  @AfterAll
  void stop() {
    pool.shutdownNow();
    List<ProcessHandle> left = engines();
    cluster.close();
    left.forEach(Engines::kill);
  }

  private List<ProcessHandle> engines() {
    return Engines.running().stream()
        .filter(engine -> Engines.home(engine).startsWith(cluster.home()))
        .toList();
  }

  @Test
  void harmedEnginesLoseNoContainer() throws Exception {
    org.apache.hadoop.fs.Path undisturbed = output();
    assertThat(countWords(undisturbed)).isTrue();
    long before = System.nanoTime();
    assertThat(countWords(output())).isTrue();
    long lastsMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
    for (int round = 0; round < EACH; round++) {
      for (EngineHarm harm : EngineHarm.values()) {
        org.apache.hadoop.fs.Path output = output();
        Future<Boolean> running = pool.submit(() -> countWords(output));
        TimeUnit.MILLISECONDS.sleep((long) (lastsMs * (0.1 + 0.8 * random.nextDouble())));
        boolean during = !running.isDone();
        harmAny(harm);
        assertThat(running.get(10, TimeUnit.MINUTES)).as("the job under " + harm).isTrue();
        System.out.println(
            harm + " " + round + ", seed " + SEED + (during ? "" : ": it had ended"));
        assertThat(new OutputDiff(cluster.fs(), cluster.conf()).compare(undisturbed, output))
            .as("output under " + harm)
            .isEmpty();
        assertNothingIsLeft(harm);
      }
    }
    System.out.println("harms done: " + done);
  }

  private void harmAny(EngineHarm harm) throws InterruptedException {
    List<ProcessHandle> engines = engines();
    if (engines.isEmpty()) {
      return;
    }
    try {
      harm.harm(engines.get(random.nextInt(engines.size())), random, LONG);
      done.merge(harm, 1, Integer::sum);
    } catch (IOException e) {
      // The engine has ended meanwhile, which some harms do to it.
      System.out.println(harm + " was cut short: " + e.getMessage());
    }
  }

  private void assertNothingIsLeft(EngineHarm harm) {
    Awaitility.await("what is left after " + harm)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> {
              assertThat(cluster.node().getNMContext().getContainers()).as("containers").isEmpty();
              NodeSnapshot node = NodeStatus.snapshot(cluster);
              assertThat(node.admittedMb()).as("MiB admitted").isZero();
              assertThat(node.engines())
                  .as("engines that drain, or are not known to run")
                  .allMatch(engine -> engine.open() && engine.problem().isEmpty());
              assertThat(engines()).as("processes of engines").hasSizeLessThanOrEqualTo(1);
            });
  }

  private org.apache.hadoop.fs.Path output() {
    return new org.apache.hadoop.fs.Path("/lifecycle/output-" + outputs++);
  }

  private boolean countWords(org.apache.hadoop.fs.Path output) throws Exception {
    Configuration conf = cluster.conf();
    conf.set(FileInputFormat.SPLIT_MAXSIZE, "250000");
    conf.setInt("mapreduce.job.reduces", 2);
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
