// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMX;
import javax.management.ObjectName;
import org.apache.hadoop.mapreduce.JobCounter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.mammoth.compat.faults.TotalsRun.Shape;
import org.mammoth.hdfs.slave.SlaveMXBean;

/**
 * An engine's localized data on the SSD of a DataNode's cache: it goes there, stock reduces fetch
 * it from there, and without room, without the DataNode or on a full SSD jobs go on in the ordinary
 * directories.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LocalizedDataIT {

  private static final long SEED = Long.getLong("mammoth.compat.seed", 6);
  private static final int DISK_MB = 160;
  private static final long MIB = 1L << 20;

  /** 23 MB of map output, nearly twice the pool. */
  private static final Shape SHAPE = new Shape(10, 2, 20_000, 5_000, 100);

  private FaultCluster cluster;
  private TestDisk disk;
  private Path ssd;

  @BeforeAll
  void start() throws Exception {
    Path home =
        Path.of(System.getProperty("java.io.tmpdir"), "ssd-" + ProcessHandle.current().pid());
    // A socket's path may have 107 bytes.
    ssd = home.resolve("ssd");
    if (TestDisk.missing().isEmpty()) {
      disk = TestDisk.mount(home, "ssd", DISK_MB);
    }
    Path localized = Files.createDirectories(ssd.resolve("localized"));
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    cluster =
        FaultCluster.start(
            "localized",
            Map.ofEntries(
                Map.entry(
                    "dfs.datanode.fsdataset.factory",
                    "org.mammoth.hdfs.dataset.CachingDatasetFactory"),
                Map.entry("dfs.namenode.plugins", "org.mammoth.hdfs.master.NameNodePlugin"),
                Map.entry("mammoth.mpcache.enabled", "true"),
                Map.entry("mammoth.mpcache.dirs", ssd + "=120m"),
                Map.entry("mammoth.mpcache.pool.block-mb", "4"),
                Map.entry("mammoth.mpcache.master.port", String.valueOf(port)),
                Map.entry("yarn.nodemanager.local-dirs", home.resolve("local") + "," + localized),
                Map.entry("mammoth.io.ssd-dirs", localized.toString()),
                Map.entry("mammoth.io.full.free-mb", "20"),
                Map.entry("mammoth.io.full.retry-ms", "200"),
                Map.entry("yarn.nodemanager.disk-health-checker.min-free-space-per-disk-mb", "0")),
            List.of(Map.of()));
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
    if (disk != null) {
      disk.close();
    }
  }

  private static SlaveMXBean slave() throws Exception {
    return JMX.newMXBeanProxy(
        ManagementFactory.getPlatformMBeanServer(),
        new ObjectName("Hadoop:service=DataNode,name=MpCacheSlave"),
        SlaveMXBean.class);
  }

  private static long space(String what) throws Exception {
    return slave().getSpace().get(what);
  }

  private TotalsRun run(String gates, Map<String, String> more) throws Exception {
    Map<String, String> all =
        new HashMap<>(Map.of("mapreduce.job.reduce.slowstart.completedmaps", "1.0"));
    all.putAll(more);
    return TotalsRun.submit(cluster, SHAPE, SEED, gates, all);
  }

  private void allGivenBack() {
    Awaitility.await("room given back")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(space("localizedUsed")).isZero());
  }

  @Test
  void goesToTheSsdAndComesBackWithTheJobsFolders() throws Exception {
    long most = 0;
    TotalsRun job = run("", Map.of());
    while (!job.job().isComplete()) {
      most = Math.max(most, space("localizedUsed"));
      Thread.sleep(20);
    }
    job.assertRight();
    assertThat(most).as("bytes on SSD at once").isGreaterThan(15 * MIB);
    cluster.assertClean();
    allGivenBack();
  }

  @Test
  void isServedToStockReduces() throws Exception {
    TotalsRun job =
        run("", Map.of("mapreduce.reduce.java.opts", "-Xmx200m -Dmammoth.compat.own=yes"));
    long most = 0;
    while (!job.job().isComplete()) {
      most = Math.max(most, space("localizedUsed"));
      Thread.sleep(20);
    }
    job.assertRight();
    assertThat(most).isGreaterThan(15 * MIB);
    assertThat(job.counter(JobCounter.NUM_FAILED_MAPS)).isZero();
    assertThat(job.counter(JobCounter.NUM_FAILED_REDUCES)).isZero();
    allGivenBack();
  }

  @Test
  void goesElsewhereWhileTheDataNodeIsAwayAndReturns() throws Exception {
    run("", Map.of()).assertRight();
    cluster.cluster().hdfs().restartDataNode(0, true);
    cluster.cluster().hdfs().waitActive();
    Awaitility.await("the new slave")
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(() -> space("localizedUsed") == 0);
    Awaitility.await("localized data on SSD again")
        .atMost(Duration.ofSeconds(120))
        .until(
            () -> {
              run("", Map.of()).assertRight();
              return space("localizedPeak") > 0;
            });
    allGivenBack();
  }

  @Test
  void movesOverWhenTheSsdIsFull() throws Exception {
    Assumptions.assumeTrue(disk != null, TestDisk.missing());
    TotalsRun job = run("", Map.of());
    Awaitility.await("the first files on SSD")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> space("localizedUsed") > 0 || job.job().isComplete());
    disk.fill(0);
    try {
      job.assertRight();
      assertThat(job.counter(JobCounter.NUM_FAILED_MAPS)).isZero();
      assertThat(job.counter(JobCounter.NUM_FAILED_REDUCES)).isZero();
      run("", Map.of()).assertRight();
    } finally {
      disk.empty();
    }
    cluster.assertClean();
    allGivenBack();
  }
}
