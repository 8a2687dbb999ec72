// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.hdfs.CacheCluster.BLOCK;
import static org.mammoth.hdfs.CacheCluster.bytes;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SSDs that are full, missing or broken, and none at all. */
class FaultsTest {

  @TempDir Path folder;

  private static long cacheThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.isAlive() && thread.getName().startsWith("mpcache-"))
        .filter(thread -> !thread.getName().equals("mpcache-slaves"))
        .count();
  }

  @Test
  void withoutADirectoryTheDataNodeIsStock() throws Exception {
    CacheCluster.await(() -> assertThat(cacheThreads()).isZero());
    Configuration conf = CacheCluster.conf();
    try (CacheCluster cluster = CacheCluster.start(folder, conf, 1, null)) {
      byte[] bytes = bytes(1, BLOCK + 1);
      cluster.write("/f", bytes);
      assertThat(cluster.read("/f")).isEqualTo(bytes);
      assertThat(cluster.hdfs().getDataNodes().get(0).getFSDataset().getClass().getSimpleName())
          .isEqualTo("FsDatasetImpl");
      assertThat(cacheThreads()).isZero();
    }
  }

  @Test
  void aWrongConfigurationLeavesTheDataNodeStock() throws Exception {
    try (CacheCluster cluster = CacheCluster.start(folder, CacheCluster.conf(), 1, "much")) {
      byte[] bytes = bytes(2, 1_000);
      cluster.write("/f", bytes);
      assertThat(cluster.read("/f")).isEqualTo(bytes);
      assertThat(cluster.hdfs().getDataNodes().get(0).getFSDataset().getClass().getSimpleName())
          .isEqualTo("FsDatasetImpl");
    }
  }

  @Test
  void aFullSsdTurnsAwayWhatDoesNotFit() throws Exception {
    try (CacheCluster cluster = CacheCluster.start(folder, CacheCluster.conf(), 1, "1m")) {
      for (int i = 0; i < 12; i++) {
        cluster.write("/many/d" + i + "/f", bytes(i, BLOCK));
      }
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 12; i++) {
          assertThat(cluster.read("/many/d" + i + "/f")).isEqualTo(bytes(i, BLOCK));
        }
      }
      CacheCluster.await(() -> assertThat(cluster.status(0).getCopies()).isPositive());
      assertThat(cluster.status(0).getSpace().get("inputUsed")).isLessThanOrEqualTo(1 << 20);
      assertThat(CommandTest.run(cluster, "-report")).contains("not admitted");
    }
  }

  @Test
  void anSsdThatGoesAwayIsLeftOut() throws Exception {
    Configuration conf = CacheCluster.conf();
    try (CacheCluster cluster = CacheCluster.start(folder, conf, 1, "16m")) {
      byte[] bytes = bytes(3, 2 * BLOCK);
      cluster.write("/in/f", bytes);
      cluster.warm("/in/f", bytes);
      // The directory becomes a file: nothing below it can be opened, made or deleted.
      Path moved = folder.resolve("moved");
      Files.move(cluster.ssd(0), moved);
      Files.writeString(cluster.ssd(0), "not a folder");
      assertThat(cluster.read("/in/f")).isEqualTo(bytes);
      assertThat(cluster.read("/in/f")).isEqualTo(bytes);
      CacheCluster.await(() -> assertThat(cluster.status(0).getCopies()).isZero());
      assertThat(cluster.status(0).getDirectories().values()).noneMatch("ok"::equals);
      CacheCluster.await(
          () -> assertThat(cluster.status(0).getSpace()).containsEntry("inputCapacity", 0L));
      assertThat(cluster.read("/in/f")).isEqualTo(bytes);
      assertThat(cluster.corruptReplicas()).isZero();
    }
  }

  /** A pipe to which nobody writes is opened by nobody, and gives no error. */
  @Test
  void anSsdThatHangsIsLeftOut() throws Exception {
    Configuration conf = CacheCluster.conf();
    // Longer than it takes to find out.
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, 20_000);
    Path end = folder.resolve("end");
    try (CacheCluster cluster = CacheCluster.start(folder, conf, 1, "16m")) {
      byte[] bytes = bytes(7, BLOCK);
      cluster.write("/in/f", bytes);
      cluster.warm("/in/f", bytes);
      Path copy = cluster.copies(0).get(0);
      Files.delete(copy);
      assertThat(new ProcessBuilder("mkfifo", copy.toString()).start().waitFor()).isZero();
      Files.createLink(end, copy);
      try {
        assertThat(cluster.read("/in/f")).isEqualTo(bytes);
        assertThat(cluster.status(0).getDirectories().values())
            .allMatch(status -> status.contains("a read or a delete was not answered"));
        assertThat(cluster.status(0).getCopies()).isZero();
        assertThat(cluster.read("/in/f")).isEqualTo(bytes);
        assertThat(cluster.corruptReplicas()).isZero();
      } finally {
        // Who hangs there goes on, so that the DataNode ends.
        new RandomAccessFile(end.toFile(), "rw").close();
      }
    }
  }

  @Test
  void anSsdThatWasNeverThereIsLeftOut() throws Exception {
    Files.writeString(folder.resolve("ssd0"), "not a folder");
    try (CacheCluster cluster = CacheCluster.start(folder, CacheCluster.conf(), 1, "16m")) {
      byte[] bytes = bytes(4, 2 * BLOCK);
      cluster.write("/in/f", bytes);
      assertThat(cluster.read("/in/f")).isEqualTo(bytes);
      CacheCluster.await(
          () -> assertThat(cluster.status(0).getDirectories().values()).noneMatch("ok"::equals));
      assertThat(cluster.read("/in/f")).isEqualTo(bytes);
    }
  }

  /** Upstream goes on with the others, as many as {@code dfs.datanode.failed.volumes.tolerated}. */
  @Test
  void aDataNodeThatStartsWithABrokenDiskHasItsCache() throws Exception {
    Configuration conf = CacheCluster.conf();
    conf.setInt(DFSConfigKeys.DFS_DATANODE_FAILED_VOLUMES_TOLERATED_KEY, 1);
    try (CacheCluster cluster = CacheCluster.start(folder, conf, 1, "16m")) {
      DataNodeProperties stopped = cluster.hdfs().stopDataNode(0);
      // The folder of unfinished replicas becomes a file on one of two disks.
      Path unfinished = unfinished(folder.resolve("hdfs"));
      Files.delete(unfinished);
      Files.writeString(unfinished, "not a folder");
      cluster.hdfs().restartDataNode(stopped, true);
      cluster.hdfs().waitActive();
      assertThat(cluster.hdfs().getDataNodes().get(0).getFSDataset().getNumFailedVolumes())
          .isEqualTo(1);
      byte[] bytes = bytes(6, 2 * BLOCK);
      cluster.write("/in/f", bytes);
      cluster.warm("/in/f", bytes);
      cluster.awaitCopies(0, 2);
    }
  }

  private static Path unfinished(Path hdfs) throws IOException {
    try (Stream<Path> all = Files.walk(hdfs)) {
      return all.filter(file -> file.endsWith("current/rbw")).findFirst().orElseThrow();
    }
  }

  @Test
  void aReplicaThatMovesAwayTakesItsCopyAlong() throws Exception {
    try (CacheCluster cluster = CacheCluster.start(folder, CacheCluster.conf(), 3, "16m")) {
      byte[] bytes = bytes(5, BLOCK);
      var file = new org.apache.hadoop.fs.Path("/in/f");
      cluster.write("/in/f", bytes);
      cluster.warm("/in/f", bytes);
      cluster.fs().setReplication(file, (short) 3);
      DFSTestUtil.waitReplication(cluster.fs(), file, (short) 3);
      for (int i = 0; i < 10; i++) {
        assertThat(cluster.read("/in/f")).isEqualTo(bytes);
      }
      cluster.fs().setReplication(file, (short) 1);
      CacheCluster.await(
          () -> {
            int copies = 0;
            for (int i = 0; i < 3; i++) {
              copies += cluster.status(i).getCopies();
            }
            assertThat(copies).isLessThanOrEqualTo(1);
          });
      assertThat(cluster.read("/in/f")).isEqualTo(bytes);
      assertThat(cluster.corruptReplicas()).isZero();
    }
  }
}
