// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.util.HashMap;
import java.util.Map;

/** What a reduce has subscribed to at other nodes. The reduce's thread. */
final class Subscriptions {

  private final RemoteLink link;
  private final PushedSegments.Arrivals arrivals;
  private final Map<RemoteNode, PushedSegments> open = new HashMap<>();
  private boolean ended;

  /**
   * @param arrivals takes what is pushed
   */
  Subscriptions(RemoteLink link, PushedSegments.Arrivals arrivals) {
    this.link = link;
    this.arrivals = arrivals;
  }

  /** Subscribes at a node's engine, anew if it has been. */
  void subscribe(RemoteNode node) {
    unsubscribe(node);
    if (!link.options().push() || ended) {
      return;
    }
    long window = link.options().windowBytes();
    open.put(
        node,
        new PushedSegments(arrivals, window)
            .open(
                receiver ->
                    link.client()
                        .subscribeShared(
                            node.engine(),
                            link.job(),
                            link.partition(),
                            link.attempt(),
                            window,
                            receiver)));
  }

  /** An engine that did not know the job when it was subscribed to may know it by now. */
  void subscribeAgain(RemoteNode node) {
    PushedSegments pushed = open.get(node);
    if (pushed != null && pushed.hasEnded() && node.engine() != null) {
      subscribe(node);
    }
  }

  void unsubscribe(RemoteNode node) {
    PushedSegments old = open.remove(node);
    if (old != null) {
      old.close();
    }
  }

  /** Ends one of them. */
  void end(PushedSegments pusher) {
    open.values().remove(pusher);
    pusher.close();
  }

  /** Ends all, and makes no more. Safe to call twice. */
  void end() {
    ended = true;
    open.values().forEach(PushedSegments::close);
    open.clear();
  }
}
