// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.mammoth.console.live.EngineLosses;
import org.mammoth.console.live.Moment;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.Event;
import org.mammoth.console.model.Event.Kind;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.NodeState;

/**
 * Notices what happens by comparing moments: jobs, engines and nodes that come and go. What was
 * there when the console began to look is no event. One thread.
 */
final class ClusterEvents {

  /** Within this time of the start all that is seen was there before. */
  private static final long SETTLE_MS = 30_000;

  /** A job that is first seen so soon after it started or ended did so while the console looked. */
  private static final long FRESH_MS = 60_000;

  /** How long a node has to be unreadable before that is an event. */
  private static final long GONE_MS = 10_000;

  private final EventLog log;
  private final Map<String, Node> nodes = new HashMap<>();
  private final Map<String, Boolean> jobs = new HashMap<>();
  private final Set<String> written = new HashSet<>();
  private boolean begun;
  private long beganMs;

  private static final class Node {
    private Map<String, EngineSample> engines;
    private long badMs;
    private boolean away;
  }

  ClusterEvents(EventLog log) {
    this.log = log;
  }

  /** Looks at the next moment. */
  void see(Moment moment) {
    long now = moment.view().timeMs();
    if (!begun) {
      begun = true;
      beganMs = now;
      // An earlier process may have written the same less than a minute ago.
      log.read(now - 2 * FRESH_MS, now, event -> !event.job().isEmpty(), 10_000)
          .forEach(event -> written.add(event.kind() + event.job()));
    }
    boolean settled = now - beganMs >= SETTLE_MS;
    if (settled && !written.isEmpty() && now - beganMs > 2 * FRESH_MS) {
      written.clear();
    }
    for (JobSample job : moment.view().jobs()) {
      job(job, now);
    }
    Set<String> listed = new HashSet<>();
    moment.view().jobs().forEach(job -> listed.add(job.id()));
    jobs.keySet().retainAll(listed);
    for (NodeState node : moment.view().nodes().values()) {
      node(moment, node, now, settled);
    }
    nodes
        .keySet()
        .removeIf(
            id -> {
              boolean left = !moment.view().nodes().containsKey(id);
              if (left && !isKnownByAnotherName(moment, id)) {
                log.add(Event.of(now, Kind.NODE_GONE, id, "", "its masters name it no more"));
              }
              return left;
            });
  }

  /** A DataNode has the name of its host's NodeManager once that is there. */
  private static boolean isKnownByAnotherName(Moment moment, String id) {
    String host = id.substring(0, Math.max(0, id.lastIndexOf(':')));
    return moment.view().nodes().values().stream()
        .anyMatch(node -> node.nodeManager() != null && node.host().equals(host));
  }

  private void job(JobSample job, long now) {
    Boolean ran = jobs.put(job.id(), job.running());
    if (ran == null && now - job.startedMs() < FRESH_MS) {
      add(job, Kind.JOB_STARTED, "", job.name() + " started", now);
    }
    boolean ended = ran == null ? now - job.endSeenMs() < FRESH_MS : ran;
    if (!job.running() && ended) {
      boolean failed = job.finalStatus().equals("FAILED");
      String how = job.finalStatus().toLowerCase(java.util.Locale.ROOT);
      add(job, Kind.JOB_ENDED, failed ? "warning" : "", job.name() + " " + how, now);
    }
  }

  private void add(JobSample job, Kind kind, String severity, String text, long now) {
    if (!written.contains(kind + job.id())) {
      String result = kind == Kind.JOB_ENDED ? job.finalStatus() : "";
      log.add(new Event(now, kind, severity, "", job.id(), job.user(), result, text));
    }
  }

  private void node(Moment moment, NodeState node, long now, boolean settled) {
    Node known = nodes.get(node.id());
    if (known == null) {
      known = new Node();
      nodes.put(node.id(), known);
      if (settled) {
        log.add(Event.of(now, Kind.NODE_JOINED, node.id(), "", "joined"));
      }
    }
    reach(known, node, now, settled);
    if (node.sample() == null) {
      return;
    }
    Map<String, EngineSample> engines = new HashMap<>();
    node.sample().engines().forEach(engine -> engines.put(engine.id(), engine));
    Map<String, EngineSample> before = known.engines;
    known.engines = engines;
    if (before == null) {
      return;
    }
    for (String id : engines.keySet()) {
      if (!before.containsKey(id)) {
        log.add(Event.of(now, Kind.ENGINE_STARTED, node.id(), id, "engine started"));
      }
    }
    for (EngineSample engine : before.values()) {
      if (!engines.containsKey(engine.id())) {
        log.add(ended(moment, node.id(), engine, now));
      }
    }
  }

  private static Event ended(Moment moment, String node, EngineSample engine, long now) {
    boolean lost = false;
    for (EngineLosses.Loss loss : moment.lost()) {
      lost |= loss.engine().equals(engine.id()) && loss.node().equals(node);
    }
    String how =
        lost
            ? "engine ended while it ran tasks"
            : engine.draining().isEmpty() ? "idle engine ended" : "drained engine ended";
    return new Event(
        now, Kind.ENGINE_ENDED, lost ? "critical" : "", node, "", "", engine.id(), how);
  }

  private void reach(Node known, NodeState node, long now, boolean settled) {
    boolean well =
        switch (node.reach()) {
          case OK, STOCK, FOREIGN -> true;
          default -> false;
        };
    if (node.reach() == NodeState.Reach.NEW) {
      return;
    }
    if (well) {
      if (known.away) {
        log.add(Event.of(now, Kind.NODE_BACK, node.id(), "", "answers again"));
      }
      known.away = false;
      known.badMs = 0;
    } else if (known.badMs == 0) {
      known.badMs = now;
    } else if (!known.away && now - known.badMs >= GONE_MS) {
      known.away = true;
      if (settled) {
        log.add(
            new Event(
                now, Kind.NODE_GONE, "warning", node.id(), "", "", "", "gone: " + node.reason()));
      }
    }
  }
}
