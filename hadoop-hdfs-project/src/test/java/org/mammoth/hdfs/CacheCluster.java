// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.CachedReadDataset;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.awaitility.Awaitility;
import org.mammoth.hdfs.dataset.CachingDatasetFactory;
import org.mammoth.hdfs.master.NameNodePlugin;
import org.mammoth.hdfs.slave.Slave;
import org.mammoth.hdfs.slave.SlaveMXBean;

/** A small HDFS with the cache, each DataNode with an SSD directory of its own. */
public final class CacheCluster implements AutoCloseable {

  public static final int BLOCK = 256 << 10;

  private final Path folder;
  private final MiniDFSCluster cluster;
  private final boolean pair;

  private CacheCluster(Path folder, MiniDFSCluster cluster, boolean pair) {
    this.folder = folder;
    this.cluster = cluster;
    this.pair = pair;
  }

  /**
   * A free port below those that the system gives to clients, and to whoever asks for any: it stays
   * free until the NameNode takes it.
   */
  static int freePort() {
    Random random = new Random();
    while (true) {
      try (ServerSocket free = new ServerSocket(10_000 + random.nextInt(10_000))) {
        return free.getLocalPort();
      } catch (IOException e) {
        // taken; there are others
      }
    }
  }

  /** What every cluster of these tests has set; the cache is on and has no directory. */
  public static Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 512);
    conf.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 5);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.retries", 12);
    conf.setClass(
        DFSConfigKeys.DFS_DATANODE_FSDATASET_FACTORY_KEY,
        CachingDatasetFactory.class,
        org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.Factory.class);
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, NameNodePlugin.class.getName());
    conf.set(
        DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY, "default,org.mammoth.hdfs.master.JobInputs");
    conf.setBoolean("mammoth.mpcache.enabled", true);
    conf.setInt("mammoth.mpcache.heartbeat-ms", 50);
    conf.setInt("mammoth.mpcache.data-sets.refresh-s", 0);
    conf.setInt("mammoth.mpcache.fill.bandwidth-mb", 0);
    conf.setInt("mammoth.mpcache.pool.block-mb", 1);
    conf.setInt("mammoth.mpcache.master.port", freePort());
    return conf;
  }

  /** Starts one NameNode and some DataNodes with {@code ssd} of SSD each, such as "64m". */
  public static CacheCluster start(Path folder, Configuration conf, int datanodes, String ssd)
      throws IOException {
    CacheCluster single = start(folder, conf, datanodes, ssd, null, false);
    single.cluster.waitActive();
    return single;
  }

  /** Starts two NameNodes, each of a nameservice of its own; the first is cached. */
  public static CacheCluster startFederation(
      Path folder, Configuration conf, int datanodes, String ssd) throws IOException {
    conf.setInt("mammoth.mpcache.master.port.ns2", freePort());
    MiniDFSNNTopology topology = MiniDFSNNTopology.simpleFederatedTopology(2);
    CacheCluster federation = start(folder, conf, datanodes, ssd, topology, false);
    federation.cluster.waitActive();
    return federation;
  }

  /** Starts a pair of NameNodes, the first of them active. */
  public static CacheCluster startPair(Path folder, Configuration conf, int datanodes, String ssd)
      throws IOException {
    for (String node : List.of("nn1", "nn2")) {
      conf.setInt("mammoth.mpcache.master.port.minidfs-ns." + node, freePort());
    }
    CacheCluster pair =
        start(folder, conf, datanodes, ssd, MiniDFSNNTopology.simpleHATopology(), true);
    pair.cluster.transitionToActive(0);
    pair.cluster.waitActive(0);
    return pair;
  }

  private static CacheCluster start(
      Path folder,
      Configuration conf,
      int datanodes,
      String ssd,
      MiniDFSNNTopology topology,
      boolean pair)
      throws IOException {
    Configuration[] overlays = new Configuration[datanodes];
    for (int i = 0; i < datanodes; i++) {
      overlays[i] = new Configuration(false);
      if (ssd != null) {
        overlays[i].set("mammoth.mpcache.dirs", folder.resolve("ssd" + i) + "=" + ssd);
      }
    }
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(datanodes)
            .dataNodeConfOverlays(overlays);
    return new CacheCluster(folder, builder.nnTopology(topology).build(), pair);
  }

  public MiniDFSCluster hdfs() {
    return cluster;
  }

  /**
   * The number of the NameNode whose blocks are cached; of a federation, that of the first name.
   */
  public int cachedNameNode() {
    return IntStream.range(0, cluster.getNumNameNodes())
        .filter(
            i -> "ns1".equals(cluster.getConfiguration(i).get(DFSConfigKeys.DFS_NAMESERVICE_ID)))
        .findFirst()
        .orElse(0);
  }

  public DistributedFileSystem fs() throws IOException {
    if (!pair) {
      return cluster.getFileSystem(cachedNameNode());
    }
    try {
      return HATestUtil.configureFailoverFs(cluster, cluster.getConfiguration(0));
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  public Path ssd(int datanode) {
    return folder.resolve("ssd" + datanode);
  }

  public Slave slave(int datanode) {
    CachedReadDataset dataset =
        (CachedReadDataset) cluster.getDataNodes().get(datanode).getFSDataset();
    assertThat(dataset).as("of a DataNode that has heard of a NameNode").isNotNull();
    return (Slave) dataset.cache();
  }

  public SlaveMXBean status(int datanode) {
    return slave(datanode).status();
  }

  /** Bytes that follow from a seed. */
  public static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  public void write(String file, byte[] bytes) throws IOException {
    try (FSDataOutputStream out = fs().create(new org.apache.hadoop.fs.Path(file), true)) {
      out.write(bytes);
    }
  }

  public byte[] read(String file) throws IOException {
    try (FSDataInputStream in = fs().open(new org.apache.hadoop.fs.Path(file))) {
      return in.readAllBytes();
    }
  }

  /** Waits until so many copies are there and nothing is on its way. */
  public void awaitCopies(int datanode, int copies) {
    await(
        () ->
            assertThat(status(datanode).getCopies())
                .as(() -> "copies; fills: " + status(datanode).getFills())
                .isEqualTo(copies));
  }

  public static void await(Runnable check) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(check::run);
  }

  /** Reads a file until all its blocks come from SSD. */
  public void warm(String file, byte[] expected) {
    await(
        () -> {
          try {
            long misses = misses();
            assertThat(read(file)).isEqualTo(expected);
            assertThat(misses()).as("misses").isEqualTo(misses);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  public long hits() {
    long hits = 0;
    for (int i = 0; i < cluster.getDataNodes().size(); i++) {
      hits += status(i).getHits();
    }
    return hits;
  }

  public long misses() {
    long misses = 0;
    for (int i = 0; i < cluster.getDataNodes().size(); i++) {
      misses += status(i).getMisses();
    }
    return misses;
  }

  /** Files of published copies of a DataNode. */
  public List<Path> copies(int datanode) throws IOException {
    Path blocks = ssd(datanode).resolve("blocks");
    if (!Files.isDirectory(blocks)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(blocks)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  public long corruptReplicas() {
    return cluster.getNamesystem().getBlockManager().getCorruptReplicaBlocksCount();
  }

  @Override
  public void close() {
    cluster.shutdown();
  }
}
