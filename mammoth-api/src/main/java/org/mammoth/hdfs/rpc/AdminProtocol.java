// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.rpc;

import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.KerberosInfo;
import org.mammoth.api.status.CacheAnswers;
import org.mammoth.api.status.CacheDataSets;
import org.mammoth.api.status.CacheReport;
import org.mammoth.api.status.CacheTrace;

/**
 * What people ask of the cache's master; answers are JSON objects. Whoever may use the file system
 * may look, and sees the data sets he may read; only administrators of HDFS change anything.
 *
 * <p>Throws {@link org.apache.hadoop.ipc.StandbyException} where the NameNode is not active. Of its
 * name see {@link org.mammoth.mapreduce.protocol.NodeAdminProtocol}.
 */
@KerberosInfo(serverPrincipal = "dfs.namenode.kerberos.principal")
public interface AdminProtocol {

  /** Version of this interface. */
  long versionID = 1L;

  /** {@link CacheReport}. */
  Text report() throws IOException;

  /** {@link CacheDataSets}. */
  Text dataSets() throws IOException;

  /** The replacement policy and its settings. */
  Text policy() throws IOException;

  /**
   * Evicts the data sets at and below a path.
   *
   * @return {@link CacheAnswers.Evicted}
   * @throws org.apache.hadoop.security.AccessControlException unless the caller is an administrator
   */
  Text evict(String path) throws IOException;

  /**
   * Has the files at and below a path cached, as far as the admission control lets them.
   *
   * @return {@link CacheAnswers.Warmed}
   * @throws org.apache.hadoop.security.AccessControlException unless the caller is an administrator
   * @throws java.io.FileNotFoundException if there is no such path
   */
  Text warm(String path) throws IOException;

  /**
   * Pins the data sets at and below a path, so that they are always admitted and never displaced,
   * or takes such a pin back; until this NameNode is restarted or fails over. {@code
   * mammoth.mpcache.pin} does so for good.
   *
   * @return {@link CacheAnswers.Pinned}: a pin of the configuration stays
   * @throws org.apache.hadoop.security.AccessControlException unless the caller is an administrator
   */
  Text pin(String path, boolean on) throws IOException;

  /** {@link CacheTrace}, at most 2000 reads. */
  Text trace() throws IOException;
}
