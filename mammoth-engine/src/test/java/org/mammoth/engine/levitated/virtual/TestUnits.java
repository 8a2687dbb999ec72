package org.mammoth.engine.levitated.virtual;

import org.mammoth.engine.memory.BufferType;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.UnitSource;

/** Units of a pool that watches its borrowers. */
final class TestUnits implements UnitSource, AutoCloseable {

  private final LeakCheckingPool pool;

  TestUnits(int unitBytes, int units) {
    pool = new LeakCheckingPool(BufferType.ARRAY, unitBytes, units);
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
    pool.close();
  }
}
