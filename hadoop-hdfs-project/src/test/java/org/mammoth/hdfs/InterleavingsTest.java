// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * File operations in random order, beside readers that check every byte. {@code
 * -Dmammoth.interleavings=200} is the long form, {@code -Dmammoth.seed} repeats a run's operations;
 * Maven hands both on in {@code -Dtest.heap="1g -Dmammoth.interleavings=200"}.
 */
class InterleavingsTest {

  private static final int READERS = 3;

  @TempDir Path folder;

  @Test
  void neverAWrongByteNeverAGoodReplicaBlamed() throws Exception {
    int operations = Integer.getInteger("mammoth.interleavings", 20);
    long seed = Long.getLong("mammoth.seed", System.nanoTime());
    System.out.println("interleavings: mammoth.seed=" + seed);
    var conf = CacheCluster.conf();
    conf.setInt("dfs.client.retry.window.base", 50);
    try (CacheCluster cluster = CacheCluster.start(folder, conf, 2, "8m")) {
      CheckedFiles files = new CheckedFiles(cluster, seed);
      files.begin(6);
      try (Readers readers = new Readers(cluster, files, READERS, seed)) {
        for (int i = 0; i < operations; i++) {
          files.operate();
          readers.await(5);
        }
        readers.check();
      }
      files.checkAll();
      assertThat(cluster.corruptReplicas()).as("seed %d", seed).isZero();
      assertThat(cluster.hits()).as("seed %d", seed).isPositive();
      System.out.println(
          "interleavings: "
              + files.counts()
              + ", hits "
              + cluster.hits()
              + " of "
              + (cluster.hits() + cluster.misses()));
    }
  }
}
