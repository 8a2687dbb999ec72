// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.engine.memory.MemoryFixture.UNIT;
import static org.mammoth.engine.memory.MemoryFixture.owner;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.config.ReduceSplit;

/** Real threads that take, are revoked, interrupted and aborted. */
class SchedulerThreadsTest {

  private static final int THREADS = 6;
  private static final int TASKS = 150;

  /** Units that a task does without when asked. */
  private record Held(BufferKind kind, LeaseOwner owner, UnitSource source, Deque<CacheUnit> units)
      implements Revocable {

    @Override
    public long revocableBytes() {
      return (long) units.size() * UNIT;
    }

    @Override
    public long revoke(long bytes) {
      long freed = 0;
      while (freed < bytes) {
        CacheUnit unit = units.poll();
        if (unit == null) {
          return freed;
        }
        source.give(unit);
        freed += UNIT;
      }
      return freed;
    }

    void giveAll() {
      revoke(Long.MAX_VALUE);
    }
  }

  @Test
  void everyTaskEndsAndNothingIsLeft() throws Exception {
    AtomicInteger interrupted = new AtomicInteger();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    try (MemoryFixture f = new MemoryFixture(12, 2, ReduceSplit.NEED)) {
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int id = t;
        Thread thread = new Thread(() -> tasks(f, id, interrupted), "tasks-" + id);
        thread.setUncaughtExceptionHandler((at, e) -> failures.add(e));
        threads.add(thread);
        thread.start();
      }
      Random random = new Random(11);
      while (threads.stream().anyMatch(Thread::isAlive) && failures.isEmpty()) {
        threads.get(random.nextInt(THREADS)).interrupt();
        f.scheduler.snapshot();
        threads.get(0).join(1);
      }
      for (Thread thread : threads) {
        thread.join(20_000);
        assertThat(thread.isAlive()).as(thread.getName()).isFalse();
      }
      assertThat(failures).isEmpty();
      assertThat(interrupted.get()).isPositive();
      f.scheduler.endJob("job0");
      f.scheduler.endJob("job1");
    }
  }

  private static void tasks(MemoryFixture f, int id, AtomicInteger interrupted) {
    Random random = new Random(id);
    for (int i = 0; i < TASKS; i++) {
      LeaseOwner owner = owner("job" + id % 2, "t" + id + "-" + i);
      if (id % 3 == 0) {
        try (ReduceMemory reduce = f.scheduler.registerReduce(owner, 1 + id)) {
          work(
              f,
              new Held(BufferKind.RECEIVE, owner, reduce.receive(), queue()),
              random,
              interrupted);
        }
      } else {
        MapMemory map = f.scheduler.registerMap(owner, 1 + id);
        work(f, new Held(BufferKind.SORT, owner, map.sort(), queue()), random, interrupted);
        if (random.nextBoolean()) {
          map.close();
        } else {
          map.abort();
        }
      }
    }
  }

  private static Deque<CacheUnit> queue() {
    return new ConcurrentLinkedDeque<>();
  }

  private static void work(MemoryFixture f, Held held, Random random, AtomicInteger interrupted) {
    f.scheduler.register(held);
    try {
      for (int left = 1 + random.nextInt(10); left > 0; left--) {
        held.units().add(held.source().take());
      }
    } catch (InterruptedException e) {
      interrupted.incrementAndGet();
    } finally {
      held.giveAll();
    }
  }
}
