package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.junit.jupiter.api.Test;
import org.mammoth.compat.cluster.Engines;
import org.mammoth.compat.cluster.MiniCluster;

/** A NodeManager with engines stops as fast as upstream's own, and leaves no engine behind. */
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

  @Test
  void itStopsNoSlowerThanUpstreams() throws Exception {
    java.nio.file.Path home =
        java.nio.file.Path.of(
            System.getProperty("java.io.tmpdir"), "stop-" + ProcessHandle.current().pid());
    MiniCluster cluster = new MiniCluster(home, EXECUTOR, Map.of(), List.of(Map.of(), STOCK));
    try {
      try (OutputStream out = cluster.fs().create(new Path("/stop/in/a"))) {
        out.write("b a\na\n".getBytes(StandardCharsets.UTF_8));
      }
      for (int round = 0; round < 2; round++) {
        countWords(cluster, "/stop/out-" + round);
      }
      List<ProcessHandle> engines =
          Engines.running().stream()
              .filter(engine -> Engines.home(engine).startsWith(cluster.home()))
              .toList();
      assertThat(engines).as("engines of the node that is to be stopped").isNotEmpty();
      long stock = stopMs(cluster.nodes().get(1));
      long ours = stopMs(cluster.nodes().get(0));
      System.out.println("NodeManager stops: upstream's " + stock + " ms, ours " + ours + " ms");
      for (ProcessHandle engine : engines) {
        engine.onExit().get(10, TimeUnit.SECONDS);
      }
      assertThat(ours).as("ms to stop a NodeManager").isLessThan(stock + NOISE_MS);
    } finally {
      cluster.close();
    }
  }

  private static long stopMs(NodeManager node) {
    long before = System.nanoTime();
    node.stop();
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
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
    FileInputFormat.addInputPath(job, new Path("/stop/in"));
    FileOutputFormat.setOutputPath(job, new Path(output));
    assertThat(job.waitForCompletion(false)).isTrue();
  }
}
