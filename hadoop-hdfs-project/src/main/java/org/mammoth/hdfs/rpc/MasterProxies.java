// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.rpc;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/** Opens RPC connections to masters, as the user of this process. */
public final class MasterProxies {

  private MasterProxies() {}

  /**
   * Makes a proxy; nothing is sent before the first call.
   *
   * @param timeoutMs after which a call without an answer fails
   */
  public static <T> T open(
      Class<T> protocol, InetSocketAddress address, Configuration base, int timeoutMs)
      throws IOException {
    Configuration conf = new Configuration(base);
    // Whoever asks has another NameNode to ask, or asks again a heartbeat later.
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    conf.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, timeoutMs);
    return RPC.getProxy(
        protocol,
        RPC.getProtocolVersion(protocol),
        address,
        UserGroupInformation.getCurrentUser(),
        conf,
        NetUtils.getDefaultSocketFactory(conf),
        timeoutMs);
  }
}
