// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The last decisions of a scheduler, in a ring of fixed size. Any thread. */
public final class DecisionLog {

  /**
   * An event and its place in the order of all events since the engine started.
   *
   * @param sequence 0 for the first
   */
  public record Numbered(long sequence, MemoryDecision decision) {}

  @GuardedBy("this")
  private final MemoryDecision[] ring;

  @GuardedBy("this")
  private final long[] byRule = new long[MemoryRule.values().length];

  @GuardedBy("this")
  private long written;

  /** An empty ring of {@code size} events, at least 1. */
  public DecisionLog(int size) {
    if (size < 1) {
      throw new IllegalArgumentException(
          "a ring of " + size + " decisions; raise mammoth.memory.decisions");
    }
    ring = new MemoryDecision[size];
  }

  synchronized void add(MemoryDecision decision) {
    byRule[decision.rule().ordinal()]++;
    int last = (int) ((written - 1 + ring.length) % ring.length);
    if (decision.continues(ring[last])) {
      ring[last] = decision.plus(ring[last]);
      return;
    }
    ring[(int) (written % ring.length)] = decision;
    written++;
  }

  /** What the ring holds, oldest first. */
  public synchronized List<MemoryDecision> recent() {
    List<MemoryDecision> decisions = new ArrayList<>();
    for (long i = Math.max(0, written - ring.length); i < written; i++) {
      decisions.add(ring[(int) (i % ring.length)]);
    }
    return decisions;
  }

  /**
   * Events in the order of their numbers. The last event of all may still grow, as equal decisions
   * are added up: whoever follows the log asks for the last number it has seen, not for the next.
   *
   * @param from number of the first that is wanted, or less than 0 for the latest {@code atMost};
   *     what the ring has forgotten is left out
   * @param atMost how many at most, the oldest first
   */
  public synchronized List<Numbered> since(long from, int atMost) {
    long wanted = from < 0 ? written - atMost : from;
    long first = Math.max(wanted, Math.max(0, written - ring.length));
    List<Numbered> events = new ArrayList<>();
    for (long i = first; i < written && events.size() < atMost; i++) {
      events.add(new Numbered(i, ring[(int) (i % ring.length)]));
    }
    return events;
  }

  /** How many decisions each rule has made since the engine started, added-up ones one by one. */
  public synchronized Map<MemoryRule, Long> byRule() {
    Map<MemoryRule, Long> counts = new EnumMap<>(MemoryRule.class);
    for (MemoryRule rule : MemoryRule.values()) {
      counts.put(rule, byRule[rule.ordinal()]);
    }
    return counts;
  }

  /** How many events there ever were. */
  public synchronized long total() {
    return written;
  }
}
