// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.order;

import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;

/**
 * The console's own declaration of what the SSD cache's master is asked; see {@link
 * NodeAdminProtocol}.
 */
@ProtocolInfo(protocolName = "org.mammoth.hdfs.rpc.AdminProtocol", protocolVersion = 1)
@KerberosInfo(serverPrincipal = "dfs.namenode.kerberos.principal")
interface CacheAdminProtocol {

  /** The cached data sets the caller may read. */
  Text dataSets() throws IOException;

  /** The last reads of whole data sets the caller may read. */
  Text trace() throws IOException;

  /** Evicts what is at and below a path. */
  Text evict(String path) throws IOException;

  /** Has files at and below a path cached. */
  Text warm(String path) throws IOException;

  /** Pins what is at and below a path, or no longer. */
  Text pin(String path, boolean on) throws IOException;
}
