// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.localized;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine's side of the protocol, against a slave that says what the test wants. */
class SlaveSpaceTest {

  private static final long TIMEOUT_MS = 20_000;

  @TempDir Path ssd;

  private Path folder;
  private final AtomicLong nanos = new AtomicLong();
  private FakeSlave slave;
  private SlaveSpace room;

  /** Writes down requests; answers with what it was given, or not at all. */
  private static final class FakeSlave implements AutoCloseable {
    final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    final ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    final Path socket;
    volatile int answer = 1;
    volatile long thinksMs;
    volatile SocketChannel engine;

    FakeSlave(Path socket) throws IOException {
      this.socket = socket;
      Files.deleteIfExists(socket);
      listener.bind(UnixDomainSocketAddress.of(socket));
      Thread thread = new Thread(this::serve, "fake slave");
      thread.setDaemon(true);
      thread.start();
    }

    private void serve() {
      while (true) {
        try {
          engine = listener.accept();
        } catch (IOException e) {
          return;
        }
        try {
          DataInputStream in = new DataInputStream(Channels.newInputStream(engine));
          while (true) {
            String kind = in.readByte() == SlaveSpace.TAKE ? "take " : "give ";
            requests.add(kind + in.readLong() + " " + Path.of(in.readUTF()).getFileName());
            Thread.sleep(thinksMs);
            if (answer >= 0) {
              engine.write(ByteBuffer.wrap(new byte[] {(byte) answer}));
            }
          }
        } catch (IOException | InterruptedException e) {
          requests.add("end");
        }
      }
    }

    String next() throws InterruptedException {
      return requests.poll(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() throws IOException {
      // A closed listener takes connections until its thread has left accept.
      Files.deleteIfExists(socket);
      listener.close();
      if (engine != null) {
        engine.close();
      }
    }
  }

  @BeforeEach
  void start() throws IOException {
    folder = ssd.resolve("localized");
    slave = new FakeSlave(ssd.resolve("room"));
    room = new SlaveSpace(List.of(folder), TIMEOUT_MS, nanos::get);
  }

  @AfterEach
  void stop() throws IOException {
    room.close();
    slave.close();
  }

  @Test
  void asksAndGivesBack() throws Exception {
    assertThat(room.take(folder, 100)).isTrue();
    slave.answer = 0;
    assertThat(room.take(folder, 50)).isFalse();
    room.give(folder, 100);
    assertThat(slave.next()).isEqualTo("take 100 localized");
    assertThat(slave.next()).isEqualTo("take 50 localized");
    assertThat(slave.next()).isEqualTo("give 100 localized");
  }

  @Test
  void anEndedEngineGivesAllBackByEndingItsConnection() throws Exception {
    assertThat(room.take(folder, 100)).isTrue();
    room.close();
    assertThat(slave.next()).isEqualTo("take 100 localized");
    assertThat(slave.next()).isEqualTo("end");
  }

  @Test
  void withoutASlaveThereIsNoRoomAndNobodyTriesForAWhile() throws Exception {
    slave.close();
    assertThat(room.take(folder, 100)).isFalse();
    try (FakeSlave again = new FakeSlave(ssd.resolve("room"))) {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(4));
      assertThat(room.take(folder, 100)).isFalse();
      assertThat(again.requests).isEmpty();
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
      assertThat(room.take(folder, 100)).isTrue();
    }
  }

  @Test
  void aNewSlaveHearsWhatIsHeld() throws Exception {
    assertThat(room.take(folder, 100)).isTrue();
    assertThat(room.take(folder, 30)).isTrue();
    slave.close();
    room.give(folder, 10);
    assertThat(room.take(folder, 1)).isFalse();
    try (FakeSlave successor = new FakeSlave(ssd.resolve("room"))) {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(6));
      assertThat(room.take(folder, 7)).isTrue();
      assertThat(successor.next()).isEqualTo("take 120 localized");
      assertThat(successor.next()).isEqualTo("take 7 localized");
    }
  }

  @Test
  void aSlaveThatDoesNotAnswerIsLeftAlone() throws Exception {
    SlaveSpace impatient = new SlaveSpace(List.of(folder), 50, nanos::get);
    slave.answer = -1;
    assertThat(impatient.take(folder, 100)).isFalse();
    assertThat(slave.next()).isEqualTo("take 100 localized");
    assertThat(slave.next()).isEqualTo("end");
    slave.answer = 1;
    assertThat(impatient.take(folder, 100)).as("while it rests").isFalse();
    impatient.close();
  }

  @Test
  void aKilledTasksThreadDoesNotEndTheConnection() throws Exception {
    assertThat(room.take(folder, 100)).isTrue();
    Thread.currentThread().interrupt();
    assertThat(room.take(folder, 100)).isFalse();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(room.take(folder, 5)).isTrue();
    assertThat(slave.next()).isEqualTo("take 100 localized");
    assertThat(slave.next()).isEqualTo("take 5 localized");
  }

  @Test
  void aTaskThatIsKilledWhileItAsksOrGivesBackLosesNoLease() throws Exception {
    assertThat(room.take(folder, 100)).isTrue();
    slave.thinksMs = 300;
    Thread.currentThread().interrupt();
    room.give(folder, 10);
    assertThat(Thread.interrupted()).as("it is still told").isTrue();
    Thread asks =
        new Thread(
            () -> {
              room.take(folder, 20);
            });
    asks.start();
    assertThat(slave.next()).isEqualTo("take 100 localized");
    assertThat(slave.next()).isEqualTo("give 10 localized");
    assertThat(slave.next()).isEqualTo("take 20 localized");
    asks.interrupt();
    asks.join();
    slave.thinksMs = 0;
    assertThat(room.take(folder, 5)).isTrue();
    assertThat(slave.next()).as("by the same connection").isEqualTo("take 5 localized");
  }

  @Test
  void theFirstSlaveThatIsThereIsAsked() throws Exception {
    Path broken = ssd.resolve("broken/localized");
    try (SlaveSpace two = new SlaveSpace(List.of(broken, folder), TIMEOUT_MS, nanos::get)) {
      assertThat(two.take(broken, 3)).isTrue();
      assertThat(slave.next()).isEqualTo("take 3 localized");
    }
  }
}
