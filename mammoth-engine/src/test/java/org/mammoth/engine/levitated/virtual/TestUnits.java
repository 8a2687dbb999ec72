// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.memory.CachePool;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.UnitSource;

/** Units of a pool that watches its borrowers. */
final class TestUnits implements UnitSource, AutoCloseable {

  private final CachePool pool;

  TestUnits(int unitBytes, int units) {
    this(new LeakCheckingPool(BufferType.ARRAY, unitBytes, units));
  }

  private TestUnits(CachePool pool) {
    this.pool = pool;
  }

  /** Units that only count, for measurements. */
  static TestUnits plain(int unitBytes, int units) {
    return new TestUnits(new CachePool(BufferType.DIRECT, unitBytes, units));
  }

  int lent() {
    return pool.units() - pool.freeUnits();
  }

  @Override
  public int unitBytes() {
    return pool.unitBytes();
  }

  @Override
  public CacheUnit poll() {
    return pool.poll();
  }

  @Override
  public CacheUnit take() {
    return pool.poll();
  }

  @Override
  public void give(CacheUnit unit) {
    pool.give(unit);
  }

  @Override
  public void move(UnitSource to, long bytes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    if (pool instanceof LeakCheckingPool watching) {
      watching.close();
    } else if (lent() > 0) {
      throw new IllegalStateException(lent() + " units were never given back");
    }
  }
}
