// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.dataset;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.CachedReadDataset;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetFactory;
import org.apache.hadoop.util.VersionInfo;
import org.mammoth.config.UnknownKeys;
import org.mammoth.hdfs.slave.Slave;
import org.mammoth.mpcache.config.MpCacheKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code dfs.datanode.fsdataset.factory}: the stock data set, with the cache's slave before it if
 * the cache is switched on and has a directory. Otherwise nothing of the cache exists, no thread
 * and no object; also if its configuration is wrong, or this Hadoop's data set is not the one that
 * ours extends, which is logged.
 */
public final class CachingDatasetFactory extends FsDatasetSpi.Factory<FsDatasetSpi<?>> {

  private static final Logger LOG = LoggerFactory.getLogger(CachingDatasetFactory.class);

  @Override
  public FsDatasetSpi<?> newInstance(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    UnknownKeys.tell(conf, LOG::warn);
    if (!wanted(conf)) {
      return new FsDatasetFactory().newInstance(datanode, storage, conf);
    }
    return new CachedReadDataset(
        datanode,
        storage,
        conf,
        replicas -> {
          try {
            return Slave.start(datanode, conf, replicas);
          } catch (IllegalArgumentException e) {
            LOG.error("The SSD cache stays off: {}", e.getMessage());
            return null;
          }
        });
  }

  private static boolean wanted(Configuration conf) {
    try {
      if (!MpCacheKeys.ENABLED.get(conf) || MpCacheKeys.DIRS.get(conf).isEmpty()) {
        return false;
      }
      if (!fits(FsDatasetSpi.class)) {
        LOG.error(
            "The SSD cache stays off: it needs Hadoop 3.4.0 or later on the DataNode, and this is {}",
            VersionInfo.getVersion());
        return false;
      }
      return true;
    } catch (IllegalArgumentException e) {
      LOG.error("The SSD cache stays off: {}", e.getMessage());
      return false;
    }
  }

  /** Whether upstream's data set has the locks that the cached one takes, since Hadoop 3.4.0. */
  static boolean fits(Class<?> upstreams) {
    return Arrays.stream(upstreams.getMethods())
        .anyMatch(method -> method.getName().equals("acquireDatasetLockManager"));
  }
}
