// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.Leaks;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.wire.Frame;
import org.mammoth.engine.shuffle.wire.Nonce;
import org.mammoth.engine.shuffle.wire.Wire;

/** A connection whose numbers of streams run out, after days in an engine. */
class WornConnectionTest {

  static {
    Leaks.watch();
  }

  private static final int STREAMS = 3;
  private static final Nonce NONCE = Nonce.random(new SecureRandom());

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
  private final Configuration conf = new Configuration(false);
  private final List<ClientConnection> connections = new ArrayList<>();
  private final List<EmbeddedChannel> channels = new ArrayList<>();

  private static final class Stream implements ClientStream {

    private final boolean standing;
    private ShuffleException lost;

    Stream(boolean standing) {
      this.standing = standing;
    }

    @Override
    public String job() {
      return "job_1_0001";
    }

    @Override
    public boolean isStanding() {
      return standing;
    }

    @Override
    public void start(ClientConnection connection, int id) {}

    @Override
    public void segment(Frame.Segment segment) {}

    @Override
    public void chunk(Frame.Chunk chunk) {}

    @Override
    public void end(Frame.End end) {}

    @Override
    public void nack(Frame.Nack nack) {}

    @Override
    public void lost(ShuffleException why) {
      lost = why;
    }
  }

  private ClientConnection open() {
    ClientConnection connection =
        new ClientConnection(
            new InetSocketAddress("127.0.0.1", 1),
            job -> new byte[] {1},
            NONCE,
            scheduler,
            STREAMS);
    connections.add(connection);
    EmbeddedChannel channel = new EmbeddedChannel(connection);
    channels.add(channel);
    channel.writeInbound(new Frame.Hello(1, Wire.MAX_VERSION, 5, NONCE, Wire.MAX_CHUNK));
    return connection;
  }

  private Stream begin(AddressPool pool, boolean standing) {
    Stream stream = new Stream(standing);
    pool.acquire().join().attach(stream);
    return stream;
  }

  @Test
  void anotherTakesItsPlaceAndItEndsWithItsLastFetch() {
    conf.setInt("mammoth.shuffle.connections-per-node", 1);
    AddressPool pool = new AddressPool(patience -> open(), ClientSettings.from(conf), scheduler);
    Stream subscription = begin(pool, true);
    Stream first = begin(pool, false);
    Stream second = begin(pool, false);
    assertThat(connections).hasSize(1);
    Stream third = begin(pool, false);
    Stream fourth = begin(pool, false);
    assertThat(connections).as("another one for those that come").hasSize(2);
    ClientConnection worn = connections.get(0);
    worn.detach(first);
    channels.get(0).runPendingTasks();
    assertThat(worn.ended()).as("one is under way").isFalse();
    worn.detach(second);
    channels.get(0).runPendingTasks();
    assertThat(worn.ended()).isTrue();
    assertThat(subscription.lost.reason().retriable()).as("it begins anew elsewhere").isTrue();
    assertThat(third.lost).isNull();
    assertThat(fourth.lost).isNull();
    assertThat(pool.size()).isEqualTo(1);
  }
}
