// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upstream;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.ServicePlugin;
import org.mammoth.hdfs.master.NameNodePlugin;

/**
 * {@code dfs.namenode.plugins} of upstream's tests: the release's, with a port of its own for each
 * NameNode of the JVM. Clusters have several, and some tests leave theirs running.
 */
public final class MasterOfEachNameNode implements ServicePlugin {

  private static final String PORT = "mammoth.mpcache.master.port";

  /** NameNodes, by the address of their RPC server, and their masters' ports. */
  private static final Map<InetSocketAddress, Integer> PORTS = new ConcurrentHashMap<>();

  private final NameNodePlugin release = new NameNodePlugin();

  @Override
  public void start(Object service) {
    NameNode nameNode = (NameNode) service;
    int port = NetUtils.getFreeSocketPort();
    nameNode.getConf().setInt(PORT, port);
    PORTS.put(nameNode.getNameNodeAddress(), port);
    release.start(service);
  }

  /** A DataNode's configuration with the ports of its NameNodes' masters. */
  static Configuration withPorts(Configuration conf) throws IOException {
    Configuration known = new Configuration(conf);
    DFSUtil.getNNServiceRpcAddressesForCluster(conf)
        .forEach(
            (nameservice, nodes) ->
                nodes.forEach(
                    (node, address) -> {
                      Integer port = PORTS.get(address);
                      if (port != null) {
                        known.setInt(DFSUtil.addKeySuffixes(PORT, nameservice, node), port);
                      }
                    }));
    return known;
  }

  @Override
  public void stop() {
    release.stop();
  }

  @Override
  public void close() throws IOException {
    release.close();
  }
}
