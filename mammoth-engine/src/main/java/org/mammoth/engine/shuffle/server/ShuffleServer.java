// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.mammoth.engine.config.ShuffleKeys;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.SecretProvider;
import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.tls.TlsLayer;
import org.mammoth.engine.shuffle.wire.Frame;
import org.mammoth.engine.shuffle.wire.FrameDecoder;
import org.mammoth.engine.shuffle.wire.FrameEncoder;

/**
 * Serves a node's map output to other nodes, by ranges and by pushing (Hadoop-A paper, Yu et al.
 * 2013, §4; virtual shuffling paper, Yu et al. 2015, §4.1). It keeps nothing that outlives it:
 * after a restart it serves whatever its source finds to whoever proves a secret its provider
 * knows. Any thread.
 */
public final class ShuffleServer implements Closeable {

  /**
   * Room for answers beside the data, in bytes, before a client that does not read is not heard.
   */
  private static final int ANSWER_BYTES = 1 << 20;

  /** Frames that one write may gather. */
  private static final int ANSWERS_A_WRITE = 256;

  private final ServerContext context;
  private final Supplier<? extends TlsLayer> tls;
  private final EventLoopGroup group;
  private Channel listener;

  /**
   * A server that does not listen yet.
   *
   * @param tls gives the TLS of the server's side, or null if there is none
   * @param group threads of the sockets; not shut down here
   * @param readers opens and reads segments and may block
   * @param nanos as {@link System#nanoTime}
   */
  public ShuffleServer(
      ServerSettings settings,
      SecretProvider secrets,
      SegmentSource source,
      Pusher pusher,
      Supplier<? extends TlsLayer> tls,
      EventLoopGroup group,
      Readers readers,
      LongSupplier nanos) {
    this.context = new ServerContext(settings, secrets, source, pusher, readers, nanos);
    this.tls = tls;
    this.group = group;
  }

  /**
   * Begins to listen.
   *
   * @return the bound address
   * @throws ShuffleException with {@link Reason#TLS} if TLS is required and not to be had; nothing
   *     is opened then
   * @throws IOException if the port cannot be bound
   */
  public synchronized InetSocketAddress start() throws IOException {
    ServerSettings settings = context.settings();
    TlsLayer ssl = settings.tls() ? tls.get() : null;
    if (settings.tls() && ssl == null) {
      throw new ShuffleException(
          Reason.TLS,
          "The shuffle server stays closed: "
              + ShuffleKeys.SSL_ENABLED
              + " is true and this process has no TLS. Configure Hadoop's ssl-server.xml, or"
              + " leave the shuffle to stock Hadoop.");
    }
    long high = Math.min(Integer.MAX_VALUE / 2, settings.connectionBytes()) + ANSWER_BYTES;
    ChannelFuture bound =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark((int) high / 2, (int) high))
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    fill(channel, ssl);
                  }
                })
            .bind(settings.host(), settings.port())
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "The shuffle server cannot listen on "
              + settings.host()
              + ":"
              + settings.port()
              + " ("
              + ShuffleKeys.BIND_HOST.name()
              + ", "
              + ShuffleKeys.PORT.name()
              + ")",
          bound.cause());
    }
    listener = bound.channel();
    return (InetSocketAddress) listener.localAddress();
  }

  private void fill(SocketChannel channel, TlsLayer ssl) {
    long idle = context.settings().idleTimeoutMs();
    if (ssl != null) {
      ssl.addTo(channel, null);
    }
    channel
        .pipeline()
        // Answers to many small ranges that are ready together leave in one write.
        .addLast(new FlushConsolidationHandler(ANSWERS_A_WRITE, true))
        .addLast(new IdleStateHandler(idle, idle / 3, 0, TimeUnit.MILLISECONDS))
        .addLast(new FrameDecoder(Frame.Sender.CLIENT, 1))
        .addLast(new FrameEncoder())
        .addLast(new ServerConnection(context));
  }

  /** Ends everything of a job; its secret should be forgotten before. */
  public void jobFinished(String job) {
    context.pusher().jobFinished(job);
    context.forEach(connection -> connection.forget(job));
  }

  /** Connections open at this moment. */
  public int connections() {
    return context.connections();
  }

  /** Bytes of map output held for sockets at this moment. */
  public long bytesHeld() {
    return context.budget().used();
  }

  /** Stops listening and tells every client that it did. Maps' output stays where it is. */
  @Override
  public synchronized void close() {
    if (listener != null) {
      listener.close().awaitUninterruptibly();
      context.forEach(ServerConnection::shutDown);
    }
  }
}
