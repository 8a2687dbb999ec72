package org.mammoth.console.live;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  /** Rank of a severity, first to last. */
  private static final List<String> RANKS = List.of("master", "bad", "warn");

  private final ClusterView view;
  private final Map<String, Attention> groups = new LinkedHashMap<>();

  private AttentionList(ClusterView view) {
    this.view = view;
  }

  /**
   * All of it, grouped.
   *
   * @param lost engines that ended without having been asked to, by node
   */
  static List<Attention> of(ClusterView view, List<EngineLosses.Loss> lost) {
    AttentionList list = new AttentionList(view);
    view.masters()
        .forEach(
            (origin, error) -> {
              if (!error.isEmpty()) {
                list.groups.put(origin, new Attention("master", origin, "nodes", error, 1));
              }
            });
    list.jobs();
    for (EngineLosses.Loss loss : lost) {
      if (view.timeMs() - loss.atMs() < RECENT_MS) {
        list.add("bad", loss.node(), "nodes", "an engine ended while it ran tasks");
      }
    }
    for (NodeState node : view.nodes().values()) {
      list.reach(node);
      if (node.sample() != null) {
        list.fallbacks(node, node.sample());
        node.sample().engines().forEach(engine -> list.engine(node, engine));
      }
    }
    List<Attention> sorted = new ArrayList<>(list.groups.values());
    sorted.sort(
        Comparator.comparing((Attention item) -> RANKS.indexOf(item.severity()))
            .thenComparing(Comparator.comparing(Attention::count).reversed())
            .thenComparing(Attention::subject));
    sorted.replaceAll(
        item ->
            item.severity().equals("master")
                ? new Attention("bad", item.subject(), item.page(), item.text(), 1)
                : item);
    return sorted;
  }

  /** One more node of which this is so. */
  private void add(String severity, String node, String page, String text) {
    add(severity, node, page, text, 1);
  }

  private void add(String severity, String subject, String page, String text, long count) {
    groups.merge(
        severity + page + text,
        new Attention(severity, subject, page, text, count),
        (a, b) ->
            new Attention(a.severity(), a.subject(), a.page(), a.text(), a.count() + b.count()));
  }

  private void jobs() {
    for (JobSample job : view.jobs()) {
      if (job.finalStatus().equals("FAILED") && view.timeMs() - job.finishedMs() < RECENT_MS) {
        groups.put(
            job.id(),
            new Attention(
                "bad", job.id(), "jobs", job.name() + " of " + job.user() + " failed", 1));
      }
    }
  }

  private void fallbacks(NodeState node, NodeSample sample) {
    for (NodeSample.Fallback fallback : sample.lastFallbacks()) {
      // Both times are the node's own.
      if (sample.atMs() - fallback.atMs() < RECENT_MS) {
        add(
            "warn",
            node.id(),
            "nodes",
            "tasks ran in ordinary containers because " + fallback.reason());
      }
    }
  }

  private void reach(NodeState node) {
    switch (node.reach()) {
      case GONE, SLOW, REFUSED, FOREIGN ->
          add(
              node.reach() == NodeState.Reach.SLOW ? "warn" : "bad",
              node.id(),
              "nodes",
              word(node.reach()) + ": " + alike(node));
      default -> {
        if (node.yarnState().equals("UNHEALTHY") || node.yarnState().equals("LOST")) {
          add("bad", node.id(), "nodes", "YARN says " + node.yarnState());
        }
      }
    }
  }

  /** The reason without the node's own name, so that others' are the same. */
  private static String alike(NodeState node) {
    String reason = node.reason();
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
      add("warn", node.id(), "nodes", "an engine is drained: " + engine.draining());
    }
    if (!engine.problem().isEmpty()) {
      add("warn", node.id(), "nodes", "an engine: " + engine.problem());
    }
    if (engine.memory().pressure()) {
      add("warn", node.id(), "memory", "the pool of an engine is nearly full");
    }
    for (DiskSample disk : engine.disks()) {
      if (disk.oldestAgeMs() > STUCK_MS || disk.longestInFlightMs() > STUCK_MS) {
        add(
            "bad",
            node.id(),
            "queues",
            "disk " + disk.name() + " has kept a request for more than 30 s");
      }
      for (DiskSample.Dir dir : disk.dirs()) {
        if (!dir.reason().isEmpty()) {
          add("bad", node.id(), "queues", dir.path() + " is left out: " + dir.reason());
        }
      }
    }
  }
}
