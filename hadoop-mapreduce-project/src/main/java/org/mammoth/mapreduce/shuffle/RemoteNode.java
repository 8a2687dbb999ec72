// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.mammoth.engine.shuffle.FetchException;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.mapreduce.transfer.Peer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Another node as one reduce knows it: what the engine knows of it, and how it has served this
 * reduce. The reduce's thread only.
 */
final class RemoteNode {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteNode.class);

  private final RemoteLink link;
  private final Peer peer;
  private final Consumer<RemoteNode> opened;
  private boolean stock;
  private InetSocketAddress engine;
  private int silences;
  private long silentAt;

  /**
   * A node of which this reduce knows nothing yet.
   *
   * @param opened told when an engine is found at an address at which there was none before
   */
  RemoteNode(RemoteLink link, Peer peer, Consumer<RemoteNode> opened) {
    this.link = link;
    this.peer = peer;
    this.opened = opened;
  }

  /** Where its engine was found; null before. */
  InetSocketAddress engine() {
    return engine;
  }

  /** Whether nothing is asked of it any more. */
  boolean isStock() {
    return stock;
  }

  /** Gives the address of its engine, now or when the node has answered; null if there is none. */
  void whenKnown(Consumer<InetSocketAddress> user) {
    InetSocketAddress known = peer.engine();
    if (stock) {
      user.accept(null);
    } else if (known != null) {
      found(known);
      user.accept(known);
    } else {
      peer.whenKnown(
          (address, failure) -> link.inbox().post(() -> answered(address, failure, user)));
    }
  }

  private void answered(
      InetSocketAddress address, Throwable failure, Consumer<InetSocketAddress> user) {
    if (failure instanceof FetchException known && isForGood(known.reason())) {
      leaveToStock(known);
    }
    if (address != null && !stock) {
      found(address);
    }
    user.accept(stock ? null : address);
  }

  private void found(InetSocketAddress address) {
    boolean isNew = !address.equals(engine);
    engine = address;
    if (isNew) {
      opened.accept(this);
    }
  }

  /** One whole output more has come from here. */
  void gave() {
    silences = 0;
  }

  /**
   * Something asked of it brought nothing until it timed out.
   *
   * @param since when it was asked, on the link's clock
   * @return how often this happened, one time after the other, since an output came
   */
  int wasSilent(long since) {
    if (silences == 0 || since - silentAt >= 0) {
      silences++;
      silentAt = link.clock().nanoTime();
    }
    return silences;
  }

  /** The engine does not answer any more: the node is asked again before it is used. */
  void doubt() {
    if (engine != null) {
      peer.doubt(engine);
    }
  }

  /** Nothing is asked of this node any more. */
  void leaveToStock(Throwable why) {
    if (!stock) {
      stock = true;
      LOG.info("Map output of {} is fetched in the stock way: {}", this, why.getMessage());
    }
  }

  /** Whether nothing on that node will ever speak to this job. */
  static boolean isForGood(Reason reason) {
    return switch (reason) {
      case NOT_OURS, TLS, VERSION, BAD_PROOF -> true;
      default -> false;
    };
  }

  @Override
  public String toString() {
    return peer.host();
  }
}
