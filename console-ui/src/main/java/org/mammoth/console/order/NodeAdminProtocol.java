// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.order;

import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;

/**
 * The console's own declaration of what a NodeManager of Mammoth takes as orders; RPC goes by the
 * protocol's name, which is the class of the one who serves it, and the methods' signatures.
 * Answers are JSON objects.
 */
@ProtocolInfo(
    protocolName = "org.mammoth.mapreduce.protocol.NodeAdminProtocol",
    protocolVersion = 1)
@KerberosInfo(serverPrincipal = "yarn.nodemanager.principal")
interface NodeAdminProtocol {

  /** Gives an engine, or with an empty name all open ones, no more containers. */
  Text drain(String engine) throws IOException;

  /** As drain, with a successor started at once. */
  Text recycle(String engine) throws IOException;

  /** Switches an acceleration off or on until the NodeManager is restarted. */
  Text turn(String key, boolean on) throws IOException;

  /** Begins to sample an engine for so many seconds, or with 0 tells what was sampled. */
  Text profile(String engine, int seconds) throws IOException;

  /** The ends of what running engines print. */
  Text logs(int bytes) throws IOException;
}
