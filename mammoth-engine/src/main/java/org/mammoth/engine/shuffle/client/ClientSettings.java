// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.ShuffleKeys;

/**
 * What a node's configuration says about how it fetches. Immutable.
 *
 * @param tls whether map output may cross the network only under TLS
 * @param chunkBytes size of the chunks asked for
 * @param windowBytes bytes of one fetch under way at once
 * @param connectionsPerNode connections to one address at most
 * @param connections to all addresses at most
 * @param patience how long to wait for what
 */
public record ClientSettings(
    boolean tls,
    int chunkBytes,
    long windowBytes,
    int connectionsPerNode,
    int connections,
    Patience patience) {

  /**
   * All in milliseconds.
   *
   * @param probe for a new connection to greet
   * @param negative before an address that is not ours is tried again
   * @param reconnectMin first pause after a failed connection
   * @param reconnectMax longest such pause
   * @param idle silence after which a connection is closed
   * @param fetch silence after which a fetch fails
   */
  public record Patience(
      long probe, long negative, long reconnectMin, long reconnectMax, long idle, long fetch) {}

  /**
   * Reads the keys of {@link ShuffleKeys}.
   *
   * @throws IllegalArgumentException if a value is out of its range
   */
  public static ClientSettings from(Configuration conf) {
    return new ClientSettings(
        conf.getBoolean(ShuffleKeys.SSL_ENABLED, false),
        ShuffleKeys.CHUNK_BYTES.get(conf).intValue(),
        ShuffleKeys.WINDOW_BYTES.get(conf),
        ShuffleKeys.CONNECTIONS_PER_NODE.get(conf).intValue(),
        ShuffleKeys.MAX_CONNECTIONS.get(conf).intValue(),
        new Patience(
            ShuffleKeys.PROBE_TIMEOUT_MS.get(conf),
            ShuffleKeys.PROBE_NEGATIVE_MS.get(conf),
            ShuffleKeys.RECONNECT_MIN_MS.get(conf),
            ShuffleKeys.RECONNECT_MAX_MS.get(conf),
            ShuffleKeys.IDLE_TIMEOUT_MS.get(conf),
            ShuffleKeys.FETCH_TIMEOUT_MS.get(conf)));
  }
}
