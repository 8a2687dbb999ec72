// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.mapreduce.engine.EngineServer;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.protocol.EngineProtocol;
import org.mammoth.mapreduce.protocol.EngineReport;

class EngineConnectionTest {

  private static boolean made;

  /** A class that a forged answer names. */
  public static final class Trap extends Text {
    public Trap() {
      made = true;
    }
  }

  @TempDir private Path homes;

  private Server server;
  private EngineProtocol engine;
  private Text snapshot;

  @BeforeEach
  void start() throws Exception {
    EngineHome home = EngineHome.create(homes, "engine-alice-1", "alice");
    EngineProtocol answering =
        (EngineProtocol)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {EngineProtocol.class},
                (self, method, arguments) ->
                    switch (method.getName()) {
                      case "snapshot" -> snapshot;
                      case "launch" -> "declined";
                      case "signal" -> true;
                      case "poll" -> new EngineReport();
                      default -> null;
                    });
    server = EngineServer.start(new Configuration(), home, answering);
    engine =
        EngineConnection.open(
            new Configuration(), home, new EngineHome.Address(1, server.getPort(), 0), 10_000);
  }

  @AfterEach
  void stop() {
    RPC.stopProxy(engine);
    server.stop();
  }

  @Test
  void answersArrive() throws Exception {
    snapshot = new Text("all is well");
    assertThat(engine.snapshot()).isEqualTo(snapshot);
    assertThat(engine.launch(new ContainerLaunchSpec().withIdentity("c", "alice", 1)))
        .isEqualTo("declined");
    assertThat(engine.signal("c", 9)).isTrue();
    assertThat(engine.poll(new String[0], 0).exits()).isEmpty();
    engine.drain("nothing is answered");
  }

  @Test
  void anAnswerCannotHaveAnyClassMade() {
    snapshot = new Trap();
    made = false;
    assertThatThrownBy(() -> engine.snapshot()).isInstanceOf(IOException.class);
    assertThat(made).isFalse();
  }
}
