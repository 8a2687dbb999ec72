// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.ShuffleKeys;

/**
 * What a node's configuration says about its shuffle server. Immutable.
 *
 * @param host address to listen on
 * @param port port to listen on, 0 for any
 * @param tls whether map output may leave only under TLS
 * @param maxChunk largest chunk in bytes
 * @param connectionBytes map output held for one connection, in bytes
 * @param totalBytes map output held for all connections, in bytes
 * @param limits numbers of connections and streams
 * @param handshakeTimeoutMs how long a connection may be without an authenticated job
 * @param idleTimeoutMs how long a connection may be silent
 */
public record ServerSettings(
    String host,
    int port,
    boolean tls,
    int maxChunk,
    long connectionBytes,
    long totalBytes,
    Limits limits,
    long handshakeTimeoutMs,
    long idleTimeoutMs) {

  /**
   * How many.
   *
   * @param connections connections of the server
   * @param streams streams of a connection
   */
  public record Limits(int connections, int streams) {}

  /**
   * Reads the keys of {@link ShuffleKeys}.
   *
   * @throws IllegalArgumentException if a value is out of its range
   */
  public static ServerSettings from(Configuration conf) {
    int chunk = ShuffleKeys.CHUNK_BYTES.get(conf).intValue();
    long total = ShuffleKeys.SERVER_BUFFER_BYTES.get(conf);
    if (total < chunk) {
      throw new IllegalArgumentException(
          ShuffleKeys.SERVER_BUFFER_BYTES.name()
              + " is "
              + total
              + ", less than one chunk of "
              + ShuffleKeys.CHUNK_BYTES.name()
              + ", "
              + chunk
              + " bytes. Raise the former or lower the latter.");
    }
    return new ServerSettings(
        ShuffleKeys.BIND_HOST.get(conf),
        ShuffleKeys.PORT.get(conf).intValue(),
        conf.getBoolean(ShuffleKeys.SSL_ENABLED, false),
        chunk,
        ShuffleKeys.CONNECTION_BUFFER_BYTES.get(conf),
        total,
        new Limits(
            ShuffleKeys.MAX_CONNECTIONS.get(conf).intValue(),
            ShuffleKeys.MAX_STREAMS.get(conf).intValue()),
        ShuffleKeys.HANDSHAKE_TIMEOUT_MS.get(conf),
        ShuffleKeys.IDLE_TIMEOUT_MS.get(conf));
  }

  /** The same on another port; 0 for any. */
  public ServerSettings onPort(int other) {
    return new ServerSettings(
        host,
        other,
        tls,
        maxChunk,
        connectionBytes,
        totalBytes,
        limits,
        handshakeTimeoutMs,
        idleTimeoutMs);
  }
}
