// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.concurrent.locks.Condition;

/** One request that waits for a unit. Guarded by the scheduler's lock. */
final class Ticket {

  final PooledSource source;
  final Condition changed;
  final long since;

  /** How often others of its kind were served while it waited. */
  int passed;

  /** How often others of any kind were served while it waited. */
  int passedByAny;

  /**
   * What it was given. The grantor charges it, so a waiter that wakes up for nothing takes none.
   */
  CacheUnit unit;

  boolean cancelled;

  /** The JVM had no memory for its unit; whoever waits for it is told. */
  OutOfMemoryError failure;

  Ticket(PooledSource source, Condition changed, long since) {
    this.source = source;
    this.changed = changed;
    this.since = since;
  }

  boolean pending() {
    return unit == null && !cancelled && failure == null;
  }
}
