// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.mammoth.console.live.Moment;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.read.ClusterWatch;

/** A moment, and what can be said of it at all. One thread. */
final class Facts {

  /** What YARN says of nodes that have left in order: nothing of them is lost. */
  private static final Set<String> LEFT = Set.of("SHUTDOWN", "DECOMMISSIONED");

  private final Moment moment;
  private final Map<String, String> lost = new HashMap<>();
  private final Set<String> left = new HashSet<>();
  private final boolean mastersTell;

  /**
   * @param names the ids of nodes by their hosts, as they were when they had an address; what this
   *     moment tells is added
   */
  Facts(Moment moment, Map<String, String> names) {
    this.moment = moment;
    for (NodeState node : moment.view().nodes().values()) {
      if (addressed(node)) {
        names.put(node.host(), node.id());
      }
    }
    for (NodeState node : moment.view().nodes().values()) {
      if (!addressed(node)) {
        // A node that YARN has lost has no address any more, and so another id.
        String id = names.getOrDefault(node.host(), node.id());
        if (LEFT.contains(node.yarnState())) {
          left.add(id);
        } else {
          lost.put(id, node.yarnState());
        }
      }
    }
    mastersTell = moment.view().masters().values().stream().allMatch(String::isEmpty);
  }

  static boolean addressed(NodeState node) {
    return node.nodeManager() != null || node.dataNode() != null;
  }

  Moment moment() {
    return moment;
  }

  long nowMs() {
    return moment.view().timeMs();
  }

  /**
   * What YARN says of nodes that have no address and did not leave in order, by their former id.
   */
  Map<String, String> lost() {
    return lost;
  }

  /** Whether a master's error is only that nobody has asked it. */
  static boolean notAsked(String error) {
    return error.equals(ClusterWatch.NOT_ASKED);
  }

  /** Whether nothing is known of the engines of a node, which need not mean that it is well. */
  boolean untold(String id) {
    NodeState node = moment.view().nodes().get(id);
    if (node != null && addressed(node)) {
      return node.enginesUntold();
    }
    return gone(id);
  }

  /** Whether a node is not named now, and that need not mean that it has left. */
  boolean gone(String id) {
    NodeState node = moment.view().nodes().get(id);
    // That it has left in order is known from the master that says so, whatever others do.
    return (node == null || !addressed(node))
        && (lost.containsKey(id) || !mastersTell && !left.contains(id));
  }
}
