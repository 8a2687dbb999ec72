// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mammoth.hdfs.CacheCluster.BLOCK;
import static org.mammoth.hdfs.CacheCluster.bytes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import javax.management.ObjectName;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.hdfs.rpc.MasterAddresses;
import org.mammoth.hdfs.rpc.MasterProxies;
import org.mammoth.hdfs.rpc.SlaveProtocol;
import org.mammoth.hdfs.rpc.WireReply;
import org.mammoth.hdfs.rpc.WireReport;
import org.mammoth.hdfs.tool.CommandRunner;
import org.mammoth.mpcache.slave.SlaveReport;
import org.mammoth.mpcache.space.SpaceReport;
import org.mammoth.mpcache.space.SpaceShares;

/** {@code hdfs mpcache} and JMX, on a cluster of two DataNodes. */
class CommandTest {

  @TempDir static Path folder;
  private static CacheCluster cluster;
  private final ObjectMapper json = new ObjectMapper();

  @BeforeAll
  static void start() throws Exception {
    var conf = CacheCluster.conf();
    conf.set("mammoth.mpcache.data-sets", "/table");
    conf.set("mammoth.mpcache.exclude", "/never");
    cluster = CacheCluster.start(folder, conf, 2, "64m");
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** What a command that succeeds prints. */
  static String run(CacheCluster cluster, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        CommandRunner.run(
            cluster.hdfs().getConfiguration(0), args, new PrintWriter(out), new PrintWriter(err));
    assertThat(status).as(err::toString).isZero();
    return out.toString();
  }

  private static String refused(String user, String... args) throws Exception {
    return UserGroupInformation.createUserForTesting(user, new String[] {"people"})
        .doAs(
            (PrivilegedExceptionAction<String>)
                () -> {
                  StringWriter err = new StringWriter();
                  int status =
                      CommandRunner.run(
                          cluster.hdfs().getConfiguration(0),
                          args,
                          new PrintWriter(new StringWriter()),
                          new PrintWriter(err));
                  assertThat(status).isEqualTo(1);
                  return err.toString();
                });
  }

  private static String runAs(String user, String... args) throws Exception {
    return UserGroupInformation.createUserForTesting(user, new String[] {"people"})
        .doAs((PrivilegedExceptionAction<String>) () -> run(cluster, args));
  }

  @Test
  void warmingSpreadsATableAndEvictingTakesItOut() throws Exception {
    // What a master has not heard of yet it cannot evict; another test makes it begin anew.
    CacheCluster.await(
        () -> {
          run(cluster, "-evict", "/");
          assertThat(cluster.status(0).getCopies() + cluster.status(1).getCopies()).isZero();
        });
    byte[] bytes = bytes(1, 3 * BLOCK);
    cluster.write("/table/day=1/f", bytes);
    cluster.write("/table/day=2/f", bytes);
    JsonNode warmed = json.readTree(run(cluster, "-warm", "/table", "-json"));
    assertThat(warmed.path("blocks").asInt()).isEqualTo(6);
    assertThat(warmed.path("blocksWithoutSlave").asInt()).isZero();
    CacheCluster.await(
        () -> assertThat(run(cluster, "-datasets")).contains("/table: 6 of 6 blocks (complete)"));
    CacheCluster.await(
        () ->
            assertThat(cluster.status(0).getCopies() + cluster.status(1).getCopies()).isEqualTo(6));
    long misses = cluster.misses();
    assertThat(cluster.read("/table/day=2/f")).isEqualTo(bytes);
    assertThat(cluster.misses()).isEqualTo(misses);
    assertThat(json.readTree(run(cluster, "-evict", "/table", "-json")).path("copies").asInt())
        .isEqualTo(6);
    // The read before may be reported after, and is then a new one.
    CacheCluster.await(
        () -> {
          run(cluster, "-evict", "/table");
          assertThat(cluster.status(0).getCopies() + cluster.status(1).getCopies()).isZero();
        });
    assertThat(cluster.read("/table/day=1/f")).isEqualTo(bytes);
  }

  @Test
  void anExcludedPathStaysOut() throws Exception {
    byte[] bytes = bytes(2, 1_000);
    cluster.write("/never/f", bytes);
    run(cluster, "-warm", "/never");
    assertThat(cluster.read("/never/f")).isEqualTo(bytes);
    CacheCluster.await(() -> assertThat(run(cluster, "-report", "-json")).contains("\"EXCLUDED\""));
    assertThat(run(cluster, "-datasets")).doesNotContain("/never");
  }

  @Test
  void usersSeeWhatTheyMayReadAndChangeNothing() throws Exception {
    byte[] bytes = bytes(3, 1_000);
    cluster.write("/open/f", bytes);
    cluster.write("/closed/f", bytes);
    cluster
        .fs()
        .setPermission(new org.apache.hadoop.fs.Path("/closed"), new FsPermission((short) 0700));
    cluster.warm("/open/f", bytes);
    cluster.warm("/closed/f", bytes);
    assertThat(run(cluster, "-datasets")).contains("/open:", "/closed:");
    assertThat(runAs("alice", "-datasets")).contains("/open:").doesNotContain("/closed");
    assertThat(runAs("alice", "-report")).contains("policy mpcache");
    assertThat(refused("alice", "-evict", "/open")).contains("alice may not evict");
    assertThat(refused("alice", "-warm", "/open")).contains("alice may not have files cached");
    assertThat(refused("alice", "-pin", "/open")).contains("alice may not pin");
    assertThat(run(cluster, "-trace")).contains("recorded\t/open\t1\t1000\t0", "\t/closed\t");
    assertThat(runAs("alice", "-trace")).contains("\t/open\t").doesNotContain("/closed");
    assertThat(run(cluster, "-pin", "/open")).contains("/open is pinned; 1 data sets changed");
    assertThat(run(cluster, "-datasets")).containsPattern("/open: .*, pinned");
    assertThat(run(cluster, "-unpin", "/open")).contains("/open is not pinned; 1 data");
  }

  @Test
  void theReportHasEachSlaveAndJmxHasTheReport() throws Exception {
    CacheCluster.await(
        () -> {
          try {
            assertThat(json.readTree(run(cluster, "-report", "-json")).path("slaves"))
                .hasSizeGreaterThanOrEqualTo(2);
          } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(e);
          }
        });
    assertThat(run(cluster, "-policy")).contains("mammoth.mpcache.policy = mpcache");
    var beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName master = new ObjectName("Hadoop:service=NameNode,name=MpCacheMaster");
    assertThat(beans.getAttribute(master, "Active")).isEqualTo(true);
    assertThat(json.readTree((String) beans.getAttribute(master, "Report")).path("policy").asText())
        .isEqualTo("mpcache");
    assertThat((double) beans.getAttribute(master, "LockMeanMicros")).isPositive();
    ObjectName slave = new ObjectName("Hadoop:service=DataNode,name=MpCacheSlave");
    assertThat(beans.getAttribute(slave, "MasterEpoch")).isNotEqualTo(Long.MIN_VALUE);
  }

  private static WireReply reports(long seenEpoch) throws Exception {
    var conf = cluster.hdfs().getConfiguration(0);
    SlaveProtocol master =
        MasterProxies.open(SlaveProtocol.class, MasterAddresses.of(conf).get(0), conf, 10_000);
    SpaceReport space = new SpaceReport(new SpaceShares(0, 0, 0, 1), 0, 0, 0, 0, 0);
    try {
      return master.report(
          new WireReport(
              seenEpoch,
              new SlaveReport("stranger:1", 1, space, List.of(), List.of(), List.of(), 0)));
    } finally {
      RPC.stopProxy(master);
    }
  }

  @Test
  void onlyDataNodesReport() throws Exception {
    UserGroupInformation alice =
        UserGroupInformation.createUserForTesting("alice", new String[] {"people"});
    assertThatThrownBy(
            () -> alice.doAs((PrivilegedExceptionAction<WireReply>) () -> reports(Long.MIN_VALUE)))
        .hasMessageContaining("alice is no DataNode of this cluster");
  }

  @Test
  void aMasterOlderThanOneASlaveHasHeardOfBeginsAnew() throws Exception {
    byte[] bytes = bytes(4, 2 * BLOCK);
    cluster.write("/anew/f", bytes);
    cluster.warm("/anew/f", bytes);
    long younger = reports(Long.MIN_VALUE).reply().epoch() + 1_000;
    assertThat(reports(younger).reply().epoch()).isGreaterThan(younger);
    CacheCluster.await(() -> assertThat(cluster.status(0).getMasterEpoch()).isGreaterThan(younger));
    CacheCluster.await(
        () -> assertThat(run(cluster, "-datasets")).contains("/anew: 2 of 2 blocks (complete)"));
  }

  @Test
  void whatDoesNotExistCannotBeWarmed() throws Exception {
    StringWriter err = new StringWriter();
    int status =
        CommandRunner.run(
            cluster.hdfs().getConfiguration(0),
            new String[] {"-warm", "/absent"},
            new PrintWriter(new StringWriter()),
            new PrintWriter(err));
    assertThat(status).isEqualTo(1);
    assertThat(err.toString()).contains("there is no /absent");
  }

  @Test
  void aTraceIsSimulatedWithoutACluster() throws Exception {
    Path trace = folder.resolve("trace");
    Files.writeString(trace, "grep\t/in\t10\t67108864\t0\n".repeat(3));
    assertThat(run(cluster, "-simulate", trace.toString(), "-cache", "5", "-policy", "LRU"))
        .contains("lru\t5.0\t3\t0.667");
    JsonNode rows =
        json.readTree(run(cluster, "-simulate", trace.toString(), "-cache", "5", "-json"));
    assertThat(rows).hasSize(4);
    assertThat(rows.get(0).path("hitRate").asDouble()).isEqualTo(0.667);
  }
}
