// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.hdfs.CacheCluster.bytes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which fills run while somebody reads from the disk, on a real HDFS of one DataNode. */
class FillsBesideReadersTest {

  /** More than the sockets between DataNode and client hold. */
  private static final int LONG = 16 << 20;

  private static final byte[] BYTES = bytes(2, 1_000);

  @TempDir Path folder;

  @Test
  void whatIsReadIsFilledWhileAnotherBlockIsReadAndTheRestWaits() throws Exception {
    try (CacheCluster cluster = start()) {
      try (FSDataInputStream reader = cluster.fs().open(path("/slow"))) {
        assertThat(reader.read()).isNotNegative();
        assertOnlyWhatIsReadIsFilled(cluster);
      }
      awaitCopy(cluster, "/warmed/f");
    }
  }

  @Test
  void whatIsReadIsFilledWhileAnotherBlockIsWrittenAndTheRestWaits() throws Exception {
    try (CacheCluster cluster = start()) {
      try (FSDataOutputStream writer = cluster.fs().create(path("/written"))) {
        writer.write(1);
        writer.hflush();
        assertOnlyWhatIsReadIsFilled(cluster);
      }
      awaitCopy(cluster, "/warmed/f");
    }
  }

  /** A DataNode that has begun anew, so that it knows of no read or write of its files. */
  private CacheCluster start() throws Exception {
    CacheCluster cluster = CacheCluster.start(folder, CacheCluster.conf(), 1, "64m");
    int buffer = 4096;
    try (FSDataOutputStream out =
        cluster.fs().create(path("/slow"), true, buffer, (short) 1, LONG)) {
      out.write(bytes(1, LONG));
    }
    cluster.write("/warmed/f", BYTES);
    cluster.write("/read/f", BYTES);
    cluster.hdfs().restartDataNode(0);
    cluster.hdfs().waitActive();
    return cluster;
  }

  private static org.apache.hadoop.fs.Path path(String file) {
    return new org.apache.hadoop.fs.Path(file);
  }

  private static void assertOnlyWhatIsReadIsFilled(CacheCluster cluster) throws IOException {
    CommandTest.run(cluster, "-warm", "/warmed");
    CacheCluster.await(
        () -> assertThat(cluster.status(0).getFillsWaiting()).isGreaterThanOrEqualTo(1));
    cluster.warm("/read/f", BYTES);
    assertThat(hasCopy(cluster, "/warmed/f")).isFalse();
  }

  private static void awaitCopy(CacheCluster cluster, String file) {
    CacheCluster.await(() -> assertThat(hasCopy(cluster, file)).as("copy of " + file).isTrue());
  }

  private static boolean hasCopy(CacheCluster cluster, String file) {
    try {
      var blocks = cluster.fs().getClient().getLocatedBlocks(file, 0).getLocatedBlocks();
      String copy = "blk_" + blocks.get(0).getBlock().getBlockId() + "_";
      return cluster.copies(0).stream().anyMatch(path -> path.toString().contains("/" + copy));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
