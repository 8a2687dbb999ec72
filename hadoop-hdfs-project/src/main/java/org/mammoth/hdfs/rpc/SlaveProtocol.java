// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.rpc;

import java.io.IOException;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.KerberosInfo;

/**
 * What a DataNode's slave says to the master of a NameNode. Calls may arrive twice.
 *
 * <p>Throws {@link org.apache.hadoop.ipc.StandbyException} where the NameNode is not active, and
 * {@link org.apache.hadoop.security.AccessControlException} for callers that are no DataNode.
 */
@KerberosInfo(
    serverPrincipal = DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY,
    clientPrincipal = DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY)
public interface SlaveProtocol {

  /** Version of this interface. */
  long versionID = 1L;

  /** A heartbeat; the answer holds orders. */
  WireReply report(WireReport report) throws IOException;

  /**
   * Asks for cached input to leave this slave, by the replacement scheme.
   *
   * @param bytes how much, positive
   * @return what to evict, perhaps less
   */
  WireReply makeRoom(String slave, long bytes) throws IOException;
}
