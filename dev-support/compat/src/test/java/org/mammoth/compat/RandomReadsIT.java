// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.net.unix.DomainSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.Probe;

/**
 * A stream of HDFS shows a task of an engine what it shows to one in a process of its own, however
 * it is read: see {@code RandomReads}. {@code -Dmammoth.reads.seed} draws other ways, {@code
 * -Dmammoth.reads.streams} more.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RandomReadsIT {
  private static final String EXECUTOR =
      "org.mammoth.mapreduce.nodemanager.MammothContainerExecutor";
  private static final String FILE = "/tmp/random-reads";
  private static final String SHORT_CIRCUIT = "dfs.client.read.shortcircuit";
  private static final int STEPS = 400;

  private final long seed = Long.getLong("mammoth.reads.seed", System.nanoTime());
  private final int streams = Integer.getInteger("mammoth.reads.streams", 10);

  /** Where the DataNode's domain socket is. */
  @TempDir private static java.nio.file.Path sockets;

  private MiniCluster cluster;

  @BeforeAll
  void start() throws Exception {
    // Others may write to the folder above the tests' own.
    DomainSocket.disableBindPathValidation();
    cluster =
        new MiniCluster(
            java.nio.file.Path.of(
                System.getProperty("java.io.tmpdir"),
                "random-reads-" + ProcessHandle.current().pid()),
            EXECUTOR,
            Map.of(
                SHORT_CIRCUIT,
                "true",
                "dfs.domain.socket.path",
                sockets.resolve("dn._PORT").toString()));
    byte[] bytes = new byte[2_500_123];
    new Random(1).nextBytes(bytes);
    FileSystem fs = cluster.fs();
    try (OutputStream out = fs.create(new Path(FILE), true, 4096, (short) 1, 1 << 20)) {
      out.write(bytes);
    }
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private Map<String, List<String>> read(String name, String how, Map<String, String> settings)
      throws Exception {
    List<String> lines =
        LongStream.range(seed, seed + streams)
            .mapToObj(s -> "reads " + s + " " + STEPS + " " + how + " " + FILE)
            .toList();
    int half = (streams + 1) / 2;
    List<List<String>> maps =
        IntStream.range(0, 2)
            .mapToObj(i -> lines.subList(i * half, i == 0 ? half : lines.size()))
            .toList();
    JobCode code = JobCode.ofThisModule(cluster.home().resolve("jars").resolve(name + ".jar"));
    Probe probe = Probe.of(cluster, code, name, maps);
    settings.forEach(probe.job().getConfiguration()::set);
    assertThat(probe.submit().await()).as(name).isTrue();
    if (!settings.containsKey("mammoth.engine.enabled")) {
      assertThat(probe.fallbacks()).as("tasks in ordinary containers").isZero();
    }
    return probe.answers();
  }

  @Test
  void throughSockets() throws Exception {
    Map<String, List<String>> stock =
        read("stock", "once", Map.of("mammoth.engine.enabled", "false", SHORT_CIRCUIT, "false"));
    assertThat(stock).hasSize(streams);
    assertThat(read("engine", "once", Map.of(SHORT_CIRCUIT, "false")))
        .as("seed " + seed)
        .isEqualTo(stock);
  }

  /** Only with Hadoop's native library. */
  static boolean domainSockets() {
    return DomainSocket.getLoadingFailureReason() == null;
  }

  @Test
  @EnabledIf("domainSockets")
  void pastTheDataNode() throws Exception {
    Map<String, List<String>> stock =
        read("local-stock", "fully", Map.of("mammoth.engine.enabled", "false"));
    assertThat(stock).hasSize(streams);
    assertThat(read("local-engine", "fully", Map.of())).as("seed " + seed).isEqualTo(stock);
  }
}
