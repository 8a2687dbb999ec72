// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.read.ClusterView;

/**
 * Notices engines that are gone although they ran tasks and nobody drained them: what an idle
 * engine does when its time has come is no loss. One thread.
 */
public final class EngineLosses {

  private static final int MOST = 10_000;

  private final Map<String, Map<String, EngineSample>> before = new HashMap<>();
  private final Deque<Loss> losses = new ArrayDeque<>();

  /** An engine that is gone, as of when. */
  public record Loss(String node, String engine, long atMs) {}

  /** As the node says; where it is of an earlier release, as the engine looked a second before. */
  private static boolean lost(EngineSample engine, NodeSample said) {
    for (NodeSample.Ended end : said.ended()) {
      if (end.id().equals(engine.id())) {
        return end.lostContainers() > 0;
      }
    }
    return engine.counts().running() > 0 && engine.draining().isEmpty();
  }

  /** All that were noticed, after a look at this view. */
  public List<Loss> see(ClusterView view) {
    before.keySet().retainAll(view.nodes().keySet());
    for (NodeState node : view.nodes().values()) {
      // A node that does not answer may have all its engines.
      if (node.sample() == null) {
        continue;
      }
      Map<String, EngineSample> now = new HashMap<>();
      node.sample().engines().forEach(engine -> now.put(engine.id(), engine));
      Map<String, EngineSample> old = before.put(node.id(), now);
      if (old == null) {
        continue;
      }
      for (EngineSample engine : old.values()) {
        if (!now.containsKey(engine.id()) && lost(engine, node.sample())) {
          losses.addLast(new Loss(node.id(), engine.id(), view.timeMs()));
        }
      }
    }
    while (losses.size() > MOST) {
      losses.removeFirst();
    }
    return new ArrayList<>(losses);
  }
}
