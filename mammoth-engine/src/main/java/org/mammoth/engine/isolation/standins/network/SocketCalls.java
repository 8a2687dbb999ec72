// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.network;

import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.MulticastSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocketFactory;
import org.mammoth.engine.isolation.standins.Follows;
import org.mammoth.engine.isolation.standins.ProviderCalls;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code tells of the sockets that it opens, and what it calls instead of opening
 * asynchronous ones: they are closed with the task, as a process's are when it ends ({@link
 * OpenSockets}). Stateless, thread-safe.
 */
public final class SocketCalls {
  private static final String MADE = "<init>";

  private SocketCalls() {}

  /** After a server's socket was made, or has a connection. */
  @Follows(
      value = ServerSocket.class,
      names = {MADE, "accept"})
  public static void server(Closeable opened) {
    OpenSockets.opened(opened);
  }

  /** After an object of any class was made by reflection. */
  public static void madeByReflection(Object object) {
    if (object instanceof ServerSocket
        || object instanceof Socket
        || object instanceof DatagramSocket) {
      OpenSockets.opened((Closeable) object);
    }
  }

  /** After a socket was made. */
  @Follows(value = Socket.class, names = MADE)
  public static void socket(Closeable opened) {
    OpenSockets.opened(opened);
  }

  /** After a factory has made a socket. */
  @Follows(value = SocketFactory.class, names = "createSocket")
  public static void made(Closeable opened) {
    OpenSockets.opened(opened);
  }

  /** After a factory has made a server's socket. */
  @Follows(value = ServerSocketFactory.class, names = "createServerSocket")
  public static void serverMade(Closeable opened) {
    OpenSockets.opened(opened);
  }

  /** After a factory has made a socket with TLS. */
  @Follows(value = SSLSocketFactory.class, names = "createSocket")
  public static void secureMade(Closeable opened) {
    OpenSockets.opened(opened);
  }

  /** After a factory has made a server's socket with TLS. */
  @Follows(value = SSLServerSocketFactory.class, names = "createServerSocket")
  public static void secureServerMade(Closeable opened) {
    OpenSockets.opened(opened);
  }

  /** After a socket for datagrams was made. */
  @Follows(value = DatagramSocket.class, names = MADE)
  public static void datagrams(Closeable opened) {
    OpenSockets.opened(opened);
  }

  /** After a socket for datagrams to many was made. */
  @Follows(value = MulticastSocket.class, names = MADE)
  public static void multicast(Closeable opened) {
    OpenSockets.opened(opened);
  }

  /** After a server's channel was opened, or has a connection. */
  @Follows(
      value = ServerSocketChannel.class,
      names = {"open", "accept"})
  public static void serverChannel(Closeable opened) {
    OpenSockets.opened(opened);
  }

  /** After a channel was opened. */
  @Follows(value = SocketChannel.class, names = "open")
  public static void channel(Closeable opened) {
    OpenSockets.opened(opened);
  }

  /** After a channel for datagrams was opened. */
  @Follows(value = DatagramChannel.class, names = "open")
  public static void datagramChannel(Closeable opened) {
    OpenSockets.opened(opened);
  }

  /** {@code AsynchronousServerSocketChannel.open}. */
  @Replaces(value = AsynchronousServerSocketChannel.class, name = "open")
  public static AsynchronousServerSocketChannel openServer() throws IOException {
    return openServer(null);
  }

  /** {@code AsynchronousServerSocketChannel.open}. */
  @Replaces(value = AsynchronousServerSocketChannel.class, name = "open")
  public static AsynchronousServerSocketChannel openServer(AsynchronousChannelGroup group)
      throws IOException {
    ProviderCalls.asynchronousServer();
    return AsynchronousServerSocketChannel.open(ChannelThreads.orOwn(group));
  }

  /** {@code AsynchronousSocketChannel.open}. */
  @Replaces(value = AsynchronousSocketChannel.class, name = "open")
  public static AsynchronousSocketChannel openSocket() throws IOException {
    return openSocket(null);
  }

  /** {@code AsynchronousSocketChannel.open}. */
  @Replaces(value = AsynchronousSocketChannel.class, name = "open")
  public static AsynchronousSocketChannel openSocket(AsynchronousChannelGroup group)
      throws IOException {
    ProviderCalls.asynchronous();
    return AsynchronousSocketChannel.open(ChannelThreads.orOwn(group));
  }

  /** After an asynchronous server's channel was opened. */
  @Follows(value = AsynchronousServerSocketChannel.class, names = "open")
  public static void asynchronousServer(Closeable opened) {
    OpenSockets.opened(opened);
  }

  /** After an asynchronous channel was opened. */
  @Follows(value = AsynchronousSocketChannel.class, names = "open")
  public static void asynchronous(Closeable opened) {
    OpenSockets.opened(opened);
  }

  /** After a selector was opened. */
  @Follows(value = Selector.class, names = "open")
  public static void selector(Closeable opened) {
    OpenSockets.opened(opened);
  }

  /** After a provider has opened a channel or selector, as Netty has it do. */
  @Follows(
      value = SelectorProvider.class,
      names = {
        "openDatagramChannel",
        "openSelector",
        "openServerSocketChannel",
        "openSocketChannel"
      })
  public static void provided(Closeable opened) {
    OpenSockets.opened(opened);
  }
}
