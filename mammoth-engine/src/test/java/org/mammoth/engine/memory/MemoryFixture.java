// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.ReduceSplit;

/** A small pool under a scheduler with a clock that only tests move. */
final class MemoryFixture implements AutoCloseable {

  static final int UNIT = 64;

  final LeakCheckingPool pool;
  final Ledger ledger;
  final CacheScheduler scheduler;
  long now;

  MemoryFixture(int units) {
    this(units, 2, ReduceSplit.EVEN);
  }

  MemoryFixture(int units, int guaranteed, ReduceSplit split) {
    pool = new LeakCheckingPool(BufferType.ARRAY, UNIT, units);
    ledger = new Ledger((long) UNIT * units);
    scheduler =
        new CacheScheduler(
            pool, ledger, new SchedulerSettings(0.9, 0.75, guaranteed, split, 256), () -> now);
  }

  static LeaseOwner owner(String job, String attempt) {
    return new LeaseOwner("ann", job, attempt);
  }

  MapMemory map(String job, String attempt) {
    return scheduler.registerMap(owner(job, attempt), 1);
  }

  ReduceMemory reduce(String job, String attempt) {
    return scheduler.registerReduce(owner(job, attempt), 1);
  }

  /** Takes units for a finished file that {@code source} is charged for. */
  static CacheFile fill(UnitSource source, int units) {
    CacheFile file = new CacheFile(source);
    assertThat(file.tryAppend(new byte[units * UNIT], 0, units * UNIT)).isTrue();
    file.finish();
    return file;
  }

  /** What is in use, from every side. */
  long usedUnits() {
    long used = scheduler.snapshot().getPoolUsed();
    assertThat(used)
        .isEqualTo((long) (pool.units() - pool.freeUnits()) * UNIT)
        .isEqualTo(ledger.used())
        .isEqualTo(ledger.snapshot().stream().mapToLong(LedgerRow::bytes).sum());
    return used / UNIT;
  }

  /** Ends the test: nothing may be lent or charged any more. */
  @Override
  public void close() {
    assertThat(usedUnits()).isZero();
    assertThat(ledger.snapshot()).as("open leases").isEmpty();
    pool.close();
  }
}
