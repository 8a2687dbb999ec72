// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.hdfs.CacheCluster.BLOCK;
import static org.mammoth.hdfs.CacheCluster.bytes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Daemons that go and come back. */
class RestartsTest {

  @TempDir Path folder;

  @Test
  void afterARestartOfTheDataNodeGoodCopiesServeAndBadOnesAreGone() throws Exception {
    byte[] bytes = bytes(1, 4 * BLOCK);
    byte[] dead = bytes(2, 1_000);
    try (CacheCluster cluster = CacheCluster.start(folder, CacheCluster.conf(), 1, "64m")) {
      cluster.write("/in/f", bytes);
      cluster.write("/dead/f", dead);
      cluster.warm("/in/f", bytes);
      cluster.warm("/dead/f", dead);
      cluster.awaitCopies(0, 5);
      DataNodeProperties stopped = cluster.hdfs().stopDataNode(0);
      List<Path> copies = cluster.copies(0).stream().filter(c -> large(c)).toList();
      assertThat(copies).hasSize(4);
      byte[] bad = Files.readAllBytes(copies.get(0));
      bad[77] ^= 1;
      Files.write(copies.get(0), bad);
      cluster.hdfs().restartDataNode(stopped, true);
      cluster.hdfs().waitActive();
      CacheCluster.await(() -> assertThat(copies.get(0)).doesNotExist());
      cluster.awaitCopies(0, 4);
      assertThat(cluster.status(0).getFills()).containsEntry("filled", 0L);
      CacheCluster.await(() -> assertThat(cluster.status(0).getFillsWaiting()).isZero());
      assertThat(cluster.read("/in/f")).isEqualTo(bytes);
      assertThat(cluster.hits()).isEqualTo(3);
      assertThat(cluster.misses()).isEqualTo(1);
      assertThat(cluster.corruptReplicas()).isZero();
      cluster.warm("/in/f", bytes);
      CacheCluster.await(
          () ->
              assertThat(CommandTest.run(cluster, "-datasets"))
                  .as("the same master heard of the bad copy")
                  .contains("/in: 4 of 4 blocks (complete)"));
    }
  }

  @Test
  void copiesOutliveARestartInWhichAnotherNameserviceAnswersFirst() throws Exception {
    byte[] bytes = bytes(6, 4 * BLOCK);
    Configuration conf = CacheCluster.conf();
    try (CacheCluster cluster = CacheCluster.startFederation(folder, conf, 1, "64m")) {
      cluster.write("/in/f", bytes);
      cluster.warm("/in/f", bytes);
      cluster.awaitCopies(0, 4);
      List<Path> copies = cluster.copies(0);
      DataNodeProperties stopped = cluster.hdfs().stopDataNode(0);
      cluster.hdfs().shutdownNameNode(cluster.cachedNameNode());
      cluster.hdfs().restartDataNode(stopped, true);
      cluster.awaitCopies(0, 4);
      assertThat(cluster.copies(0)).isEqualTo(copies);
      cluster.hdfs().restartNameNode(cluster.cachedNameNode());
      cluster.hdfs().waitActive(cluster.cachedNameNode());
      CacheCluster.await(() -> assertThat(cluster.status(0).getFillsWaiting()).isZero());
      cluster.warm("/in/f", bytes);
      assertThat(cluster.status(0).getFills()).containsEntry("filled", 0L);
    }
  }

  @Test
  void copiesWhoseReplicasAreGoneGoWhenTheirPoolComes() throws Exception {
    Configuration conf = CacheCluster.conf();
    try (CacheCluster cluster = CacheCluster.startFederation(folder, conf, 1, "64m")) {
      cluster.write("/in/f", bytes(6, BLOCK));
      cluster.write("/gone/f", bytes(7, BLOCK));
      cluster.warm("/in/f", bytes(6, BLOCK));
      cluster.warm("/gone/f", bytes(7, BLOCK));
      cluster.awaitCopies(0, 2);
      long gone = located(cluster, "/gone/f");
      DataNodeProperties stopped = cluster.hdfs().stopDataNode(0);
      cluster.hdfs().shutdownNameNode(cluster.cachedNameNode());
      // With the list of replicas that upstream leaves behind.
      deleteAll(folder.resolve("hdfs"), "replicas|blk_" + gone + "(_.*)?");
      cluster.hdfs().restartDataNode(stopped, true);
      cluster.awaitCopies(0, 2);
      cluster.hdfs().restartNameNode(cluster.cachedNameNode());
      cluster.awaitCopies(0, 1);
      cluster.warm("/in/f", bytes(6, BLOCK));
      assertThat(cluster.status(0).getFills()).containsEntry("filled", 0L);
    }
  }

  private static void deleteAll(Path below, String names) throws IOException {
    List<Path> found;
    try (Stream<Path> all = Files.walk(below)) {
      found = all.filter(file -> file.getFileName().toString().matches(names)).toList();
    }
    assertThat(found).isNotEmpty();
    for (Path file : found) {
      Files.delete(file);
    }
  }

  private static long located(CacheCluster cluster, String file) throws IOException {
    return cluster.fs().getClient().getLocatedBlocks(file, 0).get(0).getBlock().getBlockId();
  }

  private static boolean large(Path copy) {
    return copy.toFile().length() == BLOCK;
  }

  @Test
  void aDataNodeThatEndsWhileItFillsLeavesNothingHalf() throws Exception {
    // Ten seconds of filling, so that a slow machine sees it before it is over.
    int blocks = 40;
    byte[] bytes = bytes(5, blocks * BLOCK);
    Configuration conf = CacheCluster.conf();
    conf.setInt("mammoth.mpcache.fill.bandwidth-mb", 1);
    try (CacheCluster cluster = CacheCluster.start(folder, conf, 1, "64m")) {
      cluster.write("/in/f", bytes);
      assertThat(cluster.read("/in/f")).isEqualTo(bytes);
      Path filling = cluster.ssd(0).resolve("filling");
      CacheCluster.await(() -> assertThat(filling).isNotEmptyDirectory());
      DataNodeProperties stopped = cluster.hdfs().stopDataNode(0);
      assertThat(cluster.copies(0)).hasSizeLessThan(blocks);
      Files.writeString(filling.resolve("4711.tmp"), "cut off");
      cluster.hdfs().restartDataNode(stopped, true);
      cluster.hdfs().waitActive();
      CacheCluster.await(() -> assertThat(filling.resolve("4711.tmp")).doesNotExist());
      assertThat(cluster.read("/in/f")).isEqualTo(bytes);
      cluster.warm("/in/f", bytes);
      assertThat(cluster.corruptReplicas()).isZero();
    }
  }

  @Test
  void aNewNameNodeLearnsWhatIsCached() throws Exception {
    byte[] bytes = bytes(3, 3 * BLOCK + 1);
    try (CacheCluster cluster = CacheCluster.start(folder, CacheCluster.conf(), 1, "64m")) {
      cluster.write("/in/f", bytes);
      cluster.warm("/in/f", bytes);
      long before = cluster.status(0).getMasterEpoch();
      cluster.hdfs().restartNameNode(true);
      CacheCluster.await(
          () ->
              assertThat(CommandTest.run(cluster, "-datasets"))
                  .contains("/in: 4 of 4 blocks (complete)"));
      assertThat(cluster.status(0).getMasterEpoch()).isGreaterThan(before);
      long misses = cluster.misses();
      assertThat(cluster.read("/in/f")).isEqualTo(bytes);
      assertThat(cluster.misses()).isEqualTo(misses);
    }
  }

  @Test
  void afterAFailOverAndBackTheCacheIsStillWarm() throws Exception {
    byte[] bytes = bytes(4, 3 * BLOCK);
    try (CacheCluster cluster = CacheCluster.startPair(folder, CacheCluster.conf(), 1, "64m")) {
      cluster.write("/in/f", bytes);
      cluster.warm("/in/f", bytes);
      long epoch = cluster.status(0).getMasterEpoch();
      for (int to : new int[] {1, 0}) {
        cluster.hdfs().transitionToStandby(1 - to);
        cluster.hdfs().transitionToActive(to);
        cluster.hdfs().waitActive(to);
        CacheCluster.await(
            () ->
                assertThat(CommandTest.run(cluster, "-datasets"))
                    .contains("/in: 3 of 3 blocks (complete)"));
        assertThat(cluster.status(0).getMasterEpoch()).isGreaterThan(epoch);
        epoch = cluster.status(0).getMasterEpoch();
        long misses = cluster.misses();
        assertThat(cluster.read("/in/f")).isEqualTo(bytes);
        assertThat(cluster.misses()).isEqualTo(misses);
        String after = "/after" + to + "/f";
        cluster.write(after, bytes);
        cluster.warm(after, bytes);
      }
    }
  }
}
