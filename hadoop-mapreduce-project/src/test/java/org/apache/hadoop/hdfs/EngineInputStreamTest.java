// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

class EngineInputStreamTest {

  private static DatanodeInfo node(String name) {
    return new DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("10.0.0.1", name, name, 9866, 9864, 9865, 9867))
        .build();
  }

  /** As the NameNode tells of a block under {@code hdfs cacheadmin}. */
  @Test
  void aBlockIsInMemoryWhereItsDataNodeKeepsIt() {
    DatanodeInfoWithStorage[] nodes = {
      new DatanodeInfoWithStorage(node("a"), "s1", StorageType.DISK),
      new DatanodeInfoWithStorage(node("b"), "s2", StorageType.DISK)
    };
    ExtendedBlock block = new ExtendedBlock("BP-1", 1, 5, 1);
    LocatedBlock kept =
        new LocatedBlock(block, nodes, null, null, 0, false, new DatanodeInfo[] {node("b")});
    assertThat(EngineInputStream.isInMemory(kept, nodes[0])).isFalse();
    assertThat(EngineInputStream.isInMemory(kept, nodes[1])).isTrue();
    LocatedBlock onDisk = new LocatedBlock(block, nodes, null, null, 0, false, null);
    assertThat(EngineInputStream.isInMemory(onDisk, nodes[1])).isFalse();
  }
}
