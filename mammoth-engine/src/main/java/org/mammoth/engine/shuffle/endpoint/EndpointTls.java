// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.endpoint;

import java.io.Closeable;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.ShuffleKeys;
import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.tls.HadoopTls;

/**
 * What a process has of TLS. A side that has none opens nothing where the configuration wants TLS.
 *
 * @param server null for none
 * @param client null for none
 */
public record EndpointTls(HadoopTls server, HadoopTls client) implements Closeable {

  /**
   * For both sides, if the configuration wants TLS.
   *
   * @throws ShuffleException if one of them cannot be had
   */
  public static EndpointTls of(Configuration conf) throws ShuffleException {
    EndpointTls server = ofServer(conf);
    if (server.server == null) {
      return server;
    }
    boolean opened = false;
    try {
      EndpointTls both = new EndpointTls(server.server, HadoopTls.ofClient(conf));
      opened = true;
      return both;
    } finally {
      if (!opened) {
        server.close();
      }
    }
  }

  /**
   * For a process that only serves, if the configuration wants TLS.
   *
   * @throws ShuffleException if it cannot be had
   */
  public static EndpointTls ofServer(Configuration conf) throws ShuffleException {
    return new EndpointTls(
        conf.getBoolean(ShuffleKeys.SSL_ENABLED, false) ? HadoopTls.ofServer(conf) : null, null);
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
    if (client != null) {
      client.close();
    }
  }
}
