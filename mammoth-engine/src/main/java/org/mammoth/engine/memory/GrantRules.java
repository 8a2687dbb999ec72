// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import org.mammoth.engine.memory.CentralMemoryManager.Quotas;

/**
 * Who may have a unit, and who first. Every request is for one unit, so the paper's "smallest
 * request first" has become: the job with the least memory per weight, then the attempt that holds
 * least, then the oldest; with the aging of the authors' released code, after three of its kind
 * were served before it, and one more that works across kinds, so that nobody waits for ever.
 */
final class GrantRules {

  /** How often requests of its own kind may overtake one before it becomes the first of them. */
  static final int AGED_AFTER = 3;

  /** How often requests of any kind may overtake one before only guaranteed ones go before it. */
  static final int STARVING_AFTER = 32;

  /**
   * How long a job that was refused counts as wanting what comes free: a map asks again with its
   * next run.
   */
  static final long WANTS_NANOS = 2_000_000_000L;

  private final MemoryState state;

  GrantRules(MemoryState state) {
    this.state = state;
  }

  /**
   * The rule that decides a request now.
   *
   * @param waits whether the request would rather wait than go to disk
   */
  MemoryRule decide(PooledSource source, boolean waits) {
    long free = state.free();
    if (source.kind == BufferKind.SORT && source.held < state.maps.guaranteed()) {
      return free > 0 ? MemoryRule.GUARANTEED : MemoryRule.NO_ROOM;
    }
    if (free <= state.maps.untakenGuarantee()) {
      return MemoryRule.NO_ROOM;
    }
    Quotas quotas = state.quotas();
    if (source.kind == BufferKind.RECEIVE) {
      long quota = state.quotaOf(source);
      if (source.held < quota) {
        return MemoryRule.ROOM;
      }
      return source.held == 0 ? MemoryRule.FLOOR : MemoryRule.QUOTA;
    }
    if (source.kind == BufferKind.SEND && !waits && free <= state.sortReserve(quotas)) {
      return MemoryRule.RESERVE;
    }
    long maps = state.used(BufferKind.SORT) + state.used(BufferKind.SEND);
    return maps < quotas.map() ? MemoryRule.ROOM : MemoryRule.BORROWED;
  }

  /**
   * The rule that decides a request that does not wait, at {@code now}. Whoever asks first would
   * get all that comes free, so a job that has its share leaves it to poorer jobs that want it.
   */
  MemoryRule decidePoll(PooledSource source, long now) {
    MemoryRule rule = decide(source, false);
    boolean mayWeigh = rule == MemoryRule.ROOM || rule == MemoryRule.BORROWED;
    if (mayWeigh && source.kind != BufferKind.RECEIVE && mustLeave(source, now)) {
      return MemoryRule.SHARE;
    }
    return rule;
  }

  private boolean mustLeave(PooledSource source, long now) {
    if (state.jobs().size() < 2 || state.overShare(source.job) < 0) {
      return false;
    }
    for (JobAccount other : state.jobs()) {
      if (other != source.job
          && other.active()
          && other.refusedSince(source.kind, now - WANTS_NANOS)
          && state.overShare(other) < 0) {
        return true;
      }
    }
    return false;
  }

  /** The waiting request to be served next, or null if none may be. */
  Ticket next() {
    Ticket best = null;
    for (Ticket ticket : state.waiting) {
      if ((best == null || before(ticket, best)) && decide(ticket.source, true).grants()) {
        best = ticket;
      }
    }
    return best;
  }

  /** The rule to be recorded for a request that waited and is served now. */
  MemoryRule ruleFor(Ticket ticket) {
    MemoryRule rule = decide(ticket.source, true);
    if (rule == MemoryRule.GUARANTEED) {
      return rule;
    }
    if (starving(ticket)) {
      return MemoryRule.STARVING;
    }
    return aged(ticket) ? MemoryRule.AGED : rule;
  }

  /** Says that a request was served, so that those it overtook grow older. */
  void served(PooledSource source) {
    for (Ticket ticket : state.waiting) {
      ticket.passedByAny++;
      if (ticket.source.kind == source.kind) {
        ticket.passed++;
      }
    }
  }

  static boolean starving(Ticket ticket) {
    return ticket.passedByAny > STARVING_AFTER;
  }

  private static boolean aged(Ticket ticket) {
    return ticket.passed > AGED_AFTER;
  }

  private boolean guaranteed(Ticket ticket) {
    return ticket.source.kind == BufferKind.SORT && ticket.source.held < state.maps.guaranteed();
  }

  /** Whether {@code a} goes before {@code b}, which waits longer if nothing else tells. */
  private boolean before(Ticket a, Ticket b) {
    if (guaranteed(a) != guaranteed(b)) {
      return guaranteed(a);
    }
    if (starving(a) != starving(b)) {
      return starving(a);
    }
    if (starving(a)) {
      return false;
    }
    if (a.source.kind != b.source.kind) {
      return a.source.kind.compareTo(b.source.kind) < 0;
    }
    if (aged(a) || aged(b)) {
      return aged(a) && !aged(b);
    }
    int byLoad = Double.compare(a.source.job.load(), b.source.job.load());
    return byLoad != 0 ? byLoad < 0 : a.source.held < b.source.held;
  }
}
