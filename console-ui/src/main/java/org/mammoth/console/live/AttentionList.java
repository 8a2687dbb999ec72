// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.live;

import java.util.List;
import org.mammoth.console.model.DiskSample;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.read.ClusterView;

/**
 * Finds what needs attention in a view of the cluster: masters first, then what is bad, what most
 * nodes have before what few have. One thread.
 */
final class AttentionList {

  private static final long STUCK_MS = 30_000;

  /** How long a failed job, a fall-back and a lost engine are told of. */
  private static final long RECENT_MS = 3_600_000;

  /** How many of its last fall-backs a node keeps. */
  private static final int KEPT_FALLBACKS = 64;

  private final ClusterView view;
  private final AttentionGroups groups = new AttentionGroups();

  private AttentionList(ClusterView view) {
    this.view = view;
  }

  /**
   * All of it, grouped.
   *
   * @param lost engines that ended without having been asked to, by node
   */
  static AttentionGroups of(ClusterView view, List<EngineLosses.Loss> lost) {
    AttentionList list = new AttentionList(view);
    view.masters()
        .forEach(
            (origin, error) -> {
              if (!error.isEmpty()) {
                list.groups.add("master", origin, "nodes", error, origin, false);
              }
            });
    list.jobs();
    for (EngineLosses.Loss loss : lost) {
      if (view.timeMs() - loss.atMs() < RECENT_MS) {
        list.groups.add("bad", loss.node(), "nodes", "an engine ended while it ran tasks");
      }
    }
    for (NodeState node : view.nodes().values()) {
      list.reach(node);
      list.disks(node);
      if (node.current() && !node.cacheUntold().isEmpty() && node.dataNode() != null) {
        String said = alike(node, node.cacheUntold());
        list.groups.add("warn", node.id(), "nodes", "its SSD cache is not known: " + said);
      }
      if (node.sample() != null) {
        list.fallbacks(node, node.sample());
        node.sample().engines().forEach(engine -> list.engine(node, engine));
      }
    }
    return list.groups;
  }

  private void jobs() {
    for (JobSample job : view.jobs()) {
      if (job.finalStatus().equals("FAILED") && view.timeMs() - job.endSeenMs() < RECENT_MS) {
        String said = job.name() + " of " + job.user() + " failed";
        groups.add("bad", job.id(), "jobs", said, job.user(), false);
      }
    }
  }

  private void fallbacks(NodeState node, NodeSample sample) {
    List<NodeSample.Fallback> recent =
        sample.lastFallbacks().stream()
            // Both times are the node's own.
            .filter(fallback -> sample.atMs() - fallback.atMs() < RECENT_MS)
            .toList();
    boolean more = recent.size() >= KEPT_FALLBACKS && sample.fallbacks() > recent.size();
    for (NodeSample.Fallback fallback : recent) {
      groups.add(
          "warn",
          node.id(),
          "nodes",
          "tasks ran in ordinary containers because " + fallback.reason(),
          "",
          more);
    }
  }

  private void reach(NodeState node) {
    switch (node.reach()) {
      case GONE, SLOW, REFUSED, FOREIGN ->
          groups.add(
              node.reach() == NodeState.Reach.SLOW ? "warn" : "bad",
              node.id(),
              "nodes",
              word(node.reach()) + ": " + alike(node, node.reason()));
      default -> {
        if (node.yarnState().equals("UNHEALTHY") || node.yarnState().equals("LOST")) {
          groups.add("bad", node.id(), "nodes", "YARN says " + node.yarnState());
        }
      }
    }
  }

  private void disks(NodeState node) {
    if (node.badLocalDirs() > 0) {
      groups.add("bad", node.id(), "health", "its NodeManager has left local folders out");
    }
    if (node.failedVolumes() > 0) {
      groups.add("bad", node.id(), "health", "disks of its DataNode have failed");
    }
  }

  /** The reason without the node's own name, so that others' are the same. */
  private static String alike(NodeState node, String said) {
    String reason = said;
    for (String name : new String[] {node.nodeManager(), node.dataNode(), node.id(), node.host()}) {
      if (name != null && !name.isEmpty()) {
        reason = reason.replace(name, "it");
      }
    }
    return reason;
  }

  private static String word(NodeState.Reach reach) {
    return switch (reach) {
      case GONE -> "Unreachable";
      case SLOW -> "Slow";
      case REFUSED -> "Refuses the console";
      default -> "Answers in a way this version does not understand";
    };
  }

  private void engine(NodeState node, EngineSample engine) {
    if (!engine.draining().isEmpty()) {
      groups.add("warn", node.id(), "nodes", "an engine is drained: " + engine.draining());
    }
    if (!engine.problem().isEmpty()) {
      groups.add("warn", node.id(), "nodes", "an engine: " + engine.problem());
    }
    if (engine.memory().pressure()) {
      groups.add("warn", node.id(), "memory", "the pool of an engine is nearly full");
    }
    for (DiskSample disk : engine.disks()) {
      if (disk.oldestAgeMs() > STUCK_MS || disk.longestInFlightMs() > STUCK_MS) {
        groups.add(
            "bad",
            node.id(),
            "queues",
            "disk " + disk.name() + " has kept a request for more than 30 s");
      }
      for (DiskSample.Dir dir : disk.dirs()) {
        if (!dir.reason().isEmpty()) {
          groups.add("bad", node.id(), "queues", dir.path() + " is left out: " + dir.reason());
        }
      }
    }
  }
}
