// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

/**
 * The memory of one running map attempt. Any thread; every way out of the attempt must {@link
 * #close} or {@link #abort} it.
 */
public final class MapMemory implements AutoCloseable {

  private final CacheScheduler scheduler;
  private final PooledSource sort;
  private final PooledSource send;

  MapMemory(CacheScheduler scheduler, PooledSource sort, PooledSource send) {
    this.scheduler = scheduler;
    this.sort = sort;
    this.send = send;
  }

  /** Units for sorted runs. The guaranteed minimum can always be had from here. */
  public UnitSource sort() {
    return sort;
  }

  /** Units for the final output. What they hold may outlive the map. */
  public UnitSource send() {
    return send;
  }

  /**
   * The map has completed: sort buffers come back, even those of files nobody closed; the send
   * buffer stays until it is used up, is revoked or the job ends, and lends no more.
   */
  @Override
  public void close() {
    scheduler.endMap(this, false);
  }

  /** The map has failed or was killed: everything comes back, waiting requests end. */
  public void abort() {
    scheduler.endMap(this, true);
  }

  PooledSource sorts() {
    return sort;
  }

  PooledSource sends() {
    return send;
  }

  JobAccount job() {
    return sort.job;
  }
}
