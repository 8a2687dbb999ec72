// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.protocol;

import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.KerberosInfo;
import org.mammoth.api.status.EngineLogs;
import org.mammoth.api.status.OrderAnswer;

/**
 * What administrators order a NodeManager about its engines. Hadoop RPC with the cluster's
 * authentication, at the port the NodeManager's bean {@code
 * Mammoth:service=NodeManager,name=Engines} tells; who calls has to be in {@code
 * mammoth.engine.acl.admin}. Answers are JSON objects.
 *
 * <p>Each call may arrive twice and then has no further effect, but that a second {@link #recycle}
 * replaces the successor as well. Every one but {@link #dropCached} throws {@link
 * org.apache.hadoop.security.AccessControlException} for a caller who is no administrator, and
 * {@link org.apache.hadoop.fs.InvalidRequestException} for a name that is none.
 *
 * <p>The class's name is the protocol's on the wire, and a server with service authorization loads
 * the class by it, so that it keeps the package of the daemon that serves it.
 */
@KerberosInfo(serverPrincipal = "yarn.nodemanager.principal")
public interface NodeAdminProtocol {

  /** Version of this interface. */
  long versionID = 1L;

  /** Longest profile, s. */
  int MOST_PROFILE_SECONDS = 60;

  /**
   * Gives engines no more containers; each ends when those it has have ended. The next task starts
   * another.
   *
   * @param engine its id, or empty for all that are open
   * @return {@link OrderAnswer}
   */
  Text drain(String engine) throws IOException;

  /**
   * As {@link #drain}, with a successor started at once.
   *
   * @param engine its id, or empty for all that are open
   * @return {@link OrderAnswer}
   */
  Text recycle(String engine) throws IOException;

  /**
   * Switches an acceleration of this node off or on, until the NodeManager is restarted. What runs
   * goes on; engines without further use are drained.
   *
   * @param key of its configuration: {@code mammoth.engine.enabled} or {@code
   *     mammoth.appmaster.warm}
   * @return {@link OrderAnswer}
   */
  Text turn(String key, boolean on) throws IOException;

  /**
   * Has engines forget files of HDFS that they keep in memory for jobs to come. HDFS has them as
   * ever. For anybody: who is no administrator reaches the own engines alone.
   *
   * @param path of a file, or of a folder of files
   * @return {@code dropped}: bytes of the files forgotten, by id of the engine
   */
  Text dropCached(String path) throws IOException;

  /**
   * Has an engine sample what its threads run and allocate, or tells what it sampled; returns at
   * once.
   *
   * @param engine its id
   * @param seconds how long, at most {@link #MOST_PROFILE_SECONDS}; 0 begins nothing
   * @return {@code state}: none, running with {@code remainingMs}, or done with {@code startedMs},
   *     {@code seconds}, {@code periodMs}, and by stack {@code cpu} in samples and {@code
   *     allocation} in bytes
   */
  Text profile(String engine, int seconds) throws IOException;

  /**
   * The ends of the files that this node's running engines write their own output to.
   *
   * @param bytes of each at most, bounded by the node
   * @return {@link EngineLogs}
   */
  Text logs(int bytes) throws IOException;
}
