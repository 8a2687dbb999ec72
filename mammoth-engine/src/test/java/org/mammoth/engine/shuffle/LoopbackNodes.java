// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.shuffle.client.ClientSettings;
import org.mammoth.engine.shuffle.client.ShuffleClient;
import org.mammoth.engine.shuffle.server.Pusher;
import org.mammoth.engine.shuffle.server.Readers;
import org.mammoth.engine.shuffle.server.SegmentSource;
import org.mammoth.engine.shuffle.server.ServerSettings;
import org.mammoth.engine.shuffle.server.ShuffleServer;

/** Nodes with real shuffle servers on the loopback, and one client of them. */
public final class LoopbackNodes implements AutoCloseable {

  private static final List<String> PATIENCE =
      List.of(
          "mammoth.shuffle.probe.timeout-ms",
          "mammoth.shuffle.handshake.timeout-ms",
          "mammoth.shuffle.fetch.timeout-ms",
          "mammoth.shuffle.idle.timeout-ms");

  private static final int PATIENCE_MS = 60_000;
  private static final byte[] SECRET = {1, 2, 3, 4};

  private final EventLoopGroup loops = new NioEventLoopGroup(2);
  private final ExecutorService readers = Executors.newFixedThreadPool(2);
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final List<ShuffleServer> servers = new ArrayList<>();
  private final List<InetSocketAddress> addresses = new ArrayList<>();
  private final Scheduler clock = Scheduler.of(timer);
  private final ShuffleClient client;

  /** All have the same segments. */
  public LoopbackNodes(SegmentSource source, int nodes) throws IOException {
    timer.setRemoveOnCancelPolicy(true);
    Configuration conf = new Configuration();
    conf.set("mammoth.shuffle.bind-host", "127.0.0.1");
    conf.setInt("mammoth.shuffle.port", 0);
    // nobody is given up because the machine is busy
    for (String patience : PATIENCE) {
      conf.setInt(patience, PATIENCE_MS);
    }
    for (int node = 0; node < nodes; node++) {
      ShuffleServer server =
          new ShuffleServer(
              ServerSettings.from(conf),
              job -> SECRET,
              source,
              new Pusher(),
              () -> null,
              loops,
              Readers.of(readers),
              System::nanoTime);
      servers.add(server);
      addresses.add(server.start());
    }
    client = new ShuffleClient(ClientSettings.from(conf), job -> SECRET, () -> null, loops, clock);
  }

  /** Where the nodes serve. */
  public List<InetSocketAddress> addresses() {
    return addresses;
  }

  /** Asks them. */
  public ShuffleClient client() {
    return client;
  }

  /** The client's clock. */
  public Scheduler clock() {
    return clock;
  }

  /** What sockets of this JVM have allocated outside the heap, in bytes. */
  public static long directBytes() {
    return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
  }

  @Override
  public void close() throws InterruptedException {
    client.close();
    servers.forEach(ShuffleServer::close);
    timer.shutdownNow();
    readers.shutdownNow();
    loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
  }
}
