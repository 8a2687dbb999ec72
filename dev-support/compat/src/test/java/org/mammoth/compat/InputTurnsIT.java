// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.net.unix.DomainSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.api.status.DiskUse;
import org.mammoth.compat.cluster.EngineBean;
import org.mammoth.compat.cluster.Engines;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.Probe;

/**
 * Tasks that read blocks of their node's DataNode in the disk's turns see the same bytes and count
 * the same as stock's do.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InputTurnsIT {
  private static final String EXECUTOR =
      "org.mammoth.mapreduce.nodemanager.MammothContainerExecutor";
  private static final int BLOCK = 16 << 20;
  private static final int LINES = 500_000;

  /** The cluster lets them; jobs say whether they do it. */
  private static final String SHORT_CIRCUIT = "dfs.client.read.shortcircuit";

  /** Where the DataNode's domain socket is. */
  @TempDir private static java.nio.file.Path sockets;

  private MiniCluster cluster;
  private FileSystem fs;
  private long inputBytes;
  private long inputSum;

  @BeforeAll
  void start() throws Exception {
    // Others may write to the folder above the tests' own.
    DomainSocket.disableBindPathValidation();
    cluster =
        new MiniCluster(
            java.nio.file.Path.of(
                System.getProperty("java.io.tmpdir"),
                "input-turns-" + ProcessHandle.current().pid()),
            EXECUTOR,
            Map.of(
                "mammoth.io.spinning-dirs",
                "all",
                "mammoth.memory.unit-kb",
                "512",
                SHORT_CIRCUIT,
                "true",
                "dfs.domain.socket.path",
                sockets.resolve("dn._PORT").toString()));
    fs = cluster.fs();
    Random random = new Random(5);
    Path input = new Path("/tmp/turns-in/lines");
    try (OutputStream out = fs.create(input, true, 4096, (short) 1, BLOCK)) {
      for (int i = 0; i < LINES; i++) {
        String line = i + " " + Long.toString(random.nextLong(), 36).repeat(random.nextInt(14));
        inputSum += sum(line);
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    inputBytes = fs.getFileStatus(input).getLen();
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Of a line, whatever stands beside it. */
  private static long sum(String line) {
    CRC32 crc = new CRC32();
    crc.update(line.getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }

  private Job copy(String name, Map<String, String> more) throws Exception {
    Configuration conf = cluster.conf();
    more.forEach(conf::set);
    Job job = Job.getInstance(conf, name);
    job.setInputFormatClass(TextInputFormat.class);
    job.setMapperClass(Mapper.class);
    job.setOutputKeyClass(LongWritable.class);
    job.setOutputValueClass(Text.class);
    job.setNumReduceTasks(0);
    FileInputFormat.addInputPath(job, new Path("/tmp/turns-in"));
    FileOutputFormat.setOutputPath(job, new Path("/tmp/" + name));
    job.submit();
    return job;
  }

  private void assertCopied(Job job) throws Exception {
    assertThat(job.waitForCompletion(false)).as(job.getJobName()).isTrue();
    long lines = 0;
    long sums = 0;
    for (FileStatus file : fs.listStatus(FileOutputFormat.getOutputPath(job))) {
      try (BufferedReader in =
          new BufferedReader(
              new InputStreamReader(fs.open(file.getPath()), StandardCharsets.UTF_8))) {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          lines++;
          sums += sum(line.substring(line.indexOf('\t') + 1));
        }
      }
    }
    assertThat(lines).isEqualTo(LINES);
    assertThat(sums).isEqualTo(inputSum);
  }

  /** Bytes that an engine's disks have read as input since it started. */
  private static long readInTurns() throws IOException, InterruptedException {
    try (EngineBean bean = EngineBean.of(Engines.of(System.getProperty("user.name")))) {
      return bean.snapshot().disks().stream()
          .flatMap(disk -> disk.lanes().stream())
          .filter(lane -> lane.ioClass().equals("ACTIVE") && lane.direction().equals("READ"))
          .mapToLong(DiskUse.Lane::totalBytes)
          .sum();
    }
  }

  /** Blocks whose checksums the DataNode, which is in this JVM, was asked to read as a whole. */
  private static long checksumsReadAhead() throws JMException {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    long sum = 0;
    for (ObjectName bean :
        beans.queryNames(new ObjectName("Hadoop:service=DataNode,name=DataNodeActivity*"), null)) {
      sum += ((Number) beans.getAttribute(bean, "BlockChecksumOpNumOps")).longValue();
    }
    return sum;
  }

  private static List<Long> counts(Job job) throws IOException, InterruptedException {
    Counters counters = job.getCounters();
    return List.of(
        counters.findCounter("hdfs", FileSystemCounter.BYTES_READ).getValue(),
        counters.findCounter("hdfs", FileSystemCounter.READ_OPS).getValue(),
        counters.findCounter("hdfs", FileSystemCounter.BYTES_WRITTEN).getValue(),
        counters.findCounter(FileInputFormatCounter.BYTES_READ).getValue(),
        counters.findCounter(TaskCounter.MAP_INPUT_RECORDS).getValue());
  }

  @Test
  void countsAreThoseOfStock() throws Exception {
    Job stock =
        copy("turns-stock", Map.of("mammoth.engine.enabled", "false", SHORT_CIRCUIT, "false"));
    assertCopied(stock);
    assertThat(checksumsReadAhead()).as("by stock").isZero();
    Job engine = copy("turns-engine", Map.of(SHORT_CIRCUIT, "false"));
    assertCopied(engine);
    assertThat(counts(engine)).isEqualTo(counts(stock));
    assertThat(readInTurns()).as("bytes that went through the turns").isGreaterThan(inputBytes / 2);
    // Hadoop's beans show what they showed for up to ten seconds.
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> assertThat(checksumsReadAhead()).isBetween(1L, 1 + inputBytes / BLOCK));
  }

  /** Only with Hadoop's native library. */
  static boolean domainSockets() {
    return DomainSocket.getLoadingFailureReason() == null;
  }

  @Test
  @EnabledIf("domainSockets")
  void whatATaskReadsPastTheDataNodeTakesTurnsToo() throws Exception {
    Job stock = copy("local-reads-stock", Map.of("mammoth.engine.enabled", "false"));
    assertCopied(stock);
    Job job = copy("local-reads-engine", Map.of());
    assertCopied(job);
    assertThat(counts(job)).isEqualTo(counts(stock));
    long before = readInTurns();
    long engine = Engines.of(System.getProperty("user.name")).pid();

    JobCode code = JobCode.ofThisModule(cluster.home().resolve("jars").resolve("local.jar"));
    String command = "local /tmp/turns-in/lines";
    Probe probe = Probe.of(cluster, code, "local-reads", List.of(List.of(command)));
    assertThat(probe.submit().await()).isTrue();
    assertThat(probe.answers()).containsEntry(command, List.of(inputBytes + " of " + inputBytes));
    assertThat(readInTurns() - before)
        .as("bytes that went through the turns")
        .isGreaterThan(inputBytes / 2);
    assertThat(Engines.of(System.getProperty("user.name")).pid())
        .as("the engine, which none of these jobs may have ended")
        .isEqualTo(engine);
  }
}
