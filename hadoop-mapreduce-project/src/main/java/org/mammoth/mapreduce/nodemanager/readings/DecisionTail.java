// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.readings;

import java.util.ArrayDeque;
import java.util.List;
import org.mammoth.api.status.EngineDecisions;

/** The last decisions of one engine, read on from where the last reading ended. Not thread-safe. */
final class DecisionTail {

  private final int capacity;
  private final ArrayDeque<EngineDecisions.Decision> last = new ArrayDeque<>();
  private long next;

  /**
   * @param capacity decisions that are kept, at least 1
   */
  DecisionTail(int capacity) {
    this.capacity = capacity;
  }

  /** Number of the first decision to ask for: the last one known, as it may have grown. */
  long from() {
    return last.isEmpty() ? -1 : last.getLast().sequence();
  }

  /** Takes the answer to a question for decisions from {@link #from} on. */
  void add(EngineDecisions page) {
    for (EngineDecisions.Decision decision : page.decisions()) {
      while (!last.isEmpty() && last.getLast().sequence() >= decision.sequence()) {
        last.removeLast();
      }
      last.addLast(decision);
      if (last.size() > capacity) {
        last.removeFirst();
      }
    }
    next = page.next();
  }

  /** Whether the engine has had more to tell than fitted its answers. */
  boolean isBehind() {
    return !last.isEmpty() && last.getLast().sequence() < next - 1;
  }

  /** Number the engine's next decision will have. */
  long next() {
    return next;
  }

  List<EngineDecisions.Decision> decisions() {
    return List.copyOf(last);
  }
}
