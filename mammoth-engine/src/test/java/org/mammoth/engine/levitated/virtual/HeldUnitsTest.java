// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.memory.BufferKind;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.ReduceMemory;
import org.mammoth.engine.memory.Registration;
import org.mammoth.engine.memory.Revocable;
import org.mammoth.engine.memory.SchedulerSettings;
import org.mammoth.engine.memory.UnitSource;

/** Units for a merge that never waits for more. */
class HeldUnitsTest {

  private static final int UNIT = 4096;
  private static final int UNITS = 64;
  private static final int WANTED = 10;

  /** Outputs of the own node that a reduce has in memory, and could read from its disks. */
  private static final class Copies implements Revocable {
    private final LeaseOwner owner;
    private final UnitSource from;
    private final ArrayDeque<CacheUnit> held = new ArrayDeque<>();

    Copies(LeaseOwner owner, UnitSource from) {
      this.owner = owner;
      this.from = from;
    }

    @Override
    public BufferKind kind() {
      return BufferKind.RECEIVE;
    }

    @Override
    public LeaseOwner owner() {
      return owner;
    }

    @Override
    public long revocableBytes() {
      return (long) held.size() * UNIT;
    }

    @Override
    public long revoke(long bytes) {
      long freed = 0;
      for (; freed < bytes && !held.isEmpty(); freed += UNIT) {
        from.give(held.pop());
      }
      return freed;
    }
  }

  private static CacheScheduler scheduler(LeakCheckingPool pool) {
    return new CacheScheduler(
        pool,
        new Ledger((long) UNIT * UNITS),
        SchedulerSettings.of(new Configuration(false)),
        System::nanoTime);
  }

  @Test
  void whoHoldsAllThatItMayMakesRoomForItself() {
    try (LeakCheckingPool pool = new LeakCheckingPool(BufferType.ARRAY, UNIT, UNITS)) {
      CacheScheduler scheduler = scheduler(pool);
      LeaseOwner owner = new LeaseOwner("ann", "job", "a reduce");
      ReduceMemory reduce = scheduler.registerReduce(owner, 1);
      ReduceMemory other = scheduler.registerReduce(new LeaseOwner("ann", "job", "another"), 1);
      Copies copies = new Copies(owner, reduce.receive());
      while (reduce.used() < reduce.quota()) {
        copies.held.add(reduce.receive().poll());
      }
      assertThat(copies.held).hasSizeGreaterThan(2 * WANTED).doesNotContainNull();
      try (Registration registration = scheduler.register(copies);
          HeldUnits units = new HeldUnits(reduce.receive(), WANTED)) {
        assertThat(registration).isNotNull();
        assertThat(units.count()).isEqualTo(WANTED);
        assertThat(reduce.used()).isLessThanOrEqualTo(reduce.quota());
      }
      copies.revoke(Long.MAX_VALUE);
      reduce.close();
      other.close();
      scheduler.endJob("job");
    }
  }

  @Test
  void whereThereIsNoMoreItHasWhatThereIs() {
    try (LeakCheckingPool pool = new LeakCheckingPool(BufferType.ARRAY, UNIT, UNITS)) {
      CacheScheduler scheduler = scheduler(pool);
      LeaseOwner owner = new LeaseOwner("ann", "job", "a reduce");
      ReduceMemory reduce = scheduler.registerReduce(owner, 1);
      for (int most : List.of(0, 1, UNITS, 2 * UNITS)) {
        try (HeldUnits units = new HeldUnits(reduce.receive(), most)) {
          assertThat(units.count()).isEqualTo(Math.min(most, (int) (reduce.quota() / UNIT)));
        }
      }
      reduce.close();
      scheduler.endJob("job");
    }
  }
}
