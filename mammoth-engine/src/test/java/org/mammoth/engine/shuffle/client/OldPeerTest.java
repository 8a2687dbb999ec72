// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.Leaks;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.wire.Frame;
import org.mammoth.engine.shuffle.wire.Nonce;
import org.mammoth.engine.shuffle.wire.Proof;
import org.mammoth.engine.shuffle.wire.Wire;

/** A shared subscription at a node of version 1, and at one of today; the test is the node. */
class OldPeerTest {

  static {
    // Whichever test makes the first buffer, those of other tests are watched.
    Leaks.watch();
  }

  private static final String JOB = "job_1_0001";
  private static final byte[] SECRET = {1, 2, 3};
  private static final Nonce NONCE = Nonce.random(new SecureRandom());
  private static final PushReceiver NOTHING =
      new PushReceiver() {
        @Override
        public long offer(SegmentInfo segment) {
          return REFUSE;
        }

        @Override
        public void chunk(SegmentInfo segment, long offset, ByteBuffer data) {
          throw new UnsupportedOperationException();
        }

        @Override
        public void complete(SegmentInfo segment) {
          throw new UnsupportedOperationException();
        }

        @Override
        public void failed(SegmentInfo segment, ShuffleException cause) {
          throw new UnsupportedOperationException();
        }
      };

  private final Scheduler scheduler =
      new Scheduler() {
        @Override
        public long nanoTime() {
          return 0;
        }

        @Override
        public Runnable after(long delayMs, Runnable task) {
          return () -> {};
        }
      };
  private final ClientSettings settings = ClientSettings.from(new Configuration(false));
  private final ClientConnection connection =
      new ClientConnection(new InetSocketAddress("127.0.0.1", 1), job -> SECRET, NONCE, scheduler);
  private final EmbeddedChannel channel = new EmbeddedChannel(connection);
  private final AddressPool pool = new AddressPool(patienceMs -> connection, settings, scheduler);
  private final SharedSubscription shared =
      new SharedSubscription(
          (partition, attempt, credit, receiver) ->
              new SubscriptionCall(
                  pool,
                  new Frame.Subscribe(0, JOB, partition, attempt, credit, 1_000),
                  receiver,
                  settings,
                  scheduler),
          over -> {});

  private void greet(int version) {
    Frame.Hello server = new Frame.Hello(1, version, 5, NONCE, Wire.MAX_CHUNK);
    channel.writeInbound(server);
    Frame.Hello own = channel.readOutbound();
    assertThat((Object) channel.readOutbound()).isInstanceOf(Frame.Auth.class);
    channel.writeInbound(new Frame.AuthOk(JOB, Proof.ofServer(SECRET, JOB, server, own)));
  }

  private List<Frame> said() {
    List<Frame> all = new ArrayList<>();
    for (Frame frame = channel.readOutbound(); frame != null; frame = channel.readOutbound()) {
      all.add(frame);
    }
    return all;
  }

  private Frame subscribe(int stream, int partition, long credit) {
    return new Frame.Subscribe(
        stream, JOB, partition, "r" + partition, credit, settings.chunkBytes());
  }

  private Subscription join(int partition) {
    return shared.join(partition, "r" + partition, 100, NOTHING);
  }

  @Test
  void atANodeOfVersion1EachPartitionHasItsSubscription() {
    join(0);
    Subscription early = join(1);
    greet(1);
    assertThat(said()).containsExactly(subscribe(1, 0, 200), subscribe(2, 1, 100));
    Subscription late = join(2);
    assertThat(said()).contains(subscribe(3, 2, 100));
    early.credit(7);
    late.close();
    assertThat(said()).containsExactly(new Frame.Credit(2, 7), new Frame.Cancel(3));
  }

  @Test
  void atANodeOfTodayThereIsOne() {
    Subscription first = join(0);
    join(1);
    greet(Wire.MAX_VERSION);
    assertThat(said()).containsExactly(subscribe(1, 0, 200), new Frame.Want(1, 1, "r1"));
    join(2);
    assertThat(said()).containsExactly(new Frame.Want(1, 2, "r2"), new Frame.Credit(1, 100));
    first.close();
    assertThat(said()).containsExactly(new Frame.Unwant(1, 0));
    // The part of who left makes room for the next one.
    join(3);
    assertThat(said()).containsExactly(new Frame.Want(1, 3, "r3"));
  }
}
