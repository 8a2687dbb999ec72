// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Whose replicas are known. A DataNode learns of its block pools one after the other, as their
 * NameNodes answer; until a pool has come nothing can be said about its copies. One that stays away
 * is gone at some time, as is one whose nameservice was taken off the DataNode.
 *
 * <p>Safe for any thread.
 */
final class Pools {

  private final LongSupplier nanoClock;
  private final long patienceNanos;
  private final long begin;

  private final Map<String, State> states = new ConcurrentHashMap<>();

  private record State(boolean here, long since) {}

  /**
   * @param nanoClock goes forward only
   * @param patienceNanos how long a pool that is not there is waited for
   */
  Pools(LongSupplier nanoClock, long patienceNanos) {
    this.nanoClock = nanoClock;
    this.patienceNanos = patienceNanos;
    begin = nanoClock.getAsLong();
  }

  /** The replicas of a pool are known from now on. */
  void added(String pool) {
    states.put(pool, new State(true, nanoClock.getAsLong()));
  }

  /** The replicas of a pool are about to be unknown. */
  void left(String pool) {
    states.put(pool, new State(false, nanoClock.getAsLong()));
  }

  /** Whether a copy without a replica is of no use: its pool is there, or stays away for good. */
  boolean isSettled(String pool) {
    State state = states.getOrDefault(pool, new State(false, begin));
    return state.here() || nanoClock.getAsLong() - state.since() >= patienceNanos;
  }
}
