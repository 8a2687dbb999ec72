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
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.Rig;
import org.mammoth.engine.shuffle.TestSource;
import org.mammoth.engine.shuffle.wire.Frame;
import org.mammoth.engine.shuffle.wire.Nonce;
import org.mammoth.engine.shuffle.wire.Proof;

/** One connection of the server without a socket, whose readers the test counts. */
class RangesServedTest {

  private static final int RANGES = 500;

  private final TestSource source = new TestSource();
  private final List<Runnable> work = new ArrayList<>();
  private int hops;
  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new ServerConnection(
              new ServerContext(
                  ServerSettings.from(new Configuration(false)),
                  Rig::secret,
                  source,
                  new Pusher(),
                  (waitsFor, task) -> work.add(task),
                  System::nanoTime)));

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
