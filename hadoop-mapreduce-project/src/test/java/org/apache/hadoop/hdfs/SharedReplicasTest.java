// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutputStream;
import java.io.FileInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;
import org.apache.hadoop.hdfs.client.impl.LocalReaders;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitCache;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplica;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks of an engine that read one block past the DataNode. */
class SharedReplicasTest {

  private static final int CHUNK = 512;
  private static final int LENGTH = 5 * CHUNK;
  private static final short VERSION = 1;

  @TempDir private Path temp;

  private Path checksums(byte[] block) throws Exception {
    Path file = temp.resolve("block.meta");
    DataChecksum sum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, CHUNK);
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
      out.writeShort(VERSION);
      sum.writeHeader(out);
      ByteBuffer sums = ByteBuffer.allocate(LENGTH / CHUNK * sum.getChecksumSize());
      sum.calculateChunkedSums(ByteBuffer.wrap(block), sums);
      out.write(sums.array());
    }
    return file;
  }

  @Test
  void anInterruptOfOneTaskClosesTheBlockUnderNoOther() throws Exception {
    byte[] bytes = new byte[LENGTH];
    new Random(1).nextBytes(bytes);
    Path data = Files.write(temp.resolve("block"), bytes);
    ExtendedBlock block = new ExtendedBlock("pool", 7, LENGTH, 1);
    try (ShortCircuitCache cache =
            ShortCircuitCache.fromConf(
                new DfsClientConf(new Configuration(false)).getShortCircuitConf());
        FileInputStream in = new FileInputStream(data.toFile());
        FileInputStream sums = new FileInputStream(checksums(bytes).toFile())) {
      ShortCircuitReplica shared =
          new ShortCircuitReplica(
              ExtendedBlockId.fromExtendedBlock(block), in, sums, cache, 0, null);
      BlockReader killed = SharedReplicas.keptOpen(LocalReaders.open(shared, block));
      BlockReader other = SharedReplicas.keptOpen(LocalReaders.open(shared, block));
      byte[] read = new byte[LENGTH];
      Thread.currentThread().interrupt();
      try {
        killed.readFully(read, 0, CHUNK);
      } finally {
        assertThat(Thread.interrupted()).as("it is still told").isTrue();
      }
      other.readFully(read, 0, LENGTH);
      assertThat(read).isEqualTo(bytes);
    }
  }
}
