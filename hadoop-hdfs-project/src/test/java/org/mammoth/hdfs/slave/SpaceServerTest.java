// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.mpcache.slave.LocalSsdFiles;
import org.mammoth.mpcache.slave.LocalizedSpace;
import org.mammoth.mpcache.slave.SsdDirectory;
import org.mammoth.mpcache.space.DynamicSpaceTuner;
import org.mammoth.mpcache.space.SpaceShares;

/** The slave's side of the protocol, spoken to as docs/mpcache.md says. */
class SpaceServerTest {

  @TempDir Path ssd;

  private final DynamicSpaceTuner tuner =
      new DynamicSpaceTuner(new SpaceShares(0, 0, 1_000, 10), 0.5, () -> 0, bytes -> {});

  /** How many of the next connections the process has no descriptor for. */
  private final AtomicInteger failures = new AtomicInteger(2);

  private final List<Long> pauses = new CopyOnWriteArrayList<>();
  private SpaceServer server;

  @BeforeEach
  void start() throws IOException {
    Files.createDirectories(LocalizedSpace.folder(ssd));
    listen();
  }

  private void listen() {
    LocalizedSpace space =
        new LocalizedSpace(tuner, List.of(new SsdDirectory(ssd, 1_000)), new LocalSsdFiles());
    server =
        new SpaceServer(
            space,
            work -> {
              Thread thread = new Thread(work, "room");
              thread.setDaemon(true);
              return thread;
            },
            listener -> {
              if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IOException("Too many open files");
              }
              return listener.accept();
            },
            ms -> pauses.add(ms));
    server.listen(List.of(ssd));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** An engine, as far as the slave can tell. */
  private static final class Engine implements AutoCloseable {
    private final SocketChannel channel;
    private final DataInputStream in;
    private final DataOutputStream out;

    Engine(Path ssd) throws IOException {
      channel = SocketChannel.open(UnixDomainSocketAddress.of(SpaceServer.socket(ssd)));
      in = new DataInputStream(Channels.newInputStream(channel));
      out = new DataOutputStream(Channels.newOutputStream(channel));
    }

    int ask(int request, long bytes, Path folder) throws IOException {
      out.writeByte(request);
      out.writeLong(bytes);
      out.writeUTF(folder.toString());
      return in.read();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  private void awaitUsed(long bytes) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(tuner.report().localizedUsed()).isEqualTo(bytes));
  }

  @Test
  void lendsRoomAndTakesItBack() throws IOException {
    Path folder = LocalizedSpace.folder(ssd);
    try (Engine engine = new Engine(ssd);
        Engine other = new Engine(ssd)) {
      assertThat(engine.ask(SpaceServer.TAKE, 700, folder)).isEqualTo(1);
      assertThat(other.ask(SpaceServer.TAKE, 400, folder)).isZero();
      assertThat(engine.ask(SpaceServer.GIVE, 300, folder)).isEqualTo(1);
      assertThat(other.ask(SpaceServer.TAKE, 400, folder)).isEqualTo(1);
      assertThat(tuner.report().localizedUsed()).isEqualTo(800);
    }
    awaitUsed(0);
  }

  @Test
  void whatADeadEngineHeldGoesBack() throws IOException {
    Engine engine = new Engine(ssd);
    assertThat(engine.ask(SpaceServer.TAKE, 700, LocalizedSpace.folder(ssd))).isEqualTo(1);
    engine.close();
    awaitUsed(0);
  }

  @Test
  void whoDoesNotOwnTheFolderGetsNoRoom() throws IOException {
    Path folder = LocalizedSpace.folder(ssd);
    try {
      Files.setAttribute(folder, "unix:uid", 65_534);
    } catch (IOException e) {
      Assumptions.abort("only root can give the folder to somebody else");
    }
    try (Engine engine = new Engine(ssd)) {
      assertThat(engine.ask(SpaceServer.TAKE, 10, folder)).isZero();
      Files.delete(folder);
      assertThat(engine.ask(SpaceServer.TAKE, 10, folder)).as("no folder").isZero();
    }
  }

  @Test
  void whoSpeaksOtherwiseIsNotListenedTo() throws IOException {
    Path folder = LocalizedSpace.folder(ssd);
    try (Engine engine = new Engine(ssd)) {
      assertThat(engine.ask(SpaceServer.TAKE, 700, folder)).isEqualTo(1);
      engine.out.writeByte('G');
      assertThat(engine.in.read()).isEqualTo(-1);
    }
    awaitUsed(0);
  }

  @Test
  void anEndedSlaveLeavesRoomForItsSuccessor() throws IOException {
    Path folder = LocalizedSpace.folder(ssd);
    try (Engine engine = new Engine(ssd)) {
      assertThat(engine.ask(SpaceServer.TAKE, 700, folder)).isEqualTo(1);
      server.close();
      assertThat(engine.in.read()).as("the engine notices").isEqualTo(-1);
      awaitUsed(0);
    }
    listen();
    try (Engine engine = new Engine(ssd)) {
      assertThat(engine.ask(SpaceServer.TAKE, 1_000, folder)).isEqualTo(1);
    }
  }

  @Test
  void anSsdWithoutASocketDoesNotStopTheOthers() throws IOException {
    Path broken = Files.writeString(ssd.resolve("no-folder"), "");
    server.listen(List.of(broken));
    try (Engine engine = new Engine(ssd)) {
      assertThat(engine.ask(SpaceServer.TAKE, 10, LocalizedSpace.folder(ssd))).isEqualTo(1);
    }
  }

  @Test
  void aProcessWithoutDescriptorsListensAgainLater() throws IOException {
    try (Engine engine = new Engine(ssd)) {
      assertThat(engine.ask(SpaceServer.TAKE, 10, LocalizedSpace.folder(ssd))).isEqualTo(1);
    }
    assertThat(pauses).as("pauses, one for each connection not taken").hasSize(2);
  }

  @Test
  void idleConnectionsKeepNobodyOutAndTenantsStay() throws IOException {
    Path folder = LocalizedSpace.folder(ssd);
    List<Engine> idle = new ArrayList<>();
    try (Engine tenant = new Engine(ssd)) {
      assertThat(tenant.ask(SpaceServer.TAKE, 10, folder)).isEqualTo(1);
      for (int i = 0; i < 300; i++) {
        idle.add(new Engine(ssd));
      }
      try (Engine late = new Engine(ssd)) {
        assertThat(late.ask(SpaceServer.TAKE, 10, folder)).isEqualTo(1);
      }
      assertThat(tenant.ask(SpaceServer.TAKE, 10, folder)).isEqualTo(1);
    } finally {
      for (Engine engine : idle) {
        engine.close();
      }
    }
  }

  @Test
  void strangersDoNotReachTheSocket() throws IOException {
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(SpaceServer.socket(ssd))))
        .isEqualTo("rw-rw----");
    Object group = Files.getAttribute(LocalizedSpace.folder(ssd), "posix:group");
    assertThat(Files.getAttribute(SpaceServer.socket(ssd), "posix:group")).isEqualTo(group);
  }
}
