// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.tls;

import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLSession;
import org.apache.http.conn.ssl.DefaultHostnameVerifier;

/**
 * Which names a certificate stands for, as stock's fetchers see it: what RFC 2818 says, as every
 * HTTPS connection of Java's asks first, and what {@code hadoop.ssl.hostname.verifier} allows
 * beyond. Any thread.
 */
final class PeerNames implements HostnameVerifier {

  private final HostnameVerifier rfc = new DefaultHostnameVerifier();
  private final HostnameVerifier configured;

  PeerNames(HostnameVerifier configured) {
    this.configured = configured;
  }

  @Override
  public boolean verify(String host, SSLSession session) {
    return rfc.verify(host, session) || configured.verify(host, session);
  }
}
