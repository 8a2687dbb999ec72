// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upstream;

import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FsDatasetImplTestUtilsFactory;
import org.apache.hadoop.hdfs.server.datanode.FsDatasetTestUtils;

/**
 * How upstream's tests reach the replicas of a data set; they find this class by the name of the
 * data set's own, {@link CachedDatasetFactory}. Ours are upstream's replicas.
 */
public final class CachedDatasetTestUtilsFactory
    extends FsDatasetTestUtils.Factory<FsDatasetTestUtils> {

  private final FsDatasetImplTestUtilsFactory upstream = new FsDatasetImplTestUtilsFactory();

  @Override
  public FsDatasetTestUtils newInstance(DataNode datanode) {
    return upstream.newInstance(datanode);
  }

  @Override
  public int getDefaultNumOfDataDirs() {
    return upstream.getDefaultNumOfDataDirs();
  }
}
