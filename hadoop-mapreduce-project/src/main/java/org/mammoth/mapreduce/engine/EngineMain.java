package org.mammoth.mapreduce.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.counters.Limits;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.source.JvmMetrics;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.protocol.EngineProtocol;
import org.mammoth.mapreduce.protocol.EngineSecretManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine process of one user on one node: runs each of the user's MapReduce tasks here as
 * threads. Started by the NodeManager's supervisor with its home folder as the only argument.
 */
public final class EngineMain {

  private static final Logger LOG = LoggerFactory.getLogger(EngineMain.class);

  private static final int RPC_HANDLERS = 8;

  private EngineMain() {}

  /** Runs until drained, orphaned or killed. */
  public static void main(String[] args) throws Exception {
    EngineHome home = new EngineHome(Path.of(args[0]));
    EngineLogs.install();
    EngineGuard.install();
    FileSystemStatistics statistics = FileSystemStatistics.install();
    Configuration conf = new YarnConfiguration(new JobConf());
    UserGroupInformation.setConfiguration(conf);
    SecurityUtil.setConfiguration(conf);
    Limits.init(conf);
    ExitUtil.disableSystemExit();
    DefaultMetricsSystem.initialize("MammothEngine");
    JvmMetrics.initSingleton(home.engineId(), "");

    HostedTasks tasks = new HostedTasks(conf, home.engineId(), home.user(), statistics);
    Server server = serve(conf, home, tasks);
    MBeans.register("Engine", "EngineStatus", new EngineStatusBean(tasks));
    home.publish(
        new EngineHome.Address(
            ProcessHandle.current().pid(), server.getListenerAddress().getPort()));
    LOG.info("Engine {} of user {} listens on {}", home.engineId(), home.user(), server);
    warmUp(conf);
    tasks.awaitEnd(() -> Files.isDirectory(home.folder()));
    LOG.info("Engine {} ends", home.engineId());
    server.stop();
    // Threads that ignored their task's end are the reason an engine is drained; they end here.
    Runtime.getRuntime().halt(0);
  }

  private static Server serve(Configuration base, EngineHome home, HostedTasks tasks)
      throws IOException {
    Configuration conf = new Configuration(base);
    // Token only: whoever does not hold the secret is refused, whatever the cluster's setting.
    conf.set(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, "TOKEN");
    conf.setBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, false);
    conf.setBoolean(CommonConfigurationKeysPublic.IPC_SERVER_TCPNODELAY_KEY, true);
    EngineSecretManager secrets = new EngineSecretManager(home.secret());
    Server server =
        new RPC.Builder(conf)
            .setProtocol(EngineProtocol.class)
            .setInstance(new EngineService(tasks))
            .setBindAddress(InetAddress.getLoopbackAddress().getHostAddress())
            .setPort(0)
            .setNumHandlers(RPC_HANDLERS)
            .setSecretManager(secrets)
            .build();
    server.start();
    return server;
  }

  /**
   * Loads what every task needs before the first one does, and lets Hadoop make its shared threads
   * and pools here, outside any task's thread group, where a task's end cannot take them along.
   */
  private static void warmUp(Configuration conf) {
    try {
      FileSystem.getLocal(conf);
      FileSystem.get(conf).getFileStatus(new org.apache.hadoop.fs.Path("/"));
    } catch (IOException | RuntimeException e) {
      LOG.info("No warm-up: {}", e.toString());
    }
  }
}
