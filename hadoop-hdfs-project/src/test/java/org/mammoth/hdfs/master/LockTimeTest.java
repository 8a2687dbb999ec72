// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.hdfs.CacheCluster;
import org.mammoth.mpcache.master.BlockResolver;
import org.mammoth.mpcache.policy.DataSetId;
import org.mammoth.mpcache.slave.AccessEvent;
import org.mammoth.mpcache.slave.BlockKey;

/** What the master takes of the namesystem's lock. */
class LockTimeTest {

  private static final int FILES = 2;
  private static final int BLOCKS = 100;

  @TempDir Path folder;

  @Test
  void looksUpInBatchesAndSaysWhatTheyCost() throws Exception {
    Configuration conf = CacheCluster.conf();
    conf.setLong("dfs.blocksize", 512);
    conf.setInt("dfs.bytes-per-checksum", 512);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 512);
    try (CacheCluster cluster = CacheCluster.start(folder, conf, 1, null)) {
      List<AccessEvent> keys = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        String file = "/a/rather/long/path/of/a/warehouse/table/f" + i;
        cluster.write(file, CacheCluster.bytes(i, BLOCKS * 512));
        for (LocatedBlock located :
            cluster.fs().getClient().getLocatedBlocks(file, 0, BLOCKS * 512L).getLocatedBlocks()) {
          ExtendedBlock block = located.getBlock();
          keys.add(
              new AccessEvent(
                  new BlockKey(
                      block.getBlockPoolId(),
                      block.getBlockId(),
                      block.getGenerationStamp(),
                      block.getNumBytes()),
                  "",
                  false));
        }
      }
      NamespaceBlocks blocks =
          new NamespaceBlocks(
              cluster.hdfs().getNamesystem(), new JobInputs(), new Configuration(conf));
      BlockResolver known = blocks.lookUp(keys);
      assertThat(known.resolve(keys.get(FILES * BLOCKS - 1).key(), ""))
          .contains(
              new BlockResolver.Located(
                  new DataSetId("/a/rather/long/path/of/a/warehouse/table"),
                  FILES * BLOCKS,
                  FILES * BLOCKS * 512L));
      // Warm code is what a NameNode runs.
      for (int i = 0; i < 500; i++) {
        blocks.lookUp(keys);
      }
      long batches = blocks.batches();
      long nanos = blocks.lockedNanos();
      for (int i = 0; i < 200; i++) {
        blocks.lookUp(keys);
      }
      double mean = (double) (blocks.lockedNanos() - nanos) / (blocks.batches() - batches);
      System.out.printf(
          Locale.ROOT,
          "lock time: %.1f µs per batch of %d blocks, the longest of all %.1f µs%n",
          mean / 1_000,
          NamespaceBlocks.BATCH,
          blocks.longestNanos() / 1_000.0);
      // what it prints is a figure, no verdict: machines that run tests are busy
      assertThat(blocks.batches() - batches)
          .isGreaterThanOrEqualTo(
              200L * ((keys.size() + NamespaceBlocks.BATCH - 1) / NamespaceBlocks.BATCH));
      assertThat(mean).isPositive();
    }
  }
}
