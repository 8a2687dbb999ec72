package org.mammoth.console.live;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.mammoth.console.model.DiskSample;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.read.ClusterView;

/**
 * What needs somebody's attention, and why.
 *
 * @param severity "bad" or "warn"
 * @param subject a node's id, a master's origin, or "cluster"
 * @param page the page that shows more: nodes, memory, queues
 */
public record Attention(String severity, String subject, String page, String text) {

  private static final long STUCK_MS = 30_000;
  private static final int MOST = 100;

  /** The worst first, at most 100. */
  static List<Attention> of(ClusterView view) {
    List<Attention> list = new ArrayList<>();
    for (Map.Entry<String, String> master : view.masters().entrySet()) {
      if (!master.getValue().isEmpty()) {
        list.add(new Attention("bad", master.getKey(), "nodes", master.getValue()));
      }
    }
    for (NodeState node : view.nodes().values()) {
      reach(list, node);
      if (node.sample() != null) {
        for (EngineSample engine : node.sample().engines()) {
          engine(list, node, engine);
        }
      }
    }
    list.sort(Comparator.comparing(Attention::severity).thenComparing(Attention::subject));
    return list.size() > MOST ? new ArrayList<>(list.subList(0, MOST)) : list;
  }

  private static void reach(List<Attention> list, NodeState node) {
    switch (node.reach()) {
      case GONE, SLOW, REFUSED, FOREIGN ->
          list.add(
              new Attention(
                  node.reach() == NodeState.Reach.SLOW ? "warn" : "bad",
                  node.id(),
                  "nodes",
                  word(node.reach()) + ": " + node.reason()));
      default -> {
        if (node.yarnState().equals("UNHEALTHY") || node.yarnState().equals("LOST")) {
          list.add(new Attention("bad", node.id(), "nodes", "YARN says " + node.yarnState()));
        }
      }
    }
  }

  private static String word(NodeState.Reach reach) {
    return switch (reach) {
      case GONE -> "Unreachable";
      case SLOW -> "Slow";
      case REFUSED -> "Refuses the console";
      default -> "Answers in a way this version does not understand";
    };
  }

  private static void engine(List<Attention> list, NodeState node, EngineSample engine) {
    if (!engine.draining().isEmpty()) {
      list.add(
          new Attention(
              "warn", node.id(), "nodes", engine.id() + " is drained: " + engine.draining()));
    }
    if (!engine.problem().isEmpty()) {
      list.add(new Attention("warn", node.id(), "nodes", engine.id() + ": " + engine.problem()));
    }
    if (engine.memory().pressure()) {
      list.add(
          new Attention("warn", node.id(), "memory", engine.id() + ": the pool is nearly full"));
    }
    for (DiskSample disk : engine.disks()) {
      if (disk.oldestAgeMs() > STUCK_MS || disk.longestInFlightMs() > STUCK_MS) {
        list.add(
            new Attention(
                "bad",
                node.id(),
                "queues",
                "disk "
                    + disk.name()
                    + " has kept a request for "
                    + Math.max(disk.oldestAgeMs(), disk.longestInFlightMs()) / 1000
                    + " s"));
      }
      for (DiskSample.Dir dir : disk.dirs()) {
        if (!dir.reason().isEmpty()) {
          list.add(
              new Attention(
                  "bad", node.id(), "queues", dir.path() + " is left out: " + dir.reason()));
        }
      }
    }
  }
}
