// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.Sniffer;
import org.mammoth.compat.cluster.TlsFiles;

/** Map output that crosses from node to node: between engines, and to and from a stock node. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TwoNodesIT {
  private static final String EXECUTOR =
      "org.mammoth.mapreduce.nodemanager.MammothContainerExecutor";
  private static final String WAYS = "org.mammoth.mapreduce.MammothShuffleCounter";
  private static final int MAPS = 9;

  /** More than one node can run at a time, so that both have some. */
  private static final int REDUCES = 5;

  private static final int WORDS = 20_000;

  /** Four containers on each node: the maps need both, more than once. */
  private static final Map<String, String> SMALL_NODES =
      Map.of(
          "yarn.nodemanager.resource.memory-mb", "2048",
          "mammoth.engine.memory-mb", "2048",
          "mammoth.engine.java.opts", MiniCluster.engineOptions("700m"),
          "mammoth.memory.pool-fraction", "0.05",
          "yarn.scheduler.capacity.maximum-am-resource-percent", "0.9");

  private static final Map<String, String> STOCK_NODE =
      Map.of(
          "yarn.nodemanager.container-executor.class",
          "org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor",
          "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
          "org.apache.hadoop.mapred.ShuffleHandler",
          "mammoth.engine.enabled",
          "false");

  /** The job in ordinary containers: the same input gives the same on every cluster. */
  private Result stock;

  /** What a job left: its files, in order, and its books. */
  private record Result(List<byte[]> files, Counters counters) {}

  /** How many segments went which way. */
  private record Ways(long node, long pushed, long pulled, long levitated, long shuffled) {
    static Ways of(Counters counters) {
      return new Ways(
          counters.findCounter(WAYS, "NODE_SEGMENTS").getValue(),
          counters.findCounter(WAYS, "PUSHED_SEGMENTS").getValue(),
          counters.findCounter(WAYS, "PULLED_SEGMENTS").getValue(),
          counters.findCounter(WAYS, "LEVITATED_SEGMENTS").getValue(),
          counters.findCounter(TaskCounter.SHUFFLED_MAPS).getValue());
    }

    long byEngines() {
      return node + pushed + pulled + levitated;
    }
  }

  private static long way(Counters counters, String name) {
    return counters.findCounter(WAYS, name).getValue();
  }

  /** Where the bytes that reduces read came from. */
  private record Bytes(long memory, long disk, long network, long shuffled) {
    static Bytes of(Counters counters) {
      return new Bytes(
          counters.findCounter(WAYS, "MEMORY_BYTES").getValue(),
          counters.findCounter(WAYS, "DISK_BYTES").getValue(),
          counters.findCounter(WAYS, "NETWORK_BYTES").getValue(),
          counters.findCounter(TaskCounter.REDUCE_SHUFFLE_BYTES).getValue());
    }

    void assertComplete() {
      assertThat(memory + disk + network).as("%s", this).isEqualTo(shuffled);
      assertThat(network).as("%s", this).isBetween(1L, shuffled - 1);
    }
  }

  @Test
  void engineToEngine(@TempDir java.nio.file.Path temp) throws Exception {
    try (MiniCluster cluster =
        new MiniCluster(temp, EXECUTOR, SMALL_NODES, List.of(Map.of(), Map.of()))) {
      write(cluster);
      Result engines = run(cluster, "engines", Map.of());
      Result pulling = run(cluster, "pulling", Map.of("mammoth.shuffle.push.enabled", "false"));
      assertSame(engines, stock(cluster));
      assertSame(pulling, stock(cluster));
      Ways ways = Ways.of(engines.counters);
      assertThat(ways.byEngines()).as("%s", ways).isEqualTo(MAPS * REDUCES);
      assertThat(ways.shuffled()).isEqualTo(MAPS * REDUCES);
      assertThat(ways.pushed() + ways.pulled()).as("%s", ways).isPositive();
      Bytes.of(engines.counters).assertComplete();
      Bytes.of(pulling.counters).assertComplete();
      Ways pulled = Ways.of(pulling.counters);
      assertThat(pulled.byEngines()).as("%s", pulled).isEqualTo(MAPS * REDUCES);
      assertThat(pulled.pushed()).isZero();
      assertThat(pulled.pulled()).as("%s", pulled).isPositive();
    }
  }

  @Test
  void everyModeOfMerging(@TempDir java.nio.file.Path temp) throws Exception {
    Map<String, String> little = new HashMap<>(SMALL_NODES);
    little.put("mammoth.memory.unit-kb", "64");
    little.put("mammoth.memory.pool-fraction", "0.004");
    little.put("mammoth.memory.element-kb", "256");
    little.put("mammoth.memory.element-queue-mb", "1");
    try (MiniCluster cluster =
        new MiniCluster(temp, EXECUTOR, little, List.of(Map.of(), Map.of()))) {
      write(cluster);
      for (String mode : List.of("levitated", "auto", "push", "spill")) {
        Result result =
            run(
                cluster,
                mode,
                Map.of(
                    "mammoth.shuffle.merge",
                    mode,
                    "mammoth.shuffle.levitated.block-bytes",
                    "4096"));
        assertSame(result, stock(cluster));
        Ways ways = Ways.of(result.counters);
        assertThat(ways.byEngines()).as("%s: %s", mode, ways).isEqualTo(MAPS * REDUCES);
        Bytes.of(result.counters).assertComplete();
        long spilled = way(result.counters, "REDUCE_SPILLED_BYTES");
        long levitated = way(result.counters, "LEVITATED_BYTES");
        System.out.printf("%s: %d bytes spilled, %d levitated%n", mode, spilled, levitated);
        assertThat(way(result.counters, "REFETCHED_BYTES")).as(mode).isZero();
        if (mode.equals("levitated")) {
          assertThat(ways.pushed() + ways.pulled()).as("%s", ways).isZero();
          assertThat(levitated).isEqualTo(Bytes.of(result.counters).network());
        }
        if (mode.equals("levitated")) {
          assertThat(spilled).as(mode).isZero();
          assertThat(levitated).as(mode).isPositive();
        } else if (!mode.equals("auto")) {
          assertThat(levitated).as(mode).isZero();
        }
        if (mode.equals("spill")) {
          assertThat(ways.pushed()).isZero();
        }
      }
    }
  }

  @Test
  void besideAStockNode(@TempDir java.nio.file.Path temp) throws Exception {
    try (MiniCluster cluster =
        new MiniCluster(temp, EXECUTOR, SMALL_NODES, List.of(Map.of(), STOCK_NODE))) {
      write(cluster);
      // All reduces are asked for at once, or the node that starts faster takes them one by one.
      Result mixed =
          run(cluster, "mixed", Map.of("mapreduce.job.reduce.slowstart.completedmaps", "1.0"));
      assertSame(mixed, stock(cluster));
      Ways ways = Ways.of(mixed.counters);
      assertThat(ways.shuffled()).isEqualTo(MAPS * REDUCES);
      assertThat(ways.pushed() + ways.pulled()).as("%s", ways).isZero();
      assertThat(ways.byEngines()).as("%s", ways).isLessThan(MAPS * REDUCES);
      Bytes bytes = Bytes.of(mixed.counters);
      assertThat(bytes.network()).as("%s", bytes).isPositive();
      assertThat(bytes.memory() + bytes.disk() + bytes.network())
          .as("what the stock node's reduces read is not counted: %s", bytes)
          .isBetween(1L, bytes.shuffled());
    }
  }

  /**
   * With keys of the nodes, which ask each other for them: the same bytes go the same ways, and no
   * record is seen on the wire. HDFS does not encrypt, so words are seen, but not as maps write
   * them.
   */
  @Test
  @Tag("long") // dev-support/bin/soak tls
  void engineToEngineUnderTls(@TempDir java.nio.file.Path temp) throws Exception {
    Map<String, String> settings = new HashMap<>(SMALL_NODES);
    try (TlsFiles tls = new TlsFiles(Files.createDirectory(temp.resolve("tls")));
        Sniffer wire = Sniffer.open("veiled[0-9]+[ \\t]", "veiled[0-9]+\\x00\\x00\\x00\\x01")) {
      settings.putAll(tls.settings());
      try (MiniCluster cluster =
          new MiniCluster(
              temp.resolve("cluster"), EXECUTOR, settings, List.of(Map.of(), Map.of()))) {
        write(cluster, "veiled");
        Result engines = run(cluster, "engines", Map.of());
        assertSame(engines, run(cluster, "stock", Map.of("mammoth.engine.enabled", "false")));
        Ways ways = Ways.of(engines.counters);
        assertThat(ways.byEngines()).as("%s", ways).isEqualTo(MAPS * REDUCES);
        assertThat(ways.pushed() + ways.pulled()).as("%s", ways).isPositive();
        Bytes.of(engines.counters).assertComplete();
      }
      if (wire != null) {
        long[] seen = wire.counts();
        System.out.printf("on the wire: %d words, %d records%n", seen[0], seen[1]);
        assertThat(seen[0]).as("words that HDFS sent in clear").isPositive();
        assertThat(seen[1]).as("records of maps' output").isZero();
      }
    }
  }

  private static void write(MiniCluster cluster) throws IOException {
    write(cluster, "word");
  }

  private static void write(MiniCluster cluster, String prefix) throws IOException {
    Random random = new Random(7);
    for (int file = 0; file < MAPS; file++) {
      StringBuilder text = new StringBuilder();
      for (int word = 0; word < WORDS; word++) {
        text.append(prefix).append(random.nextInt(1_000_000)).append(word % 10 == 9 ? '\n' : ' ');
      }
      try (OutputStream out = cluster.fs().create(new Path("/words/" + file))) {
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private Result stock(MiniCluster cluster) throws Exception {
    if (stock == null) {
      stock = run(cluster, "stock", Map.of("mammoth.engine.enabled", "false"));
    }
    return stock;
  }

  private static Result run(MiniCluster cluster, String name, Map<String, String> more)
      throws Exception {
    Configuration conf = cluster.conf();
    more.forEach(conf::set);
    Job job = Job.getInstance(conf, name);
    job.setJarByClass(WordCount.class);
    job.setMapperClass(WordCount.TokenizerMapper.class);
    job.setReducerClass(WordCount.IntSumReducer.class);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    job.setNumReduceTasks(REDUCES);
    FileInputFormat.addInputPath(job, new Path("/words"));
    FileOutputFormat.setOutputPath(job, new Path("/counts/" + name));
    assertThat(job.waitForCompletion(true)).as(name).isTrue();
    System.out.println(name + ": " + Ways.of(job.getCounters()));
    for (JobCounter failed : List.of(JobCounter.NUM_FAILED_MAPS, JobCounter.NUM_FAILED_REDUCES)) {
      assertThat(job.getCounters().findCounter(failed).getValue()).as("%s", failed).isZero();
    }
    return new Result(files(cluster, job), job.getCounters());
  }

  /** The same files with the same bytes, and the same books. */
  private static void assertSame(Result left, Result right) {
    assertThat(left.files).hasSize(REDUCES).hasSameSizeAs(right.files);
    for (int i = 0; i < REDUCES; i++) {
      assertThat(left.files.get(i)).hasSizeGreaterThan(50_000).isEqualTo(right.files.get(i));
    }
    for (TaskCounter counter :
        List.of(
            TaskCounter.SHUFFLED_MAPS,
            TaskCounter.REDUCE_SHUFFLE_BYTES,
            TaskCounter.FAILED_SHUFFLE,
            TaskCounter.MERGED_MAP_OUTPUTS,
            TaskCounter.REDUCE_INPUT_RECORDS)) {
      assertThat(left.counters.findCounter(counter).getValue())
          .as("%s", counter)
          .isEqualTo(right.counters.findCounter(counter).getValue());
    }
  }

  private static List<byte[]> files(MiniCluster cluster, Job job) throws IOException {
    List<byte[]> all = new ArrayList<>();
    for (FileStatus file : cluster.fs().listStatus(FileOutputFormat.getOutputPath(job))) {
      if (file.getPath().getName().startsWith("part-")) {
        try (var in = cluster.fs().open(file.getPath())) {
          all.add(in.readAllBytes());
        }
      }
    }
    return all;
  }
}
