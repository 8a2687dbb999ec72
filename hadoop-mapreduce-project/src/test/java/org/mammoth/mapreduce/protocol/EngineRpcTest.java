// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.mapreduce.engine.EngineServer;

/** The engine's RPC as strangers and as its supervisor meet it. */
class EngineRpcTest {

  /** Longer than the texts that Hadoop's RPC cuts off. */
  private static final int LONG_TEXT = 300_000;

  /** Answers every poll with one ended container. */
  private static final class Answering implements EngineProtocol {
    private volatile double part = 1;
    private volatile String ended;
    private volatile UserLaunch sent;

    @Override
    public String launch(ContainerLaunchSpec spec) {
      return "declined " + spec.containerId();
    }

    @Override
    public String launchAsUser(ContainerLaunchSpec spec, UserLaunch launch) {
      sent = launch;
      return "as user declined " + spec.containerId();
    }

    @Override
    public boolean withdraw(String containerId) {
      return containerId.equals("c2");
    }

    @Override
    public void jobEnded(String job) {
      ended = job;
    }

    @Override
    public Text profile(int seconds) {
      return new Text("{}");
    }

    @Override
    public long dropCached(String path) {
      return path.length();
    }

    @Override
    public boolean signal(String containerId, int signal) {
      return signal == 15;
    }

    @Override
    public EngineReport poll(String[] acknowledged, long waitMs) {
      return new EngineReport(
          List.of(new ContainerExit("c1", EndKind.NEEDS_PROCESS, -100, "why")),
          List.of("c2"),
          "draining",
          "{}");
    }

    @Override
    public Text snapshot() {
      return new Text("s".repeat(LONG_TEXT));
    }

    @Override
    public Text decisions(long from, int atMost) {
      return new Text(from + " " + atMost);
    }

    @Override
    public void limitPool(double part) {
      this.part = part;
    }

    @Override
    public void drain(String reason) {
      throw new IllegalStateException("not asked for");
    }
  }

  @TempDir Path homes;

  private final Answering answering = new Answering();
  private EngineHome home;
  private Server server;

  @BeforeEach
  void start() throws IOException {
    home = EngineHome.create(homes, "engine-alice-1", "alice");
    server = EngineServer.start(new Configuration(), home, answering);
  }

  @AfterEach
  void stop() {
    server.stop();
  }

  private EngineProtocol connect(byte[] secret) throws IOException, InterruptedException {
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", server.getPort());
    UserGroupInformation caller = UserGroupInformation.createRemoteUser("somebody");
    if (secret != null) {
      Token<EngineTokenIdentifier> token =
          new Token<>(new EngineTokenIdentifier(home.engineId()), new EngineSecretManager(secret));
      SecurityUtil.setTokenService(token, address);
      caller.addToken(token);
    }
    return caller.doAs(
        (PrivilegedExceptionAction<EngineProtocol>)
            () ->
                RPC.getProxy(
                    EngineProtocol.class, EngineProtocol.versionID, address, new Configuration()));
  }

  @Test
  void itsSupervisorIsServed() throws Exception {
    EngineProtocol engine = connect(home.secret());
    EngineReport report = engine.poll(new String[] {"c0"}, 10);
    assertThat(report.exits())
        .containsExactly(new ContainerExit("c1", EndKind.NEEDS_PROCESS, -100, "why"));
    assertThat(report.running()).containsExactly("c2");
    assertThat(report.drainReason()).isEqualTo("draining");
    assertThat(engine.signal("c2", 15)).isTrue();
    assertThat(engine.withdraw("c2")).isTrue();
    assertThat(engine.withdraw("c3")).isFalse();
    engine.jobEnded("job_1_0001");
    assertThat(answering.ended).isEqualTo("job_1_0001");
    assertThat(engine.snapshot().getLength()).isEqualTo(LONG_TEXT);
    assertThat(engine.decisions(-1, 7)).hasToString("-1 7");
    ContainerLaunchSpec spec = new ContainerLaunchSpec().withIdentity("c9", "alice", 1);
    engine.limitPool(0.25);
    assertThat(answering.part).isEqualTo(0.25);
    assertThat(engine.launch(spec)).isEqualTo("declined c9");
    UserLaunch more =
        new UserLaunch(
            Map.of("/jobs/ü.xml", List.of("job.xml")),
            List.of("/l1", "/l2"),
            List.of("java x"),
            new byte[] {1, -1},
            new byte[] {2, -2, 3});
    assertThat(engine.launchAsUser(spec, more)).isEqualTo("as user declined c9");
    assertThat(answering.sent).usingRecursiveComparison().isEqualTo(more);
    RPC.stopProxy(engine);
  }

  @Test
  void whoHasNoTokenIsRefused() throws Exception {
    EngineProtocol engine = connect(null);
    assertThatThrownBy(() -> engine.poll(new String[0], 0)).isInstanceOf(IOException.class);
    RPC.stopProxy(engine);
  }

  @Test
  void whoHasAnotherEnginesSecretIsRefused() throws Exception {
    EngineHome other = EngineHome.create(homes, "engine-bob-1", "bob");
    EngineProtocol engine = connect(other.secret());
    assertThatThrownBy(() -> engine.poll(new String[0], 0))
        .isInstanceOf(RemoteException.class)
        .hasMessageContaining("digest");
    RPC.stopProxy(engine);
  }

  @Test
  void theHomeIsPrivate() throws Exception {
    assertThat(Files.getPosixFilePermissions(home.folder()))
        .allMatch(permission -> permission.name().startsWith("OWNER"));
    assertThat(Files.getPosixFilePermissions(home.folder().resolve("secret")))
        .allMatch(permission -> permission.name().startsWith("OWNER"));
    assertThat(home.user()).isEqualTo("alice");
    home.publish(new EngineHome.Address(7, 8, 9));
    assertThat(home.address()).contains(new EngineHome.Address(7, 8, 9));
    home.delete();
    assertThat(home.folder()).doesNotExist();
  }

  @Test
  void aLaunchSurvivesTheWire() throws Exception {
    ContainerLaunchSpec sent =
        new ContainerLaunchSpec()
            .withIdentity("c1", "alice", 1024)
            .withHeap(820)
            .withFolders("/work", "/logs", List.of("/d1", "/d2"))
            .withFiles("/job.xml", "/tokens")
            .withProgram(List.of("a", "ü"), List.of("/x.jar"), "WARN")
            .withEnvironment(Map.of("K", "v=1", "EMPTY", ""));
    ByteArrayOutputStream wire = new ByteArrayOutputStream();
    sent.write(new DataOutputStream(wire));
    ContainerLaunchSpec got = new ContainerLaunchSpec();
    got.readFields(new DataInputStream(new ByteArrayInputStream(wire.toByteArray())));
    assertThat(got).usingRecursiveComparison().isEqualTo(sent);
  }
}
