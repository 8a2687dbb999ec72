// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.cluster;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.Cluster;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer;
import org.apache.hadoop.mapreduce.v2.jobhistory.JHAdminConfig;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.applicationhistoryservice.ApplicationHistoryStore;
import org.apache.hadoop.yarn.server.applicationhistoryservice.MemoryApplicationHistoryStore;
import org.apache.hadoop.yarn.server.applicationhistoryservice.records.ApplicationAttemptHistoryData;
import org.apache.hadoop.yarn.server.applicationhistoryservice.records.ContainerHistoryData;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.awaitility.Awaitility;

/**
 * HDFS, YARN and the history server in this JVM, with one node or a few and impatient heartbeats.
 *
 * <p>Containers run what a user's cluster would run: they get this JVM's class path without the
 * tests' own classes.
 */
public final class MiniCluster implements AutoCloseable {
  /** What ApplicationMasters of another version of Hadoop need of the JVM, from a property. */
  private static final String APPMASTER_OPTIONS =
      System.getProperty("mammoth.compat.appmaster.options", "");

  /** Cheap processes: their start is most of what they do here. Means nothing to an engine. */
  private static final String QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  /** What engines get beside their heap; empty lets them compile as a user's engines do. */
  private static final String ENGINE =
      System.getProperty("mammoth.compat.engine.opts", "-XX:TieredStopAtLevel=1");

  /** Memory of the one node, in megabytes; containers count against it by what they ask for. */
  private static final int NODE_MB = 4096;

  private final Path home;
  private final Configuration conf;
  private final MiniDFSCluster hdfs;
  private final ResourceManager resources;
  private final List<NodeManager> nodes = new ArrayList<>();
  private final JobHistoryServer history;

  /**
   * Starts everything and waits until it serves.
   *
   * @param home an empty folder for all data and logs
   * @param executor the NodeManager's container executor
   * @param extra cluster configuration on top
   */
  public MiniCluster(Path home, String executor, Map<String, String> extra)
      throws IOException, InterruptedException {
    this(home, executor, extra, List.of(Map.of()));
  }

  /**
   * Starts everything and waits until it serves.
   *
   * @param home an empty folder for all data and logs
   * @param executor the NodeManagers' container executor
   * @param extra cluster configuration on top
   * @param perNode each node's own configuration on top of that; as many nodes are started
   */
  public MiniCluster(
      Path home, String executor, Map<String, String> extra, List<Map<String, String>> perNode)
      throws IOException, InterruptedException {
    this.home = Files.createDirectories(home);
    // Upstream's daemons are threads of this JVM, some of which end with an exception when they are
    // interrupted, as that of a localizer whose container is killed: no test that waits is to fail.
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
    conf = new YarnConfiguration();
    configure(executor);
    extra.forEach(conf::set);
    hdfs =
        new MiniDFSCluster.Builder(conf, Files.createDirectories(home.resolve("dfs")).toFile())
            .numDataNodes(1)
            .build();
    hdfs.waitActive();
    // Where its DataNode's blocks are, for engines that read them in turns with local files.
    conf.set("dfs.datanode.data.dir", home.resolve("dfs").toString());
    FileSystem fs = hdfs.getFileSystem();
    conf.set(FileSystem.FS_DEFAULT_NAME_KEY, hdfs.getURI().toString());
    for (String open :
        new String[] {
          "/tmp", "/tmp/staging", "/tmp/history", "/tmp/history/pending", "/tmp/logs", "/user"
        }) {
      fs.mkdirs(new org.apache.hadoop.fs.Path(open));
      fs.setPermission(new org.apache.hadoop.fs.Path(open), new FsPermission("1777"));
    }
    // What a container's size is rounded to is static state of YARN, set by whoever asks first.
    ResourceUtils.resetResourceTypes(conf);
    resources = new ResourceManager();
    resources.init(remembering(conf));
    resources.start();
    copyBack(
        resources.getConfig(),
        YarnConfiguration.RM_ADDRESS,
        YarnConfiguration.RM_ADMIN_ADDRESS,
        YarnConfiguration.RM_SCHEDULER_ADDRESS,
        YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
        YarnConfiguration.RM_WEBAPP_ADDRESS);
    // Several daemons of one kind in one JVM.
    DefaultMetricsSystem.setMiniClusterMode(true);
    for (Map<String, String> own : perNode) {
      nodes.add(startNode(own));
    }
    history = new JobHistoryServer();
    history.init(new YarnConfiguration(conf));
    history.start();
    copyBack(
        history.getConfig(),
        JHAdminConfig.MR_HISTORY_ADDRESS,
        JHAdminConfig.MR_HISTORY_WEBAPP_ADDRESS);
  }

  /** The ResourceManager's configuration: it keeps what each application's containers were. */
  private static Configuration remembering(Configuration conf) {
    Configuration own = new YarnConfiguration(conf);
    own.setBoolean(YarnConfiguration.APPLICATION_HISTORY_ENABLED, true);
    own.setClass(
        YarnConfiguration.APPLICATION_HISTORY_STORE,
        MemoryApplicationHistoryStore.class,
        ApplicationHistoryStore.class);
    return own;
  }

  private NodeManager startNode(Map<String, String> own) {
    NodeManager manager = new NodeManager();
    Configuration nodeConf = new YarnConfiguration(conf);
    if (!nodes.isEmpty()) {
      nodeConf.set(
          YarnConfiguration.NM_LOCAL_DIRS, home.resolve("local-" + nodes.size()).toString());
      nodeConf.set(YarnConfiguration.NM_LOG_DIRS, home.resolve("logs-" + nodes.size()).toString());
    }
    nodeConf.setInt(ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY, freePair());
    own.forEach(nodeConf::set);
    manager.init(nodeConf);
    manager.start();
    return manager;
  }

  /** A free port with a free one after it, below those that the system gives to clients. */
  private static int freePair() {
    Random random = new Random();
    while (true) {
      int port = 20_000 + 2 * random.nextInt(5_000);
      try (ServerSocket first = new ServerSocket(port);
          ServerSocket second = new ServerSocket(port + 1)) {
        return first.getLocalPort();
      } catch (IOException e) {
        // taken; there are others
      }
    }
  }

  private void configure(String executor) {
    conf.set(YarnConfiguration.NM_CONTAINER_EXECUTOR, executor);
    conf.set(YarnConfiguration.NM_AUX_SERVICES, ShuffleHandler.MAPREDUCE_SHUFFLE_SERVICEID);
    conf.set(
        String.format(
            YarnConfiguration.NM_AUX_SERVICE_FMT, ShuffleHandler.MAPREDUCE_SHUFFLE_SERVICEID),
        "org.mammoth.mapreduce.nodemanager.MammothShuffleHandler");
    conf.setInt(ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY, 0);
    // The port after the one that each node's stock shuffle got.
    conf.setInt("mammoth.shuffle.port", 0);
    conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.YARN_FRAMEWORK_NAME);
    // Ordinary containers find Hadoop's native library as they do in a release, by this variable.
    conf.set(
        MRJobConfig.MAPRED_ADMIN_USER_ENV,
        "LD_LIBRARY_PATH=" + System.getProperty("java.library.path"));
    conf.set(MRJobConfig.MR_AM_STAGING_DIR, "/tmp/staging");
    conf.set(JHAdminConfig.MR_HISTORY_INTERMEDIATE_DONE_DIR, "/tmp/history/pending");
    conf.set(JHAdminConfig.MR_HISTORY_DONE_DIR, "/tmp/history/done");
    conf.set(JHAdminConfig.MR_HISTORY_ADDRESS, "localhost:0");
    conf.set(JHAdminConfig.MR_HISTORY_WEBAPP_ADDRESS, "localhost:0");
    conf.set(JHAdminConfig.JHS_ADMIN_ADDRESS, "localhost:0");
    // The minicluster's schedule is the node's heartbeat, the ApplicationMaster's and the client's
    // polling.
    conf.setInt(YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, 50);
    conf.setInt(MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS, 100);
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", 100);
    conf.setInt("mapreduce.client.completion.pollinterval", 100);
    conf.setInt(JHAdminConfig.MR_HISTORY_MOVE_INTERVAL_MS, 1000);
    conf.setInt(YarnConfiguration.NM_PMEM_MB, NODE_MB);
    conf.setInt(YarnConfiguration.NM_VCORES, 32);
    conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 128);
    // Makes the daemons write the ports they got back into their configuration.
    conf.setBoolean(YarnConfiguration.IS_MINI_YARN_CLUSTER, true);
    for (String address :
        new String[] {
          YarnConfiguration.RM_ADDRESS,
          YarnConfiguration.RM_ADMIN_ADDRESS,
          YarnConfiguration.RM_SCHEDULER_ADDRESS,
          YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
          YarnConfiguration.RM_WEBAPP_ADDRESS,
          YarnConfiguration.NM_ADDRESS,
          YarnConfiguration.NM_LOCALIZER_ADDRESS,
          YarnConfiguration.NM_COLLECTOR_SERVICE_ADDRESS,
          YarnConfiguration.NM_WEBAPP_ADDRESS
        }) {
      conf.set(address, "localhost:0");
    }
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, home.resolve("local").toString());
    conf.set(YarnConfiguration.NM_LOG_DIRS, home.resolve("logs").toString());
    conf.setBoolean(YarnConfiguration.NM_PMEM_CHECK_ENABLED, false);
    conf.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
    conf.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 99.9f);
    conf.setBoolean(YarnConfiguration.LOG_AGGREGATION_ENABLED, true);
    conf.set(YarnConfiguration.NM_REMOTE_APP_LOG_DIR, "/tmp/logs");
    // Keeps container logs after the job for the tests that look into them.
    conf.setInt(YarnConfiguration.DEBUG_NM_DELETE_DELAY_SEC, 600);
    // Upstream's default is one folder for all clusters of the machine, which start beside each
    // other.
    conf.set(
        YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
        home.resolve("node-attributes").toUri().toString());
    conf.setInt("dfs.replication", 1);
    // Small inputs are to have several splits.
    conf.setLong("dfs.namenode.fs-limits.min-block-size", 512);
    conf.setBoolean("dfs.namenode.edits.noeditlogchannelflush", true);
    conf.set(YarnConfiguration.YARN_APPLICATION_CLASSPATH, containerClassPath());
    conf.set(MRJobConfig.MAPREDUCE_APPLICATION_CLASSPATH, containerClassPath());
    conf.setInt(MRJobConfig.MR_AM_VMEM_MB, 512);
    conf.set(MRJobConfig.MR_AM_COMMAND_OPTS, "-Xmx256m " + QUICK_START + " " + APPMASTER_OPTIONS);
    conf.set("mapred.child.java.opts", QUICK_START);
    conf.setInt(MRJobConfig.MAP_MEMORY_MB, 512);
    // A slow machine would start attempts that are then killed, on one side and not on the other.
    conf.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
    conf.setBoolean(MRJobConfig.REDUCE_SPECULATIVE, false);
    conf.setInt(MRJobConfig.REDUCE_MEMORY_MB, 512);
    // All of the node, so that admission sends nothing to an ordinary container; the heap is for
    // small jobs.
    conf.setInt("mammoth.engine.memory-mb", NODE_MB);
    conf.set("mammoth.engine.java.opts", engineOptions("1200m"));
    // Our own classes, before they are in jars.
    conf.set("mammoth.engine.shared-jars", "**/target/classes");
    // Small enough that random jobs outgrow it: runs, spills and revocations all happen.
    conf.set("mammoth.memory.pool-fraction", "0.02");
    conf.setInt("mammoth.memory.element-queue-mb", 6);
    conf.setBoolean("mammoth.memory.leak-check", true);
    // Where clusters come and go by the minute, processors have other things to do.
    conf.setInt("mammoth.engine.rehearsal.ms", 0);
  }

  /**
   * For {@code mammoth.engine.java.opts}.
   *
   * @param heap its size, as -Xmx takes it
   */
  public static String engineOptions(String heap) {
    return "-Xmx" + heap + " " + ENGINE;
  }

  /** This JVM's class path without what belongs to tests and jobs, in a form that a shell takes. */
  private static String containerClassPath() {
    List<String> parts = new ArrayList<>();
    for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!part.endsWith("test-classes") && !part.contains("hsqldb")) {
        parts.add(part);
      }
    }
    return String.join(",", parts);
  }

  private void copyBack(Configuration from, String... keys) {
    for (String key : keys) {
      conf.set(key, from.get(key));
    }
  }

  /** A copy of what a client of this cluster would have in its configuration folder. */
  public Configuration conf() {
    return new Configuration(conf);
  }

  /** The cluster's file system as the user who runs the tests. */
  public FileSystem fs() throws IOException {
    return FileSystem.get(hdfs.getURI(), conf);
  }

  /** Where the file system is. */
  public URI uri() {
    return hdfs.getURI();
  }

  /** The file system's daemons. */
  public MiniDFSCluster hdfs() {
    return hdfs;
  }

  /** The NodeManager, the first one if there are several. */
  public NodeManager node() {
    return nodes.get(0);
  }

  /** All NodeManagers, in the order of their settings. */
  public List<NodeManager> nodes() {
    return List.copyOf(nodes);
  }

  /** The applications that were submitted with a tag, in the order of their submission. */
  public List<ApplicationId> applications(String tag) {
    return resources.getRMContext().getRMApps().values().stream()
        .filter(app -> app.getApplicationTags().contains(tag))
        .map(RMApp::getApplicationId)
        .sorted()
        .toList();
  }

  /** The counters of an application's job, from the history server if it has ended. */
  public Counters counters(ApplicationId application) throws IOException, InterruptedException {
    Cluster client = new Cluster(conf());
    try {
      return client.getJob(TypeConverter.fromYarn(application)).getCounters();
    } finally {
      client.close();
    }
  }

  /**
   * What containers an application got, without its ApplicationMaster's: priority and size, each
   * once.
   */
  public Set<String> containers(ApplicationId application) throws IOException {
    ApplicationHistoryStore store =
        (ApplicationHistoryStore)
            resources.getRMContext().getRMApplicationHistoryWriter().getServices().get(0);
    Set<String> containers = new TreeSet<>();
    for (ApplicationAttemptHistoryData attempt :
        store.getApplicationAttempts(application).values()) {
      for (ContainerHistoryData each :
          store.getContainers(attempt.getApplicationAttemptId()).values()) {
        if (each.getPriority().getPriority() > 0) {
          containers.add(each.getPriority() + " " + each.getAllocatedResource());
        }
      }
    }
    return containers;
  }

  /** The class path of containers and clients: this JVM's without the tests, as one string. */
  public static String classPath() {
    return containerClassPath().replace(",", File.pathSeparator);
  }

  /** The folder of all local data. */
  public Path home() {
    return home;
  }

  /** The log of all daemons of this JVM. */
  public static Path log() {
    return Path.of(System.getProperty("hadoop.log.dir"), "cluster.log");
  }

  @Override
  public void close() {
    history.stop();
    nodes.forEach(NodeManager::stop);
    resources.stop();
    hdfs.shutdown();
  }
}
