// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.tls;

import io.netty.channel.socket.SocketChannel;

/** One side's TLS. Any thread. */
public interface TlsLayer {

  /**
   * Puts TLS in front of all that a new connection carries; nothing passes before the other side
   * has shown what this side wants to see. A handshake that fails is an {@link
   * javax.net.ssl.SSLException} in the pipeline.
   *
   * @param host the name under which the other side was asked for; a server's side has no use for
   *     it
   */
  void addTo(SocketChannel channel, String host);
}
