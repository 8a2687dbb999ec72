// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/**
 * What of Unix domain sockets came with Java 16: a class of its own, as a DataNode on Java 11
 * cannot load it. Whoever calls it asks for the Java that runs first. Stateless.
 */
final class UnixSockets {

  private UnixSockets() {}

  /** Binds a listener to a file that is not there yet. */
  static ServerSocketChannel bind(Path socket) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      listener.bind(UnixDomainSocketAddress.of(socket));
      return listener;
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
  }

  /** Who is at the other end; the kernel vouches for it. */
  static UserPrincipal peer(SocketChannel channel) throws IOException {
    return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
  }
}
