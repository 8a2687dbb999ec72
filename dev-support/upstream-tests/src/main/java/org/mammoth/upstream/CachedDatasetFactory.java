// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upstream;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.CachedReadDataset;
import org.mammoth.hdfs.slave.Slave;

/**
 * {@code dfs.datanode.fsdataset.factory} of upstream's tests: as the release's, but each DataNode
 * of a JVM has an SSD directory of its own, kept over its restarts, and reads wait for copies.
 */
public final class CachedDatasetFactory extends FsDatasetSpi.Factory<FsDatasetSpi<?>> {

  @Override
  public FsDatasetSpi<?> newInstance(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    Configuration own = MasterOfEachNameNode.withPorts(conf);
    // Its storage tells a DataNode from others, of this cluster and of those before.
    String name = Integer.toHexString(storage.getStorageDir(0).getRoot().hashCode());
    Path ssd = Path.of(System.getProperty("java.io.tmpdir"), "ssd", name);
    own.set("mammoth.mpcache.dirs", ssd + "=256m");
    return new CachedReadDataset(
        datanode,
        storage,
        conf,
        replicas -> new PatientCache(Slave.start(datanode, own, replicas)));
  }
}
