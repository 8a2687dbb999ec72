// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.endpoint;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.SecretProvider;
import org.mammoth.engine.shuffle.client.ClientSettings;
import org.mammoth.engine.shuffle.client.ShuffleClient;
import org.mammoth.engine.shuffle.server.Pusher;
import org.mammoth.engine.shuffle.server.SegmentSource;
import org.mammoth.engine.shuffle.server.ServerSettings;
import org.mammoth.engine.shuffle.server.ShuffleServer;

/**
 * The one client and the one server of a process, and the threads they share: all reduces of an
 * engine fetch through the same few connections. Any thread.
 */
public final class ShuffleEndpoint implements Closeable {

  private static final long STOP_MS = 2_000;

  private final Configuration conf;
  private final EndpointTls tls;
  private final SecretProvider secrets;
  private final Pusher pusher = new Pusher();
  private final EventLoopGroup loops;
  private final ScheduledThreadPoolExecutor timer;
  private final ReaderLanes readers;
  private final Scheduler scheduler;
  private final ShuffleClient client;
  private ShuffleServer server;

  /**
   * Starts the threads; nothing is opened yet.
   *
   * @param tls closed with this
   * @param secrets of the jobs whose output is served and fetched
   * @param threads makes daemon threads that inherit nothing from whoever first needs them
   * @param size how many threads read and write sockets; as many again open and read segments for
   *     each thing that these may wait for, as a disk
   */
  public ShuffleEndpoint(
      Configuration conf,
      EndpointTls tls,
      SecretProvider secrets,
      ThreadFactory threads,
      int size) {
    this.conf = conf;
    this.tls = tls;
    this.secrets = secrets;
    this.loops = new NioEventLoopGroup(size, threads);
    this.timer = new ScheduledThreadPoolExecutor(1, threads);
    timer.setRemoveOnCancelPolicy(true);
    // Threads start here and now, or from one that did: a thread keeps the access rights of whoever
    // starts it.
    timer.prestartAllCoreThreads();
    readers = new ReaderLanes(threads, size);
    for (EventExecutor loop : loops) {
      loop.submit(() -> {}).syncUninterruptibly();
    }
    this.scheduler = Scheduler.of(timer);
    this.client =
        new ShuffleClient(
            ClientSettings.from(conf), secrets::secret, tls::client, loops, scheduler);
  }

  /**
   * Begins to serve; once at most.
   *
   * @param port to listen on, 0 for any
   * @return the port it listens on
   * @throws org.mammoth.engine.shuffle.ShuffleException with reason TLS where the configuration
   *     wants TLS, which this endpoint has not
   * @throws IOException if the port cannot be bound
   */
  public synchronized int serve(int port, SegmentSource source) throws IOException {
    ShuffleServer opened =
        new ShuffleServer(
            ServerSettings.from(conf).onPort(port),
            secrets,
            source,
            pusher,
            tls::server,
            loops,
            readers,
            scheduler::nanoTime);
    InetSocketAddress bound = opened.start();
    server = opened;
    return bound.getPort();
  }

  /** Fetches from other endpoints. */
  public ShuffleClient client() {
    return client;
  }

  /** Offers map output to whoever subscribed here. */
  public Pusher pusher() {
    return pusher;
  }

  /** What it has of TLS. */
  public EndpointTls tls() {
    return tls;
  }

  /** Time, as the shuffle sees it. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /** Ends everything of a job whose secret has been forgotten. */
  public synchronized void jobFinished(String job) {
    client.jobFinished(job);
    if (server != null) {
      server.jobFinished(job);
    }
  }

  /** Closes all connections and ends the threads. */
  @Override
  public synchronized void close() {
    client.close();
    if (server != null) {
      server.close();
    }
    loops
        .shutdownGracefully(0, STOP_MS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(2 * STOP_MS, TimeUnit.MILLISECONDS);
    readers.close();
    timer.shutdownNow();
    tls.close();
  }
}
