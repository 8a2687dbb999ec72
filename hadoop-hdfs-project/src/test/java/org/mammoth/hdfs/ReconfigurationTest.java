// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.hdfs.CacheCluster.BLOCK;
import static org.mammoth.hdfs.CacheCluster.bytes;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurableBase;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hdfs dfsadmin -reconfig}, as an administrator gives it after he changed the file. */
class ReconfigurationTest {

  private static final String SITE = "mpcache-reconfiguration-test.xml";
  private static final String MOVES = "dfs.datanode.balance.max.concurrent.moves";

  @TempDir static Path folder;
  private static Path site;
  private static CacheCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    site = Path.of(ReconfigurationTest.class.getResource("/").toURI()).resolve(SITE);
    Files.deleteIfExists(site);
    // The daemons' configuration file here, after HDFS's defaults; that there is none yet is no
    // error.
    HdfsConfiguration.init();
    Configuration.addDefaultResource(SITE);
    cluster = CacheCluster.start(folder, CacheCluster.conf(), 1, "64m");
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
    Files.deleteIfExists(site);
  }

  private static DataNode datanode() {
    return cluster.hdfs().getDataNodes().get(0);
  }

  /** Writes the daemon's file anew and has it read; the exit code of the command. */
  private static int reconfigure(
      String type, String address, ReconfigurableBase daemon, Map<String, String> changes)
      throws Exception {
    Configuration file = new Configuration(daemon.getConf());
    changes.forEach(file::set);
    try (OutputStream out = Files.newOutputStream(site)) {
      file.writeXml(out);
    }
    try {
      int status =
          ToolRunner.run(
              new DFSAdmin(cluster.hdfs().getConfiguration(0)),
              new String[] {"-reconfig", type, address, "start"});
      if (status == 0) {
        CacheCluster.await(
            () -> assertThat(daemon.getReconfigurationTaskStatus().stopped()).isTrue());
      }
      return status;
    } finally {
      Files.delete(site);
    }
  }

  private static void datanode(Map<String, String> changes) throws Exception {
    String address = datanode().getDatanodeId().getIpcAddr(false);
    assertThat(reconfigure("datanode", address, datanode(), changes)).isZero();
  }

  private static int namenode(Map<String, String> changes) throws Exception {
    NameNode namenode = cluster.hdfs().getNameNode();
    return reconfigure("namenode", namenode.getNameNodeAddressHostPortString(), namenode, changes);
  }

  @Test
  void aDataNodeTakesUpItsSharesGuardAndBandwidth() throws Exception {
    assertThat(cluster.status(0).getLastReconfiguration()).isEmpty();
    datanode(
        Map.of(
            "mammoth.mpcache.share.input",
            "0.25",
            "mammoth.mpcache.share.localized",
            "0.5",
            "mammoth.mpcache.guard",
            "0.9",
            "mammoth.mpcache.fill.bandwidth-mb",
            "3",
            "mammoth.mpcache.heartbeat-ms",
            "51",
            MOVES,
            "7"));
    assertThat(cluster.status(0).getLastReconfiguration())
        .contains("mammoth.mpcache.guard from its default to '0.9'")
        .endsWith("not taken up by this daemon at run time: mammoth.mpcache.heartbeat-ms");
    assertThat(cluster.status(0).getGuard()).isEqualTo(0.9);
    assertThat(cluster.status(0).getFillBytesPerSecond()).isEqualTo(3 << 20);
    assertThat(cluster.status(0).getSpace())
        .containsEntry("localizedCapacity", 32L << 20)
        .containsEntry("pool", 16L << 20);
    assertThat(datanode().getConf().get(MOVES)).as("upstream's own").isEqualTo("7");
    CacheCluster.await(
        () -> assertThat(CommandTest.run(cluster, "-report")).contains("localized 0 of 32 MiB"));
    for (Map<String, String> wrong :
        List.of(
            Map.of("mammoth.mpcache.guard", "0.1", "mammoth.mpcache.share.input", "0.9"),
            Map.of("mammoth.mpcache.guard", "0.1", "mammoth.mpcache.fill.threads", "0"))) {
      datanode(wrong);
      assertThat(cluster.status(0).getLastReconfiguration())
          .startsWith("refused, nothing of the SSD cache was changed: mammoth.mpcache.");
      assertThat(cluster.status(0).getGuard()).isEqualTo(0.9);
      assertThat(datanode().getConf().get("mammoth.mpcache.guard")).isEqualTo("0.9");
    }
    datanode(Map.of("mammoth.mpcache.guard", "0.4", "mammoth.mpcache.fill.bandwidth-mb", "0"));
    assertThat(cluster.status(0).getGuard()).isEqualTo(0.4);
    assertThat(cluster.status(0).getFillBytesPerSecond()).isZero();
  }

  @Test
  void aNameNodeTakesUpThePolicyAndTheRules() throws Exception {
    byte[] bytes = bytes(1, BLOCK + 5);
    cluster.write("/a/f", bytes);
    cluster.write("/b/f", bytes);
    cluster.warm("/a/f", bytes);
    cluster.warm("/b/f", bytes);
    String rules = "mammoth.mpcache.exclude";
    assertThat(
            namenode(
                Map.of("mammoth.mpcache.policy", "lru", rules, "/b", "mammoth.mpcache.pin", "/a")))
        .isZero();
    CacheCluster.await(
        () -> assertThat(CommandTest.run(cluster, "-datasets")).contains("/b: not cached"));
    cluster.awaitCopies(0, 2);
    assertThat(CommandTest.run(cluster, "-datasets"))
        .containsPattern("/a: 2 of 2 blocks .complete..* read [1-9][0-9]* times.*, pinned")
        .containsPattern("/b: not cached, read [1-9]");
    assertThat(CommandTest.run(cluster, "-policy")).startsWith("lru");
    assertThat(cluster.read("/b/f")).isEqualTo(bytes);
    cluster.warm("/a/f", bytes);
    assertThat(namenode(Map.of("mammoth.mpcache.policy", "fifo", rules, ""))).isZero();
    assertThat(last()).startsWith("refused").contains("mammoth.mpcache.policy is 'fifo'");
    assertThat(namenode(Map.of(rules, "relative"))).isZero();
    assertThat(last()).startsWith("refused").contains("mammoth.mpcache.exclude is 'relative'");
    int refused =
        UserGroupInformation.createUserForTesting("alice", new String[] {"people"})
            .doAs(
                (PrivilegedExceptionAction<Integer>)
                    () -> namenode(Map.of("mammoth.mpcache.policy", "lfu")));
    assertThat(refused).isNotZero();
    assertThat(CommandTest.run(cluster, "-policy")).startsWith("lru");
    assertThat(namenode(Map.of("mammoth.mpcache.policy", "mpcache", rules, ""))).isZero();
    assertThat(CommandTest.run(cluster, "-policy")).startsWith("mpcache");
    cluster.warm("/b/f", bytes);
    assertThat(CommandTest.run(cluster, "-datasets")).contains("/a: 2 of 2 blocks");
  }

  private static String last() throws Exception {
    return (String)
        ManagementFactory.getPlatformMBeanServer()
            .getAttribute(
                new ObjectName("Hadoop:service=NameNode,name=MpCacheMaster"),
                "LastReconfiguration");
  }
}
