// SPDX-License-Identifier: Apache-2.0
/**
 * Where the SSD cache stands before a DataNode's reads. Upstream casts a DataNode's data set to a
 * class of this package and keeps what it is made of package-private, so {@code CachedReadDataset}
 * extends it here and does nothing but ask {@code org.mammoth.hdfs.replicas.ReadCache} first.
 *
 * <p>Called by all threads of the DataNode. It adds no lock to upstream's; a cache that fails is a
 * miss.
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;
