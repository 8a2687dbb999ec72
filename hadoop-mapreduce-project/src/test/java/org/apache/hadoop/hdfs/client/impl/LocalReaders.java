// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.client.impl;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplica;

/** Upstream's readers of blocks past the DataNode, which upstream shows nobody. */
public final class LocalReaders {

  private LocalReaders() {}

  /** One of all of a block. */
  public static BlockReader open(ShortCircuitReplica replica, ExtendedBlock block) {
    return new BlockReaderLocal.Builder(
            new DfsClientConf(new Configuration(false)).getShortCircuitConf())
        .setFilename("file")
        .setBlock(block)
        .setShortCircuitReplica(replica)
        .setCachingStrategy(CachingStrategy.newDefaultStrategy())
        .setVerifyChecksum(true)
        .setStorageType(StorageType.DISK)
        .build();
  }
}
