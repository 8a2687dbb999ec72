// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.InvalidRequestException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.api.status.NodeSnapshot;
import org.mammoth.engine.admission.AdmissionLedger;
import org.mammoth.engine.config.AdminKeys;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.cli.MammothCli;
import org.mammoth.mapreduce.disks.SpinningDirs;
import org.mammoth.mapreduce.lifecycle.Pace;
import org.mammoth.mapreduce.nodemanager.sites.EngineLauncher;
import org.mammoth.mapreduce.nodemanager.sites.EngineSizing;
import org.mammoth.mapreduce.nodemanager.sites.ProcessSites;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.protocol.NodeAdminProtocol;
import picocli.CommandLine;

/** Orders over Hadoop's RPC, to supervisors with real engine processes. */
class NodeAdminTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  private final Configuration conf = new Configuration();
  private final Switches switches = new Switches(Clock.systemUTC());
  private final ObjectMapper json = new ObjectMapper();
  private EngineSupervisor tasks;
  private AppMasterHosts appMasters;
  private NodeAdminServer server;

  @BeforeEach
  void start() throws IOException {
    conf.set(EngineKeys.MEMORY_MB.name(), "1000");
    // Our own classes, before they are in jars.
    conf.set(EngineKeys.SHARED_JARS.name(), "**/target/classes");
    conf.set(AdminKeys.ACL.name(), "ada");
    conf.set("yarn.nodemanager.bind-host", "127.0.0.1");
    conf.set("hadoop.proxyuser.console.users", "ada,zoe");
    conf.set("hadoop.proxyuser.console.hosts", "*");
    ProxyUsers.refreshSuperUserGroupsConfiguration(conf);
    tasks = supervisor("engine", EngineHome.TASKS);
    appMasters = new AppMasterHosts(List.of(supervisor("appmaster", EngineHome.APP_MASTERS)));
    serve("");
  }

  private void serve(String cannotRun) throws IOException {
    server =
        NodeAdminServer.start(conf, new NodeAdmin(conf, tasks, appMasters, switches, cannotRun));
    assertThat(server.port()).isPositive();
  }

  @AfterEach
  void stop() {
    server.stop();
    tasks.shutdown();
    appMasters.forEach(EngineSupervisor::shutdown);
    ProxyUsers.refreshSuperUserGroupsConfiguration(new Configuration());
  }

  private EngineSupervisor supervisor(String kind, String role) {
    return new EngineSupervisor(
        kind,
        "1",
        conf,
        new ProcessSites(
            kind,
            role,
            conf,
            new EngineLauncher(conf, () -> SpinningDirs.NONE),
            List.of(folder.resolve("homes"))),
        EngineShares.ofTasks(conf, EngineSizing.UNLIMITED_MB),
        new AdmissionLedger(1000),
        Pace.real());
  }

  /** One order. */
  private interface Order {
    Text give(NodeAdminProtocol node) throws IOException;
  }

  private String as(UserGroupInformation user, Order order) throws Exception {
    return user.doAs(
        (PrivilegedExceptionAction<String>)
            () -> {
              NodeAdminProtocol node =
                  RPC.getProxy(
                      NodeAdminProtocol.class,
                      NodeAdminProtocol.versionID,
                      new InetSocketAddress("127.0.0.1", server.port()),
                      conf);
              try {
                return order.give(node).toString();
              } catch (RemoteException e) {
                throw e.unwrapRemoteException();
              } finally {
                RPC.stopProxy(node);
              }
            });
  }

  private static UserGroupInformation user(String name) {
    return UserGroupInformation.createRemoteUser(name);
  }

  private String engine() {
    return tasks.engines().get(0).engineId();
  }

  private void awaitUp(String engineId) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                tasks.engines().stream()
                    .filter(engine -> engine.engineId().equals(engineId))
                    .anyMatch(engine -> engine.latestReport().statusJson().length() > 2));
  }

  @Test
  void strangersAreRefusedEachOrder() throws Exception {
    UserGroupInformation eve = user("eve");
    for (Order order :
        new Order[] {
          node -> node.drain(""),
          node -> node.recycle(""),
          node -> node.turn(EngineKeys.ENABLED.name(), false),
          node -> node.logs(100)
        }) {
      assertThatThrownBy(() -> as(eve, order))
          .isInstanceOf(AccessControlException.class)
          .hasMessageContaining("eve may not")
          .hasMessageContaining(AdminKeys.ACL.name());
    }
    assertThat(switches.isOn(EngineKeys.ENABLED)).isTrue();
  }

  @Test
  void theCommandTurnsEnginesOffAndOn() {
    String address = "127.0.0.1:" + server.port();
    assertThat(command("switch", "off", "-address", address)).isZero();
    assertThat(switches.isOn(EngineKeys.ENABLED)).isFalse();
    assertThat(command("switch", "on", "-address", address)).isZero();
    assertThat(switches.isOn(EngineKeys.ENABLED)).isTrue();
    server.stop();
    assertThat(command("switch", "off", "-address", address)).isEqualTo(1);
    assertThat(command("switch", "perhaps", "-address", address)).isEqualTo(2);
  }

  private static int command(String... words) {
    return new CommandLine(new MammothCli()).execute(words);
  }

  /** Hadoop looks for a class by the name a protocol has on the wire. */
  @Test
  void whereCallsAreAuthorizedThePolicyFileSaysWhoIsHeardAtAll() throws Exception {
    server.stop();
    conf.setBoolean("hadoop.security.authorization", true);
    conf.set("security.mammoth.node.admin.protocol.acl", "ada,eve");
    serve("");
    assertThat(as(user("ada"), node -> node.drain(""))).isEqualTo("{\"engines\":[]}");
    assertThatThrownBy(() -> as(user("eve"), node -> node.drain("")))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("eve may not");
    assertThatThrownBy(() -> as(user("zoe"), node -> node.drain("")))
        .isInstanceOf(AuthorizationException.class)
        .hasMessageContaining("zoe");
  }

  @Test
  void aConsoleActsForWhomItMayAndIsJudgedByTheirRights() throws Exception {
    UserGroupInformation console = user("console");
    assertThat(as(UserGroupInformation.createProxyUser("ada", console), node -> node.drain("")))
        .isEqualTo("{\"engines\":[]}");
    assertThatThrownBy(
            () ->
                as(UserGroupInformation.createProxyUser("zoe", console), node -> node.recycle("")))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("zoe may not");
    assertThatThrownBy(
            () ->
                as(
                    UserGroupInformation.createProxyUser("ada", user("eve")),
                    node -> node.drain("")))
        .isInstanceOf(AuthorizationException.class)
        .hasMessageContaining("eve is not allowed to impersonate ada");
  }

  @Test
  void anEngineIsRecycledThenDrainedForGood() throws Exception {
    tasks.prepare("alice");
    String first = engine();
    awaitUp(first);
    assertThat(
            json.readTree(as(user("ada"), node -> node.recycle(first))).at("/engines/0").asText())
        .isEqualTo(first);
    await().atMost(PATIENCE).until(() -> tasks.engines().size() == 1 && !engine().equals(first));
    String second = engine();
    awaitUp(second);
    assertThat(as(user("ada"), node -> node.logs(1000))).contains("mammoth-" + second + ".out");
    assertThatThrownBy(() -> as(user("ada"), node -> node.drain(first)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(first);
    as(user("ada"), node -> node.drain(second));
    await().atMost(PATIENCE).until(() -> tasks.engines().isEmpty());
    assertThat(tasks.ended())
        .containsExactly(
            new NodeSnapshot.Ended(first, 0, "recycled by ada"),
            new NodeSnapshot.Ended(second, 0, "drained by ada"));
  }

  /** What runs in an engine is its user's affair, and the administrators'. */
  @Test
  void administratorsProfileAnEngineAndNobodyElse() throws Exception {
    tasks.prepare("alice");
    String engine = engine();
    awaitUp(engine);
    assertThat(as(user("ada"), node -> node.profile(engine, 0))).contains("\"none\"");
    assertThat(as(user("ada"), node -> node.profile(engine, 1))).contains("\"running\"");
    await()
        .atMost(PATIENCE)
        .until(() -> as(user("ada"), node -> node.profile(engine, 0)).contains("\"done\""));
    assertThatThrownBy(() -> as(user("alice"), node -> node.profile(engine, 1)))
        .isInstanceOf(AccessControlException.class);
    assertThatThrownBy(() -> as(user("ada"), node -> node.profile("none", 1)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("none");
    assertThatThrownBy(() -> as(user("ada"), node -> node.profile(engine, 100)))
        .hasMessageContaining("1 to 60 s");
  }

  /** Memory that is freed is nobody's secret, but others' engines are not theirs to slow down. */
  @Test
  void usersReachWhatTheirOwnEnginesKeepAndAdministratorsAll() throws Exception {
    tasks.prepare("alice");
    awaitUp(engine());
    String nothing = "{\"dropped\":{\"" + engine() + "\":0}}";
    assertThat(as(user("alice"), node -> node.dropCached("/"))).isEqualTo(nothing);
    assertThat(as(user("ada"), node -> node.dropCached("/"))).isEqualTo(nothing);
    assertThat(as(user("eve"), node -> node.dropCached("/"))).isEqualTo("{\"dropped\":{}}");
  }

  @Test
  void whatCanBeSwitchedIsAndTheRestSaysWhyNot() throws Exception {
    String key = EngineKeys.WARM_APP_MASTER.name();
    assertThat(as(user("ada"), node -> node.turn(key, false))).contains("\"changed\":true");
    assertThat(as(user("ada"), node -> node.turn(key, false))).contains("\"changed\":false");
    assertThat(switches.isOn(EngineKeys.WARM_APP_MASTER)).isFalse();
    assertThat(switches.isOn(EngineKeys.ENABLED)).isTrue();
    assertThat(switches.reason(EngineKeys.WARM_APP_MASTER)).contains(key, "by ada since");
    as(user("ada"), node -> node.turn(key, true));
    assertThat(switches.isOn(EngineKeys.WARM_APP_MASTER)).isTrue();
    assertThat(reason("mammoth.shuffle.push.enabled")).contains("each job's own configuration");
    assertThat(reason(EngineKeys.HEAP_FRACTION.name())).contains("restart the NodeManager");
    assertThatThrownBy(() -> as(user("ada"), node -> node.turn("no.such.key", false)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining(EngineKeys.ENABLED.name());
  }

  @Test
  void aNodeWithoutEnginesSaysWhyItHasNoneToSwitch() throws Exception {
    server.stop();
    serve("Kerberos is on");
    assertThat(reason(EngineKeys.ENABLED.name())).contains("Kerberos is on");
  }

  private String reason(String key) throws Exception {
    return json.readTree(as(user("ada"), node -> node.turn(key, false))).path("reason").asText();
  }
}
