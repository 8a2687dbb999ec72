// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.Rig;
import org.mammoth.engine.shuffle.TestSource;
import org.mammoth.engine.shuffle.wire.Frame;
import org.mammoth.engine.shuffle.wire.Nonce;
import org.mammoth.engine.shuffle.wire.Proof;

/** One connection of the server without a socket, whose readers the test counts. */
class RangesServedTest {

  private static final int RANGES = 500;
  private static final int WINDOW = 4_096;

  private final TestSource source = new TestSource();
  private final List<Runnable> work = new ArrayList<>();
  private int hops;
  private final Pusher pusher = new Pusher();
  private final ServerConnection connection =
      new ServerConnection(
          new ServerContext(
              ServerSettings.from(new Configuration(false)),
              Rig::secret,
              source,
              pusher,
              (waitsFor, task) -> work.add(task),
              System::nanoTime));
  private final EmbeddedChannel channel = new EmbeddedChannel(connection);

  private void greet(int version) {
    Frame.Hello server = channel.readOutbound();
    Frame.Hello client = new Frame.Hello(1, version, 0, Nonce.random(new SecureRandom()), 4096);
    channel.writeInbound(client);
    byte[] secret = Rig.secret(Rig.JOB);
    channel.writeInbound(new Frame.Auth(Rig.JOB, Proof.ofClient(secret, Rig.JOB, server, client)));
    assertThat((Object) channel.readOutbound()).isInstanceOf(Frame.AuthOk.class);
  }

  private Frame.FetchRanges ranges() {
    List<Frame.Fetch> ranges = new ArrayList<>();
    for (int i = 0; i < RANGES; i++) {
      source.add(Rig.JOB, "attempt_1_m_" + i, 0, 9_000);
      ranges.add(
          new Frame.Fetch(i + 1, Rig.JOB, "attempt_1_m_" + i, 0, 0, 4_096, 4_096, 65_536, 0));
    }
    return new Frame.FetchRanges(ranges);
  }

  private void run() {
    while (!work.isEmpty()) {
      hops++;
      work.remove(0).run();
      channel.runPendingTasks();
    }
  }

  @AfterEach
  void end() {
    channel.finishAndReleaseAll();
    assertThat(source.open()).isZero();
  }

  @Test
  void aHeaderCostsASmallPartOfAChangeOfThreads() {
    greet(2);
    channel.writeInbound(ranges());
    run();
    int segments = 0;
    int chunks = 0;
    int ends = 0;
    for (Object out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      segments += out instanceof Frame.Segment ? 1 : 0;
      ends += out instanceof Frame.End ? 1 : 0;
      if (out instanceof ByteBuf chunk) {
        chunks++;
        chunk.release();
      }
    }
    assertThat(List.of(segments, chunks, ends)).containsOnly(RANGES);
    assertThat(hops).isLessThanOrEqualTo(RANGES / 10);
  }

  /** Else it would be closed in the middle, or never be closed to make room for another. */
  @Test
  void aConnectionIsIdleWhenItsLastRangeIsOver() {
    greet(2);
    assertThat(connection.isIdleSince(System.nanoTime())).isTrue();
    channel.writeInbound(ranges());
    assertThat(connection.isIdleSince(System.nanoTime())).isFalse();
    run();
    assertThat(connection.isIdleSince(System.nanoTime())).isTrue();
    channel.writeInbound(
        new Frame.Fetch(RANGES + 1, Rig.JOB, "attempt_1_m_0", 0, 0, 4_096, 4_096, 65_536, 0));
    assertThat(connection.isIdleSince(System.nanoTime())).isFalse();
    run();
    assertThat(connection.isIdleSince(System.nanoTime())).isTrue();
  }

  private void publish(String attempt) {
    source.add(Rig.JOB, attempt, 0, WINDOW);
    pusher.published(
        Rig.JOB,
        attempt,
        new SegmentLengths() {
          @Override
          public int partitions() {
            return 1;
          }

          @Override
          public long rawLength(int partition) {
            return WINDOW;
          }

          @Override
          public long partLength(int partition) {
            return WINDOW;
          }
        },
        source.identity);
    channel.runPendingTasks();
  }

  private void withdraw(String attempt) {
    pusher.withdrawn(Rig.JOB, attempt);
    channel.runPendingTasks();
  }

  /** The client does not see its bytes, and so will never return what they cost. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSegmentThatIsDroppedWhileItIsReadCostsNoCredit(boolean unwanted) {
    greet(2);
    channel.writeInbound(new Frame.Subscribe(1, Rig.JOB, 0, "attempt_1_r_0", WINDOW, WINDOW));
    publish("attempt_1_m_0");
    channel.writeInbound(new Frame.Accept(1, 0, 0));
    assertThat(work).hasSize(1);
    if (unwanted) {
      channel.writeInbound(new Frame.Unwant(1, 0));
    } else {
      withdraw("attempt_1_m_0");
    }
    run();
    if (unwanted) {
      withdraw("attempt_1_m_0");
      channel.writeInbound(new Frame.Want(1, 0, "attempt_1_r_0"));
    }
    publish("attempt_1_m_1");
    channel.writeInbound(new Frame.Accept(1, 1, 0));
    run();
    List<Frame.End> ends = new ArrayList<>();
    for (Object out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      if (out instanceof Frame.End end) {
        ends.add(end);
      } else if (out instanceof ByteBuf chunk) {
        chunk.release();
      }
    }
    assertThat(ends).containsExactly(new Frame.End(1, 1, WINDOW));
  }

  @Test
  void rangesAreNotOfVersionOne() {
    greet(1);
    channel.writeInbound(ranges());
    assertThat(work).isEmpty();
    Frame.Error error = channel.readOutbound();
    assertThat(error.reason()).isEqualTo(Reason.PROTOCOL);
    assertThat(error.text()).contains("not of the version");
  }
}
