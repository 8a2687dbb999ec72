// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.LinkedHashMap;
import java.util.Map;
import org.mammoth.engine.memory.CentralMemoryManager.Quotas;

/**
 * How many units have to be revoked, by who may be made a victim. Made under the scheduler's lock;
 * revoking goes Receive before Send before Sort (Mammoth paper, Shi et al. 2015, §4.2.1), so what
 * one kind yields is not asked of the next.
 *
 * @param anyKind for requests that may force all kinds: sort buffers, reduces that starve, and map
 *     output that waits while there is nothing but sort buffers
 * @param notSort for requests that may force Receive and Send
 * @param receive what only Receive may be made to yield
 * @param unfair what only Send of jobs that hold more than their share may be made to yield
 * @param own what reduces have to yield to their own requests
 * @param rule why Receive and Send yield when nobody waits
 */
record Demand(
    long anyKind,
    long notSort,
    long receive,
    long unfair,
    Map<PooledSource, Long> own,
    MemoryRule rule) {

  /**
   * What is missing now.
   *
   * @param missed a source that was just refused and will not wait, or null
   * @param promised units that revocations under way will bring
   */
  static Demand of(MemoryState state, PressureGauge pressure, PooledSource missed, long promised) {
    Quotas quotas = state.quotas();
    Tally tally = new Tally(state);
    for (Ticket ticket : state.waiting) {
      tally.add(ticket.source, GrantRules.starving(ticket));
    }
    if (missed != null && missed.stage == PooledSource.Stage.OPEN) {
      if (missed.kind == BufferKind.SEND) {
        tally.addCopy();
      } else {
        tally.add(missed, false);
      }
    }
    long any = tally.any + tally.send > 0 ? tally.any + tally.blocked(state.free()) : 0;
    long send = tally.send;
    if (tally.any == 0) {
      send += any;
      any = 0;
    }
    if (tally.sends > 0 && state.used(BufferKind.RECEIVE) + state.used(BufferKind.SEND) == 0) {
      // Nothing but sort buffers stands in the way, perhaps those of the very maps that wait.
      any += tally.sends;
      send -= tally.sends;
    }
    long receive = Math.min(tally.underQuota, overQuota(state));
    MemoryRule rule = MemoryRule.PRIORITY;
    if (pressure.pressed() && any + send == 0) {
      long over = Math.max(0, state.used(BufferKind.RECEIVE) - quotas.reduce());
      rule = MemoryRule.OVER_QUOTA;
      receive = Math.max(receive, over);
      if (state.maps.unknownNeeds(state.jobs())) {
        // Before the first map of a job has ended nothing is reserved for the others.
        rule = MemoryRule.WATERMARK;
        send = pressure.excess(state.lent(), state.total());
      }
    }
    if (state.beyondLimit() > any + send) {
      rule = MemoryRule.NODE_SHARE;
      send = state.beyondLimit() - any;
    }
    long left = promised;
    long anyLeft = Math.max(0, any - left);
    left = Math.max(0, left - any);
    long sendLeft = Math.max(0, send - left);
    left = Math.max(0, left - send);
    long receiveLeft = Math.max(0, receive - left);
    left = Math.max(0, left - receive);
    long unfairLeft = Math.max(0, tally.copies - left);
    return new Demand(anyLeft, sendLeft, receiveLeft, unfairLeft, tally.own, rule);
  }

  /** Whether nothing has to be revoked. */
  boolean isNone() {
    return anyKind + notSort + receive + unfair == 0 && own.isEmpty();
  }

  private static long overQuota(MemoryState state) {
    long over = 0;
    for (ReduceMemory reduce : state.reduces.running()) {
      over += Math.max(0, reduce.receives().held - reduce.quotaUnits);
    }
    return over;
  }

  /** Counts requests by whom they may force. */
  private static final class Tally {

    final Map<PooledSource, Long> own = new LinkedHashMap<>();
    final MemoryState state;
    long any;
    long send;

    /** Of {@link #send}, those of maps. */
    long sends;

    long underQuota;
    long copies;
    boolean beyondGuarantee;

    Tally(MemoryState state) {
      this.state = state;
    }

    void add(PooledSource source, boolean starving) {
      if (source.kind == BufferKind.SORT) {
        any++;
        beyondGuarantee |= source.held >= state.maps.guaranteed();
      } else if (source.kind == BufferKind.SEND) {
        send++;
        sends++;
        beyondGuarantee = true;
      } else {
        addReceive(source, starving);
      }
    }

    /**
     * Somebody would keep in memory what is going to disk anyway. One map's output is worth as much
     * there as another's, so it may only force those that hold more than they should.
     */
    void addCopy() {
      long kept = Math.max(state.maps.untakenGuarantee(), state.sortReserve(state.quotas()));
      underQuota++;
      copies += Math.max(1, kept + 1 - state.free());
    }

    private void addReceive(PooledSource source, boolean starving) {
      long quota = Math.max(1, state.quotaOf(source));
      if (source.held >= quota) {
        long yield = source.held + 1 - quota - source.promised;
        if (yield > 0) {
          own.put(source, yield);
        }
      } else if (source.held == 0) {
        beyondGuarantee = true;
        any += starving ? 1 : 0;
        send += starving ? 0 : 1;
      } else {
        underQuota++;
      }
    }

    /** What stands between the free units and the requests that may not touch guarantees. */
    long blocked(long free) {
      return Math.max(0, (beyondGuarantee ? state.maps.untakenGuarantee() : 0) - free);
    }
  }
}
