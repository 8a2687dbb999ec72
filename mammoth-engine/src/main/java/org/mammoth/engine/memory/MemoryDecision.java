// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.Objects;

/**
 * One decision of the cache scheduler. Equal decisions in a row are one event with the sum of their
 * bytes.
 *
 * @param nanos the scheduler's clock, that of the last one if several were added up
 * @param action what was done
 * @param who for whom; null for the scheduler's own, when the pool is nearly full
 * @param kind the kind of buffer asked for, or revoked
 * @param bytes how much
 * @param rule why
 * @param victim who has to give memory back, or who gets what {@code who} hands over; else null
 * @param waitedNanos how long the request waited, 0 if it did not
 */
public record MemoryDecision(
    long nanos,
    Action action,
    LeaseOwner who,
    BufferKind kind,
    long bytes,
    MemoryRule rule,
    LeaseOwner victim,
    long waitedNanos) {

  /** What was decided. */
  public enum Action {
    GRANT,
    REFUSE,
    WAIT,
    REVOKE,
    MOVE,
    LEAVE,
    END
  }

  boolean continues(MemoryDecision before) {
    return before != null
        && action == before.action
        && kind == before.kind
        && rule == before.rule
        && waitedNanos == 0
        && before.waitedNanos == 0
        && Objects.equals(who, before.who)
        && Objects.equals(victim, before.victim);
  }

  MemoryDecision plus(MemoryDecision before) {
    return new MemoryDecision(
        nanos, action, who, kind, bytes + before.bytes, rule, victim, waitedNanos);
  }
}
