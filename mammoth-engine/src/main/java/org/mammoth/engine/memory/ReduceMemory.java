// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

/**
 * The memory of one running reduce attempt. Any thread; every way out of the attempt must {@link
 * #close} it.
 */
public final class ReduceMemory implements AutoCloseable {

  /** A demand nothing fulfils; few enough of them add up without overflow. */
  static final long ENDLESS = 1L << 40;

  /** Guarded by the scheduler's lock. */
  long quotaUnits;

  /** Guarded by the scheduler's lock. */
  long desiredUnits = ENDLESS;

  private final CacheScheduler scheduler;
  private final PooledSource receive;

  ReduceMemory(CacheScheduler scheduler, PooledSource receive) {
    this.scheduler = scheduler;
    this.receive = receive;
  }

  /** Units for map output this reduce still needs. */
  public UnitSource receive() {
    return receive;
  }

  /** Bytes it may hold now; changes whenever maps, reduces or demands come and go. */
  public long quota() {
    return scheduler.quota(this);
  }

  /** Bytes it holds now. */
  public long used() {
    return receive.lease.bytes();
  }

  /**
   * Says how many bytes it would hold if it could, now and later together; by need, quotas follow
   * it. A hint: a wrong one costs time, never progress. Nothing said means as much as can be had.
   */
  public void desire(long bytes) {
    scheduler.desire(this, bytes);
  }

  /** The attempt has ended, whatever happened: everything comes back, waiting requests end. */
  @Override
  public void close() {
    scheduler.endReduce(this);
  }

  PooledSource receives() {
    return receive;
  }

  JobAccount job() {
    return receive.job;
  }
}
