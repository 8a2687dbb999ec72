// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.InvalidRequestException;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.mammoth.engine.config.AdminKeys;
import org.mammoth.mapreduce.protocol.NodeAdminProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The port of {@link NodeAdminProtocol}. If it cannot be opened the node goes on without. */
final class NodeAdminServer {

  private static final Logger LOG = LoggerFactory.getLogger(NodeAdminServer.class);
  private static final int HANDLERS = 2;

  /** A key of hadoop-policy.xml: who may use the port at all. */
  private static final String POLICY = "security.mammoth.node.admin.protocol.acl";

  private final RPC.Server server;

  private NodeAdminServer(RPC.Server server) {
    this.server = server;
  }

  static NodeAdminServer start(Configuration conf, NodeAdminProtocol admin) {
    int port = AdminKeys.PORT.get(conf).intValue();
    try {
      RPC.Server server =
          new RPC.Builder(conf)
              .setProtocol(NodeAdminProtocol.class)
              .setInstance(admin)
              .setBindAddress(host(conf))
              .setPort(port)
              .setNumHandlers(HANDLERS)
              .build();
      server.addTerseExceptions(AccessControlException.class, InvalidRequestException.class);
      if (conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false)) {
        server.refreshServiceAcl(conf, new Policy());
      }
      server.start();
      LOG.info("Orders about this node's engines are taken at {}", server.getListenerAddress());
      return new NodeAdminServer(server);
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn(
          "No orders about this node's engines are taken; port {} ({}) cannot be opened: {}",
          port,
          AdminKeys.PORT.name(),
          e.getMessage());
      return new NodeAdminServer(null);
    }
  }

  private static String host(Configuration conf) {
    return new YarnConfiguration(conf)
        .getSocketAddr(
            YarnConfiguration.NM_BIND_HOST,
            YarnConfiguration.NM_ADDRESS,
            YarnConfiguration.DEFAULT_NM_ADDRESS,
            YarnConfiguration.DEFAULT_NM_PORT)
        .getHostString();
  }

  /** Where it listens; 0 if it does not. */
  int port() {
    return server == null ? 0 : server.getListenerAddress().getPort();
  }

  void stop() {
    if (server != null) {
      server.stop();
    }
  }

  private static final class Policy extends PolicyProvider {
    @Override
    public Service[] getServices() {
      return new Service[] {new Service(POLICY, NodeAdminProtocol.class)};
    }
  }
}
