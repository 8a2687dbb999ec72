// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.QuasiMonteCarlo;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mammoth.compat.cluster.Engines;
import org.mammoth.compat.cluster.MiniCluster;

/**
 * A NodeManager with engines stops as fast as upstream's own, after jobs and in the middle of one
 * whose tasks do not listen to interrupts, and leaves no engine behind.
 */
@Tag("long") // it compares times
class NodeStopIT {

  private static final String EXECUTOR =
      "org.mammoth.mapreduce.nodemanager.MammothContainerExecutor";
  private static final Map<String, String> STOCK =
      Map.of(
          "yarn.nodemanager.container-executor.class",
          "org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor",
          "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
          "org.apache.hadoop.mapred.ShuffleHandler");

  /** What one run may differ from another by. */
  private static final long NOISE_MS = 1_500;

  private record Times(long idleMs, long busyMs) {}

  @Test
  void itStopsNoSlowerThanUpstreams() throws Exception {
    Times stock = stop("stock", STOCK);
    Times ours = stop("mammoth", Map.of());
    System.out.println("NodeManagers stop: upstream's " + stock + ", ours " + ours);
    assertThat(ours.idleMs()).as("ms after jobs").isLessThan(stock.idleMs() + NOISE_MS);
    assertThat(ours.busyMs()).as("ms in a job").isLessThan(stock.busyMs() + NOISE_MS);
  }

  /** Stops two NodeManagers: one that has nothing to do, then one that runs all of a job. */
  private static Times stop(String name, Map<String, String> settings) throws Exception {
    Path home =
        Path.of(
            System.getProperty("java.io.tmpdir"), "stop-" + name + ProcessHandle.current().pid());
    MiniCluster cluster = new MiniCluster(home, EXECUTOR, settings, List.of(Map.of(), Map.of()));
    try {
      try (OutputStream out = cluster.fs().create(new org.apache.hadoop.fs.Path("/stop/in/a"))) {
        out.write("b a\na\n".getBytes(StandardCharsets.UTF_8));
      }
      for (int round = 0; round < 2; round++) {
        countWords(cluster, "/stop/out-" + round);
      }
      long idleMs = stopMs(cluster.nodes().get(1));
      NodeManager busy = cluster.nodes().get(0);
      Thread client = new Thread(() -> runForLong(cluster), "client");
      client.setDaemon(true);
      client.start();
      Awaitility.await("maps that run")
          .atMost(Duration.ofSeconds(90))
          .until(() -> busy.getNMContext().getContainers().size() > 2);
      TimeUnit.SECONDS.sleep(5);
      long busyMs = stopMs(busy);
      assertNoEngine(cluster);
      return new Times(idleMs, busyMs);
    } finally {
      cluster.close();
    }
  }

  private static void assertNoEngine(MiniCluster cluster) {
    Awaitility.await("engines of stopped NodeManagers")
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                Engines.running().stream()
                    .noneMatch(engine -> Engines.home(engine).startsWith(cluster.home())));
  }

  private static long stopMs(NodeManager node) {
    long before = System.nanoTime();
    node.stop();
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
  }

  /** Tasks that only compute. */
  private static void runForLong(MiniCluster cluster) {
    try {
      ToolRunner.run(cluster.conf(), new QuasiMonteCarlo(), new String[] {"2", "1000000000000"});
    } catch (Exception e) {
      System.out.println("the job ends with its cluster: " + e);
    }
  }

  private static void countWords(MiniCluster cluster, String output) throws Exception {
    Configuration conf = cluster.conf();
    conf.setInt("mapreduce.job.reduces", 2);
    Job job = Job.getInstance(conf, "words");
    job.setJarByClass(WordCount.class);
    job.setMapperClass(WordCount.TokenizerMapper.class);
    job.setReducerClass(WordCount.IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path("/stop/in"));
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output));
    assertThat(job.waitForCompletion(false)).isTrue();
  }
}
