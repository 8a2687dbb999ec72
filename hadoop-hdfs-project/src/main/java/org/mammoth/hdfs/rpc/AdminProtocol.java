// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.rpc;

import java.io.IOException;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.KerberosInfo;

/**
 * What people ask of the cache's master; answers are JSON objects. Whoever may use the file system
 * may look, and sees the data sets he may read; only administrators of HDFS change anything.
 *
 * <p>Throws {@link org.apache.hadoop.ipc.StandbyException} where the NameNode is not active.
 */
@KerberosInfo(serverPrincipal = DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY)
public interface AdminProtocol {

  /** Version of this interface. */
  long versionID = 1L;

  /** Totals and each slave's space. */
  Text report() throws IOException;

  /** The cached data sets the caller may read, the largest first. */
  Text dataSets() throws IOException;

  /** The replacement policy and its settings. */
  Text policy() throws IOException;

  /**
   * Evicts the data sets at and below a path.
   *
   * @throws org.apache.hadoop.security.AccessControlException unless the caller is an administrator
   */
  Text evict(String path) throws IOException;

  /**
   * Has the files at and below a path cached, as far as the admission control lets them.
   *
   * @throws org.apache.hadoop.security.AccessControlException unless the caller is an administrator
   * @throws java.io.FileNotFoundException if there is no such path
   */
  Text warm(String path) throws IOException;

  /**
   * Pins the data sets at and below a path, so that they are always admitted and never displaced,
   * or takes such a pin back; until this NameNode is restarted or fails over. {@code
   * mammoth.mpcache.pin} does so for good.
   *
   * @return {@code sets} whose state changed, and {@code pinned} as the path is now: a pin of the
   *     configuration stays
   * @throws org.apache.hadoop.security.AccessControlException unless the caller is an administrator
   */
  Text pin(String path, boolean on) throws IOException;

  /**
   * The last reads of whole data sets the caller may read, at most 2000, the oldest first: {@code
   * rounds} with {@code path}, {@code blocks}, {@code blockBytes}.
   */
  Text trace() throws IOException;
}
