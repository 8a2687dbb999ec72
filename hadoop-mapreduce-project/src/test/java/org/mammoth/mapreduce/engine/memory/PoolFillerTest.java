// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.memory.CachePool;
import org.mammoth.engine.memory.ElementPool;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.MemorySizing;

@Timeout(60)
class PoolFillerTest {

  private static final int UNIT = 1 << 20;
  private static final int ELEMENT = 1 << 10;

  private final ElementPool elements = new ElementPool(new Ledger(16L * ELEMENT), ELEMENT, 16, 2);
  private final AtomicBoolean filled = new AtomicBoolean();
  private final AtomicReference<OutOfMemoryError> lacking = new AtomicReference<>();

  private static final ThreadFactory THREADS =
      work -> {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
      };

  private CachePool start(BufferType type, int units, boolean idle) {
    return start(new CachePool(type, UNIT, units), type, idle);
  }

  private CachePool start(CachePool pool, BufferType type, boolean idle) {
    MemorySizing sizing = new MemorySizing(0, 0, type, UNIT, pool.units(), ELEMENT, 16, 0, "");
    new PoolFiller(elements, pool, sizing, 1)
        .start(THREADS, () -> idle, () -> filled.set(true), lacking::set);
    return pool;
  }

  @Test
  void directMemoryThatTasksHoldEndsNoEngineAndIsTakenLater() {
    AtomicInteger tries = new AtomicInteger();
    CachePool pool =
        start(
            new CachePool(BufferType.DIRECT, UNIT, 100) {
              @Override
              public void makeAhead(int ahead) throws InterruptedException {
                if (tries.incrementAndGet() < 4) {
                  throw new OutOfMemoryError(
                      "Cannot reserve 1052671 bytes of direct buffer memory");
                }
                super.makeAhead(ahead);
              }
            },
            BufferType.DIRECT,
            true);
    await().untilAsserted(() -> assertThat(pool.madeUnits()).isEqualTo(64));
    assertThat(tries).hasValue(4);
    assertThat(lacking).hasNullValue();
  }

  /** A pool on the heap of which the first tries fail. */
  private static CachePool scarce(AtomicInteger tries, int failing) {
    return new CachePool(BufferType.ARRAY, UNIT, 20) {
      @Override
      public void makeAll() {
        if (tries.incrementAndGet() <= failing) {
          throw new OutOfMemoryError("Java heap space");
        }
        super.makeAll();
      }
    };
  }

  @Test
  void heapThatTasksHoldEndsNoEngineAndIsTakenLater() {
    AtomicInteger tries = new AtomicInteger();
    CachePool pool = start(scarce(tries, 2), BufferType.ARRAY, false);
    await()
        .atMost(Duration.ofSeconds(50))
        .untilAsserted(() -> assertThat(pool.madeUnits()).isEqualTo(20));
    assertThat(tries).hasValue(3);
    assertThat(lacking).hasNullValue();
    assertThat(filled).isTrue();
  }

  @Test
  void heapThatNobodyHoldsIsLacking() {
    AtomicInteger tries = new AtomicInteger();
    start(scarce(tries, Integer.MAX_VALUE), BufferType.ARRAY, true);
    await().untilAtomic(lacking, Matchers.notNullValue());
    await().untilTrue(filled);
    assertThat(tries).hasValue(1);
  }

  @Test
  void anIdleEngineHasItsElementsAndALittleOfItsPool() {
    CachePool pool = start(BufferType.DIRECT, 200, true);
    await().untilTrue(filled);
    assertThat(elements.allocatedBytes()).isEqualTo(16L * ELEMENT);
    await().untilAsserted(() -> assertThat(pool.madeUnits()).isEqualTo(64));
    List<Object> lent = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      lent.add(pool.poll());
    }
    await().untilAsserted(() -> assertThat(pool.madeUnits()).isEqualTo(164));
    assertThat(lacking).hasNullValue();
  }

  @Test
  void aPoolOnTheHeapIsThereAtOnce() {
    CachePool pool = start(BufferType.ARRAY, 80, true);
    await().untilTrue(filled);
    assertThat(pool.madeUnits()).isEqualTo(80);
  }

  @Test
  void aPoolThatTheJvmMayNotHaveIsNoticedAtOnce() {
    start(BufferType.DIRECT, 1 << 20, true);
    assertThat(lacking.get()).hasMessageContaining("MaxDirectMemorySize");
  }

  @Test
  void aSmallFirstJobIsNotDisturbedAndALargeOneOnlyOnce() {
    long start = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(2);
    PoolFiller.Moment idle = new PoolFiller.Moment(start);
    assertThat(idle.hasCome(start + PoolFiller.IDLE_NANOS - 1, true)).isFalse();
    assertThat(idle.hasCome(start + PoolFiller.IDLE_NANOS, true)).isTrue();
    PoolFiller.Moment busy = new PoolFiller.Moment(start);
    long late = PoolFiller.IDLE_NANOS - 1;
    assertThat(busy.hasCome(start + late, false)).isFalse();
    assertThat(busy.hasCome(start + late + PoolFiller.IDLE_NANOS - 1, true)).isFalse();
    assertThat(busy.hasCome(start + late + PoolFiller.IDLE_NANOS, true)).isTrue();
    PoolFiller.Moment large = new PoolFiller.Moment(start);
    assertThat(large.hasCome(start + PoolFiller.LATEST_NANOS - 1, false)).isFalse();
    assertThat(large.hasCome(start + PoolFiller.LATEST_NANOS, false)).isTrue();
  }
}
