// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.master;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.hadoop.util.ServicePlugin;
import org.mammoth.api.Beans;
import org.mammoth.api.timing.Lasting;
import org.mammoth.config.UnknownKeys;
import org.mammoth.hdfs.rpc.AdminProtocol;
import org.mammoth.hdfs.rpc.MasterAddresses;
import org.mammoth.hdfs.rpc.MasterPolicyProvider;
import org.mammoth.hdfs.rpc.SlaveProtocol;
import org.mammoth.hdfs.settings.Reconfiguration;
import org.mammoth.mpcache.config.MpCacheKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code dfs.namenode.plugins}: the master of the SSD cache inside a NameNode, with an RPC port of
 * its own. With the cache switched off it does nothing. It runs on a standby too, and declines
 * there.
 *
 * <p>Whatever goes wrong here is logged; the NameNode goes on without a cache.
 */
public final class NameNodePlugin implements ServicePlugin {

  private static final Logger LOG = LoggerFactory.getLogger(NameNodePlugin.class);
  private static final int HANDLERS = 8;
  private static final String ALL_INTERFACES = "0.0.0.0";

  private RPC.Server server;
  private ScheduledExecutorService timer;
  private ObjectName bean;
  private ActiveMaster master;

  /** Instantiated by the NameNode. */
  public NameNodePlugin() {}

  @Override
  public void start(Object service) {
    NameNode nameNode = (NameNode) service;
    Configuration conf = nameNode.getConf();
    UnknownKeys.tell(conf, LOG::warn);
    try {
      if (MpCacheKeys.ENABLED.get(conf)) {
        start(nameNode, conf);
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.error("The SSD cache has no master on this NameNode: {}", e.getMessage(), e);
      stop();
    }
  }

  private void start(NameNode nameNode, Configuration conf) throws IOException {
    String nameservice = conf.get(DFSConfigKeys.DFS_NAMESERVICE_ID);
    String node = HAUtil.getNameNodeId(conf, nameservice);
    NamespaceBlocks blocks = new NamespaceBlocks(nameNode.getNamesystem(), inputs(nameNode), conf);
    master = new ActiveMaster(nameNode, conf, blocks, System::nanoTime);
    Callers callers = new Callers(nameNode, conf);
    server =
        new RPC.Builder(conf)
            .setProtocol(SlaveProtocol.class)
            .setInstance(new SlaveService(master, blocks, callers))
            .setBindAddress(bindHost(nameNode, conf))
            .setPort(MasterAddresses.port(conf, nameservice, node))
            .setNumHandlers(HANDLERS)
            .build();
    server.addProtocol(
        org.apache.hadoop.ipc.RPC.RpcKind.RPC_WRITABLE,
        AdminProtocol.class,
        new AdminService(master, new Warmer(nameNode, master), callers, conf));
    if (conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false)) {
      server.refreshServiceAcl(conf, new MasterPolicyProvider());
    }
    server.start();
    timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "mpcache-slaves");
              thread.setDaemon(true);
              return thread;
            });
    long timeout = MpCacheKeys.SLAVE_TIMEOUT_S.get(conf);
    ActiveMaster looksAfter = master;
    timer.scheduleWithFixedDelay(
        new Lasting(
            "Looking for silent slaves",
            () -> looksAfter.forgetSilent(TimeUnit.SECONDS.toNanos(timeout))),
        1,
        1,
        TimeUnit.SECONDS);
    Reconfiguration reconfiguration =
        new Reconfiguration(MpCacheKeys.changeableIn(MpCacheKeys.NAME_NODE), master::reconfigure);
    bean =
        MBeans.register(
            "NameNode", Beans.CACHE_MASTER, new MasterBean(master, blocks, reconfiguration::last));
    nameNode.setReconfigurationUtil(reconfiguration);
    LOG.info("The master of the SSD cache listens on {}", server.getListenerAddress());
  }

  /** Slaves come to the host of the service address, which may be on another network. */
  private static String bindHost(NameNode nameNode, Configuration conf) {
    String clients = nameNode.getNameNodeAddress().getHostString();
    InetSocketAddress service = nameNode.getServiceRpcAddress();
    return service == null || service.getHostString().equals(clients)
        ? conf.getTrimmed(DFSConfigKeys.DFS_NAMENODE_RPC_BIND_HOST_KEY, clients)
        : ALL_INTERFACES;
  }

  /** What audits this NameNode's calls for us; one that knows nothing if it is not configured. */
  private static JobInputs inputs(NameNode nameNode) {
    for (AuditLogger logger : nameNode.getNamesystem().getAuditLoggers()) {
      if (logger instanceof JobInputs found) {
        return found;
      }
    }
    LOG.info(
        "Data sets are directories, as {} does not name {}",
        DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY,
        JobInputs.class.getName());
    return new JobInputs();
  }

  /** The master in here; null while it is switched off. */
  ActiveMaster master() {
    return master;
  }

  @Override
  public void stop() {
    if (server != null) {
      server.stop();
    }
    if (timer != null) {
      timer.shutdownNow();
    }
    if (bean != null) {
      MBeans.unregister(bean);
      bean = null;
    }
  }

  @Override
  public void close() {
    stop();
  }
}
