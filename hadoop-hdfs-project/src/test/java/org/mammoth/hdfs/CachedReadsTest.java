package org.mammoth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.hdfs.CacheCluster.BLOCK;
import static org.mammoth.hdfs.CacheCluster.bytes;

import java.nio.file.Path;
import java.util.Arrays;
import org.apache.hadoop.fs.FSDataInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real files on a real HDFS of one DataNode. */
class CachedReadsTest {

  @TempDir static Path folder;
  private static CacheCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = CacheCluster.start(folder, CacheCluster.conf(), 1, "256m");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void theSecondReadComesFromSsd() throws Exception {
    byte[] bytes = bytes(1, 5 * BLOCK + 777);
    cluster.write("/a/f", bytes);
    long served = cluster.status(0).getServedBytes();
    assertThat(cluster.read("/a/f")).isEqualTo(bytes);
    assertThat(cluster.status(0).getServedBytes()).as("first read").isEqualTo(served);
    cluster.awaitCopies(0, cluster.status(0).getCopies());
    cluster.warm("/a/f", bytes);
    long hits = cluster.hits();
    long before = cluster.status(0).getServedBytes();
    assertThat(cluster.read("/a/f")).isEqualTo(bytes);
    assertThat(cluster.hits() - hits).isEqualTo(6);
    assertThat(cluster.status(0).getServedBytes() - before).isEqualTo(bytes.length);
  }

  @Test
  void readsFromTheMiddleAreServedToo() throws Exception {
    byte[] bytes = bytes(2, 2 * BLOCK + 1000);
    cluster.write("/b/f", bytes);
    cluster.warm("/b/f", bytes);
    try (FSDataInputStream in = cluster.fs().open(new org.apache.hadoop.fs.Path("/b/f"))) {
      for (int[] range : new int[][] {{0, 1}, {511, 2}, {513, 70_000}, {BLOCK - 3, 9}}) {
        byte[] got = new byte[range[1]];
        in.readFully(range[0], got);
        assertThat(got).isEqualTo(Arrays.copyOfRange(bytes, range[0], range[0] + range[1]));
      }
      byte[] tail = new byte[999];
      in.readFully(bytes.length - 999, tail);
      assertThat(tail).isEqualTo(Arrays.copyOfRange(bytes, bytes.length - 999, bytes.length));
    }
  }
}
