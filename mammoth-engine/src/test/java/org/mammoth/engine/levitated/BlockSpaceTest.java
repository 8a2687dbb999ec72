// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.ReduceMemory;
import org.mammoth.engine.memory.SchedulerSettings;
import org.mammoth.engine.memory.UnitSource;

/** Blocks of units that come from a scheduler which may ask this very reduce for memory. */
class BlockSpaceTest {

  private static final int UNIT = 1 << 10;
  private static final int UNITS = 3;

  private final LeakCheckingPool pool = new LeakCheckingPool(BufferType.ARRAY, UNIT, UNITS);
  private final CacheScheduler scheduler =
      new CacheScheduler(
          pool,
          new Ledger((long) UNIT * UNITS),
          SchedulerSettings.of(new Configuration(false)),
          System::nanoTime);
  private final ReduceMemory memory =
      scheduler.registerReduce(new LeaseOwner("ann", "job", "reduce"), 1);

  /** Fails if a unit was not given back. */
  @AfterEach
  void endJob() {
    memory.close();
    scheduler.endJob("job");
    pool.close();
  }

  /** Runs something before a unit is lent or given back. */
  private record Observed(UnitSource units, Runnable before) implements UnitSource {

    @Override
    public int unitBytes() {
      return units.unitBytes();
    }

    @Override
    public CacheUnit poll() {
      before.run();
      return units.poll();
    }

    @Override
    public CacheUnit take() throws InterruptedException {
      before.run();
      return units.take();
    }

    @Override
    public void give(CacheUnit unit) {
      before.run();
      units.give(unit);
    }

    @Override
    public void move(UnitSource to, long bytes) {
      units.move(to, bytes);
    }
  }

  /** While a unit is asked for, somebody else gives a block back under a lock of its own. */
  @Test
  void whoAsksForAUnitHoldsUpNobody() throws Exception {
    List<Block> lent = new ArrayList<>();
    List<Boolean> passed = new ArrayList<>();
    Runnable another =
        () -> {
          if (lent.size() == 2 && passed.isEmpty()) {
            Block block = lent.remove(1);
            CountDownLatch given = new CountDownLatch(1);
            Thread thread =
                new Thread(
                    () -> {
                      block.free();
                      given.countDown();
                    },
                    "another");
            thread.setDaemon(true);
            thread.start();
            try {
              passed.add(given.await(10, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        };
    BlockSpace space = new BlockSpace(new Observed(memory.receive(), another), UNIT / 2);
    lent.add(space.poll());
    lent.add(space.poll());
    lent.add(space.poll());
    assertThat(passed).containsExactly(true);
    lent.forEach(Block::free);
    assertThat(pool.freeUnits()).isEqualTo(UNITS);
    space.close();
    assertThat(space.poll()).isNull();
  }

  /** Each block is lent once, and a unit goes back when its last one does. */
  @Test
  void aUnitGoesBackWithItsLastBlock() {
    BlockSpace space = new BlockSpace(memory.receive(), UNIT / 4);
    List<Block> lent = new ArrayList<>();
    for (Block block = space.poll(); block != null; block = space.poll()) {
      lent.add(block);
    }
    assertThat(lent).hasSize(4 * UNITS).doesNotHaveDuplicates();
    for (int i = 0; i < 4; i++) {
      lent.remove(0).free();
    }
    assertThat(pool.freeUnits()).isEqualTo(1);
    lent.add(space.poll());
    assertThat(pool.freeUnits()).isZero();
    lent.forEach(Block::free);
    assertThat(pool.freeUnits()).isEqualTo(UNITS);
  }

  /** However much memory there is. */
  @Test
  void itLendsNoMoreThanItMay() {
    BlockSpace space = new BlockSpace(memory.receive(), UNIT / 4, UNIT / 4 * 3);
    List<Block> lent = new ArrayList<>();
    for (Block block = space.poll(); block != null; block = space.poll()) {
      lent.add(block);
    }
    assertThat(lent).hasSize(3);
    assertThat(pool.freeUnits()).isEqualTo(UNITS - 1);
    lent.remove(0).free();
    lent.add(space.poll());
    assertThat(lent).doesNotContainNull();
    assertThat(space.poll()).isNull();
    lent.forEach(Block::free);
    assertThat(pool.freeUnits()).isEqualTo(UNITS);
  }
}
