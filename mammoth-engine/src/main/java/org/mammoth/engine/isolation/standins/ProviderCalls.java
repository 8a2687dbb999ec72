// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins;

import java.net.ContentHandlerFactory;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.time.chrono.AbstractChronology;
import java.time.chrono.Chronology;

/**
 * More of what {@link PartCalls} does: calls by which the JDK looks for providers on the class path
 * of the JVM, and keeps the first it finds. Stateless, thread-safe.
 */
public final class ProviderCalls {
  private ProviderCalls() {}

  /** Before a calendar is looked up by its name. */
  @Precedes(
      value = Chronology.class,
      names = {"from", "getAvailableChronologies", "of", "ofLocale"})
  public static void calendars() {
    PartCalls.reaching("Chronology", AbstractChronology.class);
  }

  /** Before what a connection brings is made an object of. */
  @Precedes(value = URLConnection.class, names = "getContent")
  public static void content() {
    PartCalls.reaching("URLConnection.getContent", ContentHandlerFactory.class);
  }

  /** Before {@code URL.getContent}. */
  @Precedes(value = URL.class, names = "getContent")
  public static void contentOfUrl() {
    content();
  }

  /** Before {@code AsynchronousSocketChannel.open}. */
  @Precedes(value = AsynchronousSocketChannel.class, names = "open")
  public static void asynchronous() {
    PartCalls.reaching("AsynchronousSocketChannel.open", AsynchronousChannelProvider.class);
  }

  /** Before {@code AsynchronousServerSocketChannel.open}. */
  @Precedes(value = AsynchronousServerSocketChannel.class, names = "open")
  public static void asynchronousServer() {
    asynchronous();
  }

  /** Before a group of asynchronous channels is made. */
  @Precedes(
      value = AsynchronousChannelGroup.class,
      names = {"withCachedThreadPool", "withFixedThreadPool", "withThreadPool"})
  public static void asynchronousGroup() {
    asynchronous();
  }

  /** Before {@code SocketChannel.open}. */
  @Precedes(value = SocketChannel.class, names = "open")
  public static void channel() {
    PartCalls.reaching("SocketChannel.open", SelectorProvider.class);
  }

  /** Before {@code ServerSocketChannel.open}. */
  @Precedes(value = ServerSocketChannel.class, names = "open")
  public static void serverChannel() {
    PartCalls.reaching("ServerSocketChannel.open", SelectorProvider.class);
  }

  /** Before {@code DatagramChannel.open}. */
  @Precedes(value = DatagramChannel.class, names = "open")
  public static void datagrams() {
    PartCalls.reaching("DatagramChannel.open", SelectorProvider.class);
  }

  /** Before {@code Pipe.open}. */
  @Precedes(value = Pipe.class, names = "open")
  public static void pipe() {
    PartCalls.reaching("Pipe.open", SelectorProvider.class);
  }
}
