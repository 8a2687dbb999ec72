// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.mammoth.api.status.DataCacheUse;
import org.mammoth.compat.cluster.EngineBean;
import org.mammoth.compat.cluster.Engines;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.mapreduce.MammothCounter;

/** A job reads what the job before it wrote from the engine's memory, and nothing else changes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DataCacheIT {
  private static final String EXECUTOR =
      "org.mammoth.mapreduce.nodemanager.MammothContainerExecutor";
  private static final int LINES = 60_000;

  private static final Pattern RECORDS = Pattern.compile("(MAP|REDUCE)_(INPUT|OUTPUT)_RECORDS");

  /** More than the description of a split takes. */
  private static final long SPLIT_BYTES = 300;

  private MiniCluster cluster;
  private FileSystem fs;

  @BeforeAll
  void start() throws Exception {
    cluster =
        new MiniCluster(
            java.nio.file.Path.of(
                System.getProperty("java.io.tmpdir"),
                "data-cache-" + ProcessHandle.current().pid()),
            EXECUTOR,
            Map.of(
                "mammoth.data-cache.enabled",
                "true",
                "mammoth.memory.unit-kb",
                "256",
                "dfs.blocksize",
                Integer.toString(1 << 20)));
    fs = cluster.fs();
    Random random = new Random(5);
    try (OutputStream out = fs.create(new Path("/tmp/dc-in/lines"))) {
      for (int i = 0; i < LINES; i++) {
        out.write(
            (i + " " + Long.toString(random.nextLong(), 36).repeat(random.nextInt(14)) + "\n")
                .getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Sorts lines of {@code from} by their offsets into {@code name}, by two reduces. */
  private Job sort(String from, String name, Map<String, String> more) throws Exception {
    Configuration conf = cluster.conf();
    more.forEach(conf::set);
    Job job = Job.getInstance(conf, name);
    job.setInputFormatClass(TextInputFormat.class);
    job.setMapperClass(Mapper.class);
    job.setReducerClass(Reducer.class);
    job.setOutputKeyClass(LongWritable.class);
    job.setOutputValueClass(Text.class);
    job.setNumReduceTasks(2);
    FileInputFormat.addInputPath(job, new Path(from));
    FileOutputFormat.setOutputPath(job, new Path(name));
    assertThat(job.waitForCompletion(false)).as(name).isTrue();
    return job;
  }

  /** Of each file its lines, whatever their order: that of equal keys is nobody's promise. */
  private Map<String, Long> sums(String folder) throws IOException {
    Map<String, Long> sums = new TreeMap<>();
    for (FileStatus file : fs.listStatus(new Path(folder))) {
      long sum = 0;
      try (FSDataInputStream in = fs.open(file.getPath())) {
        for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
          CRC32 crc = new CRC32();
          crc.update(line.getBytes(StandardCharsets.UTF_8));
          sum += crc.getValue();
        }
      }
      sums.put(file.getPath().getName(), sum);
    }
    return sums;
  }

  private long bytes(String folder) throws IOException {
    return fs.getContentSummary(new Path(folder)).getLength();
  }

  private static long fromMemory(Job job) throws IOException {
    return job.getCounters().findCounter(MammothCounter.DATA_CACHE_BYTES).getValue();
  }

  private static DataCacheUse cache() throws IOException, InterruptedException {
    try (EngineBean bean = EngineBean.of(Engines.of(System.getProperty("user.name")))) {
      return bean.snapshot().dataCache();
    }
  }

  /** All counts that do not depend on the moment. */
  private static Map<String, Long> counts(Job job) throws IOException {
    Map<String, Long> counts = new TreeMap<>();
    Counters counters = job.getCounters();
    for (CounterGroup group : counters) {
      boolean known =
          group.getName().contains("FileInputFormatCounter")
              || group.getName().contains("FileOutputFormatCounter");
      for (Counter counter : group) {
        if (known || RECORDS.matcher(counter.getName()).matches()) {
          counts.put(group.getName() + " " + counter.getName(), counter.getValue());
        }
      }
    }
    for (FileSystemCounter counter : FileSystemCounter.values()) {
      counts.put("hdfs " + counter, counters.findCounter("hdfs", counter).getValue());
    }
    return counts;
  }

  /** Makes each replica on the DataNode's disk unreadable: whoever reads it there gets an error. */
  private void spoil(String folder) throws Exception {
    for (FileStatus file : fs.listStatus(new Path(folder))) {
      if (file.getLen() > 0) {
        for (LocatedBlock block : DFSTestUtil.getAllBlocks(fs, file.getPath())) {
          assertThat(cluster.hdfs().corruptBlockOnDataNodes(block.getBlock())).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void theNextJobReadsMemoryAndNotTheDataNode() throws Exception {
    Job stockFirst =
        sort("/tmp/dc-in", "/tmp/dc-stock-1", Map.of("mammoth.engine.enabled", "false"));
    Job stock =
        sort("/tmp/dc-stock-1", "/tmp/dc-stock-2", Map.of("mammoth.engine.enabled", "false"));
    Job first = sort("/tmp/dc-in", "/tmp/dc-1", Map.of());
    assertThat(fromMemory(first)).as("what no engine has written").isZero();
    assertThat(counts(first)).isEqualTo(counts(stockFirst));
    assertThat(sums("/tmp/dc-1")).isEqualTo(sums("/tmp/dc-stock-1"));
    assertThat(fs.rename(new Path("/tmp/dc-1"), new Path("/tmp/dc-moved-1"))).isTrue();
    long written = bytes("/tmp/dc-moved-1");
    // From here on the only good copy is the one in memory.
    spoil("/tmp/dc-moved-1");
    Job second = sort("/tmp/dc-moved-1", "/tmp/dc-2", Map.of());
    assertThat(sums("/tmp/dc-2")).isEqualTo(sums("/tmp/dc-stock-2"));
    assertThat(fromMemory(second)).isGreaterThanOrEqualTo(written);
    long read = second.getCounters().findCounter("hdfs", FileSystemCounter.BYTES_READ).getValue();
    long splits = second.getCounters().findCounter(JobCounter.TOTAL_LAUNCHED_MAPS).getValue();
    assertThat(read - fromMemory(second))
        .as("read of HDFS otherwise: which split is whose")
        .isBetween(0L, splits * SPLIT_BYTES);
    assertThat(counts(second)).isEqualTo(counts(stock));
    assertThat(cache().sets())
        .extracting(DataCacheUse.Set::folder)
        .contains("/tmp/dc-1", "/tmp/dc-2");
    assertThat(cache().hits()).isPositive();
  }

  @Test
  void aJobMayStayOutOfIt() throws Exception {
    Map<String, String> out = Map.of("mammoth.data-cache.enabled", "false");
    sort("/tmp/dc-in", "/tmp/dc-out-1", Map.of());
    Job second = sort("/tmp/dc-out-1", "/tmp/dc-out-2", out);
    assertThat(fromMemory(second)).isZero();
    assertThat(cache().sets()).extracting(DataCacheUse.Set::folder).doesNotContain("/tmp/dc-out-2");
    Job third = sort("/tmp/dc-out-2", "/tmp/dc-out-3", Map.of());
    assertThat(fromMemory(third)).isZero();
    assertThat(sums("/tmp/dc-out-2").keySet()).containsAll(List.of("part-r-00000", "part-r-00001"));
  }
}
