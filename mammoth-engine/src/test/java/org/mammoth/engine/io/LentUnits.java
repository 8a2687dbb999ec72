// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.memory.CachePool;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.UnitSource;

/** Units that know who has them: giving one back twice, or a foreign one, fails. */
final class LentUnits implements UnitSource {

  private final CachePool pool;
  private final Set<CacheUnit> lent = Collections.newSetFromMap(new IdentityHashMap<>());

  LentUnits(BufferType type, int unitBytes, int units) {
    this.pool = new CachePool(type, unitBytes, units);
  }

  @Override
  public int unitBytes() {
    return pool.unitBytes();
  }

  @Override
  public synchronized CacheUnit poll() {
    CacheUnit unit = pool.poll();
    if (unit != null) {
      lent.add(unit);
    }
    return unit;
  }

  @Override
  public synchronized CacheUnit take() throws InterruptedException {
    CacheUnit unit = poll();
    while (unit == null) {
      wait();
      unit = poll();
    }
    return unit;
  }

  @Override
  public synchronized void give(CacheUnit unit) {
    if (!lent.remove(unit)) {
      throw new AssertionError("a unit that is not lent was given back");
    }
    pool.give(unit);
    notifyAll();
  }

  @Override
  public void move(UnitSource to, long bytes) {
    throw new AssertionError("the I/O scheduler moves no charges");
  }

  synchronized int lent() {
    return lent.size();
  }
}
