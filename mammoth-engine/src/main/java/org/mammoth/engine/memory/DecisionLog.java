package org.mammoth.engine.memory;

import java.util.ArrayList;
import java.util.List;

/** The last decisions of a scheduler, in a ring of fixed size. Any thread. */
public final class DecisionLog {

  private final MemoryDecision[] ring;
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

  /** How many events there ever were. */
  public synchronized long total() {
    return written;
  }
}
