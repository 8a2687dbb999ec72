// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.shuffle.client.ClientSettings;
import org.mammoth.engine.shuffle.client.ShuffleClient;
import org.mammoth.engine.shuffle.server.Pusher;
import org.mammoth.engine.shuffle.server.Readers;
import org.mammoth.engine.shuffle.server.ServerSettings;
import org.mammoth.engine.shuffle.server.ShuffleServer;
import org.mammoth.engine.shuffle.tls.TlsLayer;

/** A server and a client on loopback, each with its own threads and secrets. */
public final class Rig implements AutoCloseable {

  static {
    Leaks.watch();
  }

  public static final String JOB = "job_1_0001";

  public final Configuration conf = new Configuration(false);
  public final Map<String, byte[]> serverSecrets = new ConcurrentHashMap<>();
  public final Map<String, byte[]> clientSecrets = new ConcurrentHashMap<>();
  public final TestSource source = new TestSource();
  public final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  public final Scheduler scheduler = Scheduler.of(timer);
  public final EventLoopGroup loops = new NioEventLoopGroup(2);
  public final ExecutorService readers = Executors.newFixedThreadPool(4);
  public Readers segmentReaders = Readers.of(readers);
  public Supplier<TlsLayer> serverTls = () -> null;
  public Supplier<TlsLayer> clientTls = () -> null;
  public Pusher pusher = new Pusher();
  public ShuffleServer server;
  public ShuffleClient client;
  public InetSocketAddress address;

  public Rig() {
    conf.setInt("mammoth.shuffle.port", 0);
    conf.set("mammoth.shuffle.bind-host", "127.0.0.1");
    conf.setInt("mammoth.shuffle.chunk-bytes", 4096);
    conf.setInt("mammoth.shuffle.fetch.window-bytes", 16384);
    conf.setInt("mammoth.shuffle.reconnect.min-ms", 20);
    conf.setInt("mammoth.shuffle.reconnect.max-ms", 100);
    knows(JOB);
  }

  /** Both sides know the job. */
  public void knows(String job) {
    serverSecrets.put(job, secret(job));
    clientSecrets.put(job, secret(job));
  }

  public static byte[] secret(String job) {
    return ("secret of " + job).getBytes(StandardCharsets.UTF_8);
  }

  public Rig start() throws IOException {
    startServer();
    client =
        new ShuffleClient(
            ClientSettings.from(conf), clientSecrets::get, clientTls, loops, scheduler);
    return this;
  }

  public void startServer() throws IOException {
    server =
        new ShuffleServer(
            ServerSettings.from(conf),
            serverSecrets::get,
            source,
            pusher,
            serverTls,
            loops,
            segmentReaders,
            scheduler::nanoTime);
    address = server.start();
  }

  /** Stops the server and starts another one on the same port, as a restart does. */
  public void restartServer() throws IOException {
    server.close();
    await().until(() -> server.connections() == 0);
    conf.setInt("mammoth.shuffle.port", address.getPort());
    startServer();
  }

  /** Ends all, and fails if anything was left open or held. */
  @Override
  public void close() throws InterruptedException {
    if (client != null) {
      client.close();
    }
    if (server != null) {
      server.close();
      await().atMost(Duration.ofSeconds(10)).until(() -> server.connections() == 0);
      await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(
              () -> {
                assertThat(server.bytesHeld()).as("bytes held").isZero();
                assertThat(source.open()).as("open segments").isZero();
              });
    }
    loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
    readers.shutdownNow();
    timer.shutdownNow();
  }
}
