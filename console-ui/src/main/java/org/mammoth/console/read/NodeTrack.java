// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import java.util.ArrayList;
import java.util.List;
import org.mammoth.console.model.CacheSample;
import org.mammoth.console.model.Decision;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.model.NodeState.Reach;

/**
 * One node's readings: the last of each kind, when to try again, and which decisions are new. Any
 * thread.
 */
final class NodeTrack {

  private static final long PERIOD_MS = 1000;

  /** A node without Mammoth may get it with the next restart; that need not be seen at once. */
  private static final long STOCK_PERIOD_MS = 15_000;

  private final long maxBackoffMs;
  private final DecisionCursor cursor = new DecisionCursor();
  private final HostRates rates = new HostRates();
  private List<Decision> fresh = new ArrayList<>();
  private Discovery.Found found;
  private Reach reach = Reach.NEW;
  private String reason = "";
  private NodeSample sample;
  private CacheSample cache;
  private String cacheUntold = "it was not read yet";
  private long triedMs;
  private long dueMs;
  private int failures;
  private boolean busy;
  private boolean asking;
  private boolean asked;

  NodeTrack(Discovery.Found found, long maxBackoffMs) {
    this.found = found;
    this.maxBackoffMs = maxBackoffMs;
  }

  synchronized void found(Discovery.Found now) {
    found = now;
  }

  synchronized Discovery.Found found() {
    return found;
  }

  DecisionCursor cursor() {
    return cursor;
  }

  HostRates rates() {
    return rates;
  }

  private boolean addressed() {
    return found.nodeManager() != null || found.dataNode() != null;
  }

  /** Takes the node for a reading if one is due; {@link #finish} or {@link #fail} ends it. */
  synchronized boolean begin(long nowMs) {
    if (busy || nowMs < dueMs || !addressed()) {
      return false;
    }
    busy = true;
    asking = found.dataNode() != null;
    triedMs = nowMs;
    return true;
  }

  /**
   * A reading succeeded.
   *
   * @param engines null if the NodeManager has none of our beans
   * @param slave what its DataNode said
   * @param decisions those that are new
   */
  synchronized void finish(NodeSample engines, NodeReader.Slave slave, List<Decision> decisions) {
    busy = false;
    asked = asking;
    failures = 0;
    reason = "";
    reach = engines == null && slave.cache() == null ? Reach.STOCK : Reach.OK;
    dueMs = nextBeat(reach == Reach.STOCK ? STOCK_PERIOD_MS : PERIOD_MS);
    cache = slave.cache();
    cacheUntold = slave.untold();
    sample = engines;
    fresh.addAll(decisions);
  }

  /** Readings keep their beat however long each takes, and do not run after what was missed. */
  private long nextBeat(long period) {
    return triedMs + period - 100;
  }

  /**
   * A reading failed, or that of its NodeManager.
   *
   * @param slave what its DataNode said; null if nothing is known of that either
   */
  synchronized void fail(long nowMs, Throwable failure, NodeReader.Slave slave) {
    busy = false;
    asked = asking;
    failures++;
    reach = Failures.reach(failure);
    reason = Failures.text(failure);
    sample = null;
    cache = slave == null ? null : slave.cache();
    cacheUntold = slave == null ? reason : slave.untold();
    dueMs = nowMs + Math.min(maxBackoffMs, PERIOD_MS << Math.min(failures, 16));
  }

  /** Decisions that were not there at the last call. */
  synchronized List<Decision> takeFresh() {
    if (fresh.isEmpty()) {
      return List.of();
    }
    List<Decision> taken = fresh;
    fresh = new ArrayList<>();
    return taken;
  }

  /** A DataNode that was named after the last reading is still to be asked. */
  private String cacheUntold(boolean dataNodesTold) {
    if (found.dataNode() == null) {
      return dataNodesTold ? "" : "no NameNode has told yet which DataNodes there are";
    }
    return cache == null && !asked ? "it was not read yet" : cacheUntold;
  }

  /**
   * The node as it is known now.
   *
   * @param dataNodesTold whether a NameNode has said which DataNodes there are
   */
  synchronized NodeState state(boolean dataNodesTold) {
    return new NodeState(
        found.id(),
        found.host(),
        found.rack(),
        found.nodeManager(),
        found.dataNode(),
        found.yarnState(),
        found.version(),
        // What was read of one that has no address any more is of a daemon that is no more.
        addressed() ? reach : Reach.NEW,
        addressed() ? reason : "",
        triedMs,
        addressed() ? sample : null,
        addressed() ? cache : null,
        cacheUntold(dataNodesTold),
        found.dfs());
  }
}
