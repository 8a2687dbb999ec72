// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.io.nativeio.NativeIO.POSIX.CacheManipulator;
import org.apache.hadoop.io.nativeio.NativeIO.POSIX.NoMlockCacheManipulator;
import org.apache.hadoop.util.NativeCodeLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an administrator has HDFS keep in the memory of its DataNodes is read from there. Upstream's
 * TestEnhancedByteBufferAccess found it read from SSD; worse, clients compare no checksums of what
 * they read by a descriptor of such a block.
 */
@Timeout(90)
@EnabledIf("locksMemory")
class PinnedInMemoryTest {

  private static final String FILE = "/pinned";

  @TempDir private Path folder;

  private final CacheManipulator before = NativeIO.POSIX.getCacheManipulator();

  /** Only with Hadoop's native library, which {@code -Djava.library.path} names. */
  static boolean locksMemory() {
    return NativeCodeLoader.isNativeCodeLoaded();
  }

  @BeforeEach
  void allowWithoutLimit() {
    NativeIO.POSIX.setCacheManipulator(new NoMlockCacheManipulator());
  }

  @AfterEach
  void restore() {
    NativeIO.POSIX.setCacheManipulator(before);
  }

  private static boolean pinned(CacheCluster cluster) {
    return cluster.hdfs().getDataNodes().get(0).getFSDataset().getNumBlocksCached() > 0;
  }

  private static void assertReadFromReplica(CacheCluster cluster, byte[] bytes) {
    try {
      long hits = cluster.hits();
      for (int time = 0; time < 5; time++) {
        assertThat(cluster.read(FILE)).isEqualTo(bytes);
      }
      assertThat(cluster.hits()).isEqualTo(hits);
      assertThat(cluster.status(0).getCopies()).isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void isReadFromMemoryAndFromSsdBeforeAndAfter() throws Exception {
    Configuration conf = CacheCluster.conf();
    conf.setLong("dfs.datanode.max.locked.memory", 16L << 20);
    conf.setLong("dfs.cachereport.intervalMsec", 100);
    conf.setLong("dfs.namenode.path.based.cache.refresh.interval.ms", 100);
    try (CacheCluster cluster = CacheCluster.start(folder, conf, 1, "64m")) {
      byte[] bytes = CacheCluster.bytes(7, 2 * CacheCluster.BLOCK + 100);
      cluster.write(FILE, bytes);
      cluster.warm(FILE, bytes);
      cluster.awaitCopies(0, 3);

      DistributedFileSystem fs = cluster.fs();
      fs.addCachePool(new CachePoolInfo("pool"));
      long directive =
          fs.addCacheDirective(
              new CacheDirectiveInfo.Builder()
                  .setPath(new org.apache.hadoop.fs.Path(FILE))
                  .setPool("pool")
                  .build());
      CacheCluster.await(() -> assertThat(pinned(cluster)).isTrue());
      CacheCluster.await(() -> assertReadFromReplica(cluster, bytes));

      fs.removeCacheDirective(directive);
      CacheCluster.await(() -> assertThat(pinned(cluster)).isFalse());
      cluster.warm(FILE, bytes);
      cluster.awaitCopies(0, 3);
    }
  }
}
