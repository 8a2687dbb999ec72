// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.rpc;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.net.NetUtils;
import org.mammoth.mpcache.config.MpCacheKeys;

/**
 * Where the masters of a nameservice listen: on the hosts of its NameNodes, at {@code
 * mammoth.mpcache.master.port}. With several nameservices (federation) only the first is cached.
 */
public final class MasterAddresses {

  private MasterAddresses() {}

  /**
   * The masters of the first nameservice; empty if the configuration names no NameNode.
   *
   * @throws IllegalArgumentException if a port is wrong
   */
  public static List<InetSocketAddress> of(Configuration conf) {
    Map<String, Map<String, InetSocketAddress>> services;
    try {
      services = DFSUtil.getNNServiceRpcAddressesForCluster(conf);
    } catch (IOException e) {
      return List.of();
    }
    List<InetSocketAddress> addresses = new ArrayList<>();
    services.entrySet().stream()
        .findFirst()
        .ifPresent(
            service ->
                service
                    .getValue()
                    .forEach(
                        (node, address) ->
                            addresses.add(
                                NetUtils.createSocketAddrForHost(
                                    address.getHostString(), port(conf, service.getKey(), node)))));
    return addresses;
  }

  /**
   * The port of one NameNode's master: the key with its nameservice and id, with its nameservice,
   * or plain.
   */
  public static int port(Configuration conf, String service, String node) {
    return MpCacheKeys.MASTER_PORT.get(conf, service, node).intValue();
  }
}
