// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.console.model.Decision;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.NodeSample;

/**
 * How far the decisions of a node's engines have been read. The last decision of a log may still
 * grow while equal ones follow it, so it is taken again when it has; who reads the store keeps the
 * later one. Any thread.
 */
final class DecisionCursor {

  private static final class At {
    long next = -1;
    long taken = -1;
    boolean settled;
  }

  private final Map<String, At> engines = new HashMap<>();
  private final Map<Long, Long> grown = new HashMap<>();

  /** Whether a snapshot shows that there may be decisions that were not read. */
  synchronized boolean wants(NodeSample sample) {
    boolean wants = false;
    for (EngineSample engine : sample.engines()) {
      At at = engines.computeIfAbsent(engine.id(), id -> new At());
      long next = engine.memory().nextDecision();
      if (next != at.next) {
        at.next = next;
        at.settled = false;
        wants |= next > 0;
      } else if (!at.settled) {
        at.settled = true;
        wants |= next > 0;
      }
    }
    engines.keySet().retainAll(sample.engines().stream().map(EngineSample::id).toList());
    return wants;
  }

  /** Whether decisions lie between those that were taken and these. */
  synchronized boolean gap(List<DecisionAdapter.Log> logs) {
    for (DecisionAdapter.Log log : logs) {
      At at = engines.get(log.engine());
      if (at != null
          && !log.decisions().isEmpty()
          && log.decisions().get(0).sequence() > at.taken + 1) {
        return true;
      }
    }
    return false;
  }

  /** What is new in these logs, or has grown. */
  synchronized List<Decision> take(List<DecisionAdapter.Log> logs) {
    List<Decision> fresh = new ArrayList<>();
    for (DecisionAdapter.Log log : logs) {
      At at = engines.computeIfAbsent(log.engine(), id -> new At());
      for (Decision decision : log.decisions()) {
        long key = 31L * log.engine().hashCode() + decision.sequence();
        boolean last = decision.sequence() == at.taken;
        if (decision.sequence() > at.taken
            || last && !Long.valueOf(decision.bytes()).equals(grown.get(key))) {
          fresh.add(decision);
        }
      }
      if (!log.decisions().isEmpty()) {
        Decision end = log.decisions().get(log.decisions().size() - 1);
        grown.remove(31L * log.engine().hashCode() + at.taken);
        at.taken = Math.max(at.taken, end.sequence());
        grown.put(31L * log.engine().hashCode() + end.sequence(), end.bytes());
      }
    }
    if (grown.size() > 1024) {
      grown.clear();
    }
    return fresh;
  }
}
