// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mammoth.hdfs.CacheCluster.BLOCK;
import static org.mammoth.hdfs.CacheCluster.bytes;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.hdfs.rpc.AdminProtocol;
import org.mammoth.hdfs.rpc.MasterAddresses;
import org.mammoth.hdfs.rpc.MasterProxies;
import org.mammoth.hdfs.rpc.SlaveProtocol;
import org.mammoth.hdfs.tool.CommandRunner;

/**
 * A cluster with Kerberos, block tokens and encrypted calls: slaves, master and people have to
 * prove who they are. Both daemons are in this JVM, which has one login, so they have one
 * principal; what the master takes for a DataNode's is another one.
 */
class SecureTest {

  @TempDir static Path folder;
  private static MiniKdc kdc;
  private static CacheCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    kdc = new MiniKdc(MiniKdc.createConf(), Files.createDirectory(folder.resolve("kdc")).toFile());
    kdc.start();
    File daemons = keytab("daemons");
    kdc.createPrincipal(daemons, "hdfs/localhost", "HTTP/localhost");
    Configuration conf = CacheCluster.conf();
    conf.set("hadoop.security.authentication", "kerberos");
    conf.setBoolean("hadoop.security.authorization", true);
    conf.set("security.mammoth.mpcache.admin.protocol.acl", "alice,hdfs");
    conf.set("hadoop.rpc.protection", "privacy");
    conf.set("hadoop.security.auth_to_local", "RULE:[2:$1](.*)\nDEFAULT");
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.set("dfs.data.transfer.protection", "integrity");
    conf.setBoolean("ignore.secure.ports.for.testing", true);
    conf.set("dfs.web.authentication.kerberos.principal", principal("HTTP/localhost"));
    conf.set("dfs.namenode.kerberos.principal", principal("hdfs/_HOST"));
    conf.set("dfs.datanode.kerberos.principal", principal("hdfs/localhost"));
    for (String daemon : List.of("namenode", "datanode")) {
      conf.set("dfs." + daemon + ".keytab.file", daemons.getPath());
    }
    UserGroupInformation.setConfiguration(conf);
    cluster = CacheCluster.start(folder, conf, 1, "64m");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
    kdc.stop();
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }

  private static File keytab(String owner) {
    return folder.resolve(owner + ".keytab").toFile();
  }

  private static String principal(String name) {
    return name + "@" + kdc.getRealm();
  }

  /** Logs somebody in beside the daemons. */
  private static UserGroupInformation login(String name) throws Exception {
    File keytab = keytab(name.replace('/', '-'));
    if (!keytab.exists()) {
      kdc.createPrincipal(keytab, name);
    }
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal(name), keytab.getPath());
  }

  private static Configuration conf() {
    return cluster.hdfs().getConfiguration(0);
  }

  /** What somebody's command prints, on either stream, after its status. */
  private static String command(UserGroupInformation user, String... args) throws Exception {
    return user.doAs(
        (PrivilegedExceptionAction<String>)
            () -> {
              StringWriter out = new StringWriter();
              PrintWriter printer = new PrintWriter(out);
              return CommandRunner.run(conf(), args, printer, printer) + " " + out;
            });
  }

  private static <T> T master(Class<T> protocol, CacheCluster of, UserGroupInformation user)
      throws Exception {
    Configuration conf = of.hdfs().getConfiguration(0);
    InetSocketAddress address = MasterAddresses.of(conf).get(0);
    return user.doAs(
        (PrivilegedExceptionAction<T>) () -> MasterProxies.open(protocol, address, conf, 10_000));
  }

  @Test
  void whatIsReadIsCachedAndServed() throws Exception {
    byte[] bytes = bytes(1, 2 * BLOCK + 5);
    cluster.write("/secure/f", bytes);
    cluster.warm("/secure/f", bytes);
    assertThat(cluster.status(0).getCopies()).isGreaterThanOrEqualTo(3);
    assertThat(cluster.corruptReplicas()).isZero();
  }

  @Test
  void peopleSeeWhatTheyMayReadAndOnlyAdministratorsChange() throws Exception {
    byte[] bytes = bytes(2, 5_000);
    for (String file : List.of("/open/f", "/closed/f")) {
      cluster.write(file, bytes);
      cluster.warm(file, bytes);
    }
    cluster
        .fs()
        .setPermission(
            new org.apache.hadoop.fs.Path("/closed"), FsPermission.valueOf("-rwx------"));
    UserGroupInformation alice = login("alice");
    assertThat(command(UserGroupInformation.getLoginUser(), "-datasets"))
        .startsWith("0 ")
        .contains("/open", "/closed");
    assertThat(command(alice, "-datasets"))
        .startsWith("0 ")
        .contains("/open")
        .doesNotContain("/closed");
    assertThat(command(alice, "-evict", "/open")).startsWith("1 ").contains("alice", "may not");
    assertThat(command(login("bob"), "-report")).startsWith("1 ").contains("bob", "not authorized");
    assertThat(command(UserGroupInformation.getLoginUser(), "-evict", "/open")).startsWith("0 ");
  }

  @Test
  void whoHasNoTicketIsNotHeard() throws Exception {
    AdminProtocol master =
        master(AdminProtocol.class, cluster, UserGroupInformation.createRemoteUser("hdfs"));
    try {
      assertThatThrownBy(master::report)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("authenticate via:[KERBEROS]");
    } finally {
      RPC.stopProxy(master);
    }
  }

  /** NameNodes alone, whose DataNodes have a principal that is no administrator's. */
  @Test
  void nobodyButDataNodesIsASlave() throws Exception {
    try (CacheCluster lonely = nameNodeAlone("by-protocol", true)) {
      assertThat(makeRoom(lonely, "dn/localhost")).isEmpty();
      assertThat(makeRoom(lonely, "dn/elsewhere")).contains("dn/elsewhere", "not authorized");
      assertThat(makeRoom(lonely, "alice")).contains("alice", "not authorized");
    }
    try (CacheCluster lonely = nameNodeAlone("by-itself", false)) {
      assertThat(makeRoom(lonely, "dn/localhost")).isEmpty();
      assertThat(makeRoom(lonely, "dn/elsewhere")).contains("dn/elsewhere", "is no DataNode");
      assertThat(makeRoom(lonely, "alice")).contains("alice", "is no DataNode");
    }
  }

  /**
   * @param authorized whether calls are checked by hadoop-policy.xml before the master looks
   */
  private static CacheCluster nameNodeAlone(String name, boolean authorized) throws IOException {
    Configuration own = new Configuration(conf());
    own.unset("hdfs.minidfs.basedir");
    own.set("dfs.datanode.kerberos.principal", principal("dn/_HOST"));
    own.setInt("mammoth.mpcache.master.port", CacheCluster.freePort());
    own.setBoolean("hadoop.security.authorization", authorized);
    return CacheCluster.start(folder.resolve(name), own, 0, null);
  }

  /** Asks as a slave does; why that is refused, or nothing. */
  private static String makeRoom(CacheCluster of, String name) throws Exception {
    SlaveProtocol master = master(SlaveProtocol.class, of, login(name));
    try {
      master.makeRoom("pretended", 1);
      return "";
    } catch (IOException e) {
      return e.getMessage();
    } finally {
      RPC.stopProxy(master);
    }
  }
}
