// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.transfer;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntUnaryOperator;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.client.ShuffleClient;

/**
 * Where the engines of a job's user serve map output, as one engine knows: each node is asked once
 * for all reduces of the job. Any thread.
 */
public final class PeerDirectory {

  private final String job;
  private final ShuffleClient client;
  private final Scheduler clock;
  private final IntUnaryOperator askedAt;
  private final Peer.Patience patience;
  private final Map<String, Peer> peers = new ConcurrentHashMap<>();

  /**
   * A directory that knows nothing yet.
   *
   * @param askedAt the port on which a node is asked for its engine, by the port of its stock
   *     shuffle
   */
  public PeerDirectory(
      String job,
      ShuffleClient client,
      Scheduler clock,
      IntUnaryOperator askedAt,
      Peer.Patience patience) {
    this.job = job;
    this.client = client;
    this.clock = clock;
    this.askedAt = askedAt;
    this.patience = patience;
  }

  /** The node whose stock shuffle listens at {@code port} of {@code host}. */
  public Peer peer(String host, int port) {
    return peers.computeIfAbsent(
        host + ":" + port,
        name ->
            new Peer(
                job,
                host,
                askedAt.applyAsInt(port),
                client,
                clock,
                patience,
                InetSocketAddress::new));
  }

  /** Nodes it has heard of. */
  public int size() {
    return peers.size();
  }
}
