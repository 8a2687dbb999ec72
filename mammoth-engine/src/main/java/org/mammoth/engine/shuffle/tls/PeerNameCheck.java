// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Ends a connection whose other side has a trusted certificate of another host. It stands behind
 * TLS, which tells of a handshake before it passes on what came after. Event loop only.
 */
final class PeerNameCheck extends ChannelInboundHandlerAdapter {

  private final String host;
  private final SSLEngine engine;
  private final HostnameVerifier names;

  PeerNameCheck(String host, SSLEngine engine, HostnameVerifier names) {
    this.host = host;
    this.engine = engine;
    this.names = names;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent done
        && done.isSuccess()
        && !names.verify(host, engine.getSession())) {
      context.fireExceptionCaught(
          new SSLPeerUnverifiedException(
              "its certificate is not for "
                  + host
                  + " (hadoop.ssl.hostname.verifier sets what is compared)"));
      context.close();
      return;
    }
    context.fireUserEventTriggered(event);
  }
}
