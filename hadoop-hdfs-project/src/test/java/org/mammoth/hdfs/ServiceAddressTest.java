// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import static org.mammoth.hdfs.CacheCluster.BLOCK;
import static org.mammoth.hdfs.CacheCluster.bytes;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode that listens for DataNodes on another network than for clients. */
class ServiceAddressTest {

  @TempDir Path folder;

  @Test
  void slavesReachTheMasterWhereDataNodesReachTheNameNode() throws Exception {
    Configuration conf = CacheCluster.conf();
    conf.set(
        DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_ADDRESS_KEY, "127.0.0.2:" + CacheCluster.freePort());
    try (CacheCluster cluster = CacheCluster.start(folder, conf, 1, "16m")) {
      byte[] bytes = bytes(1, 2 * BLOCK);
      cluster.write("/in/f", bytes);
      cluster.warm("/in/f", bytes);
      cluster.awaitCopies(0, 2);
    }
  }
}
