// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mammoth.engine.memory.MemoryFixture.UNIT;
import static org.mammoth.engine.memory.MemoryFixture.fill;
import static org.mammoth.engine.memory.MemoryFixture.owner;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.ReduceSplit;
import org.mammoth.engine.memory.MemoryDecision.Action;

class CacheSchedulerTest {

  @Test
  void whatStaysAtAnotherNodeIsRecordedAndTakesNothing() {
    try (MemoryFixture memory = new MemoryFixture(4);
        ReduceMemory reduce = memory.reduce("job", "r0")) {
      reduce.receive().left(1_000);
      reduce.receive().left(500);
      assertThat(memory.usedUnits()).isZero();
      MemoryDecision last = memory.scheduler.decisions().recent().get(0);
      assertThat(last.action()).isEqualTo(MemoryDecision.Action.LEAVE);
      assertThat(last.rule()).isEqualTo(MemoryRule.LEVITATED);
      assertThat(last.bytes()).isEqualTo(1_500);
      assertThat(last.who()).isEqualTo(MemoryFixture.owner("job", "r0"));
    }
  }

  @Test
  void quotasFollowTheFormulas() {
    try (MemoryFixture f = new MemoryFixture(20)) {
      MapMemory first = f.map("j", "m1");
      ReduceMemory r1 = f.reduce("j", "r1");
      ReduceMemory r2 = f.reduce("j", "r2");
      CacheFile run = fill(first.sort(), 5);
      // No peak yet: SortBuf is what is used now.
      assertThat(f.scheduler.snapshot().getMapQuota()).isEqualTo(5 * UNIT);
      assertThat(r1.quota() + r2.quota()).isEqualTo(15 * UNIT);
      run.moveTo(first.send());
      first.close();
      // Peak 5 times no running map, and 5 units of send buffer.
      assertThat(f.scheduler.snapshot().getMapQuota()).isEqualTo(5 * UNIT);
      MapMemory second = f.map("j", "m2");
      MapMemory third = f.map("j", "m3");
      MemorySnapshot now = f.scheduler.snapshot();
      assertThat(now.getSortBuffer()).isEqualTo(10 * UNIT);
      assertThat(now.getMapQuota()).isEqualTo(15 * UNIT);
      assertThat(now.getReduceQuota()).isEqualTo(5 * UNIT);
      assertThat(List.of(r1.quota(), r2.quota())).containsExactly(3L * UNIT, 2L * UNIT);
      MapMemory fourth = f.map("j", "m4");
      // 3 x 5 + 5 reaches the total.
      assertThat(f.scheduler.snapshot().getReduceQuota()).isZero();
      run.close();
      assertThat(f.scheduler.snapshot().getReduceQuota()).isEqualTo(5 * UNIT);
      List.of(second, third, fourth).forEach(MapMemory::close);
      r1.close();
      r2.close();
    }
  }

  @Test
  void mapsBorrowWhatReducesDoNotUse() {
    try (MemoryFixture f = new MemoryFixture(10)) {
      MapMemory m1 = f.map("j", "m1");
      fill(m1.sort(), 2).close();
      m1.close();
      MapMemory m2 = f.map("j", "m2");
      ReduceMemory r = f.reduce("j", "r");
      assertThat(r.quota()).isEqualTo(8 * UNIT);
      CacheFile run = fill(m2.sort(), 6);
      assertThat(f.scheduler.snapshot().getBorrowed()).isEqualTo(4 * UNIT);
      assertThat(r.quota()).isEqualTo(4 * UNIT);
      run.close();
      m2.close();
      r.close();
    }
  }

  @Test
  void aRunningMapGetsItsMinimumWhateverOthersHold() {
    try (MemoryFixture f = new MemoryFixture(8)) {
      MapMemory m1 = f.map("j", "m1");
      MapMemory m2 = f.map("j", "m2");
      ReduceMemory r = f.reduce("j", "r");
      List<CacheUnit> taken = drain(r.receive());
      assertThat(taken).as("all but twice the minimum").hasSize(4);
      List<CacheUnit> sorted = drain(m1.sort());
      assertThat(sorted).as("its own minimum, not m2's").hasSize(2);
      assertThat(m2.sort().poll()).isNotNull().satisfies(m2.sort()::give);
      taken.forEach(r.receive()::give);
      sorted.forEach(m1.sort()::give);
      m1.close();
      m2.close();
      r.close();
    }
  }

  @Test
  void aSmallerLimitTakesOutputsBackAndALargerOneServesWhoWaits() {
    try (MemoryFixture f = new MemoryFixture(20)) {
      MapMemory earlier = f.map("j", "earlier");
      fill(earlier.sort(), 2).close();
      earlier.close();
      MapMemory old = f.map("j", "old");
      HeldFiles sends = new HeldFiles(BufferKind.SEND, owner("j", "old"));
      for (int i = 0; i < 5; i++) {
        f.scheduler.register(sends.hold(fill(old.send(), 2)));
      }
      MapMemory m = f.map("j", "m");
      List<CacheUnit> sorted = drain(m.sort());
      f.scheduler.limitTo(12);
      assertThat(f.scheduler.snapshot().getPoolLimit()).isEqualTo(12 * UNIT);
      assertThat(f.scheduler.snapshot().getPoolBytes()).isEqualTo(20 * UNIT);
      assertThat(f.usedUnits()).isLessThanOrEqualTo(12);
      assertThat(f.scheduler.decisions().recent())
          .filteredOn(decision -> decision.action() == Action.REVOKE)
          .extracting(MemoryDecision::rule)
          .contains(MemoryRule.NODE_SHARE);
      // Each refusal asks more of the outputs back, until there are none.
      for (int i = 0; i < 5; i++) {
        sorted.addAll(drain(m.sort()));
      }
      Ticket ticket = f.scheduler.request((PooledSource) m.sort());
      assertThat(ticket.pending()).isTrue();
      f.scheduler.limitTo(20);
      assertThat(ticket.pending()).isFalse();
      sorted.add(ticket.unit);
      assertThatThrownBy(() -> f.scheduler.limitTo(21))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("20 units cannot be limited to 21");
      sorted.forEach(m.sort()::give);
      f.scheduler.endJob("j");
    }
  }

  private static List<CacheUnit> drain(UnitSource source) {
    List<CacheUnit> taken = new ArrayList<>();
    for (CacheUnit unit = source.poll(); unit != null; unit = source.poll()) {
      taken.add(unit);
    }
    return taken;
  }

  @Test
  void victimsAreForcedInTheOrderReceiveSendSort() {
    try (MemoryFixture f = new MemoryFixture(12)) {
      MapMemory earlier = f.map("j", "earlier");
      fill(earlier.sort(), 1);
      // From here on the job's needs are known, so nothing is revoked before somebody asks.
      earlier.close();
      MapMemory old = f.map("j", "old");
      HeldFiles send = new HeldFiles(BufferKind.SEND, owner("j", "old"));
      f.scheduler.register(send.hold(fill(old.send(), 4)));
      HeldFiles sort = new HeldFiles(BufferKind.SORT, owner("j", "old"));
      f.scheduler.register(sort.hold(fill(old.sort(), 4)));
      ReduceMemory r = f.reduce("j", "r");
      HeldFiles receive = new HeldFiles(BufferKind.RECEIVE, owner("j", "r"));
      f.scheduler.register(receive.hold(fill(r.receive(), 2)).hold(fill(r.receive(), 2)));
      MapMemory m = f.map("j", "m");
      List<CacheUnit> got = new ArrayList<>();
      // All but the minimum of the other map, which it may want again.
      for (int i = 0; i < 10; i++) {
        Ticket ticket = f.scheduler.request((PooledSource) m.sort());
        assertThat(ticket.pending()).isFalse();
        got.add(ticket.unit);
        if (i < 4) {
          assertThat(send.revoked).as("while there is receive buffer").isZero();
        }
        if (i < 8) {
          assertThat(sort.revoked).as("while there is send buffer").isZero();
        }
      }
      assertThat(List.of(receive.revoked, send.revoked, sort.revoked))
          .containsExactly(4L * UNIT, 4L * UNIT, 4L * UNIT);
      assertThat(f.scheduler.decisions().recent())
          .filteredOn(d -> d.action() == Action.REVOKE)
          .extracting(MemoryDecision::kind)
          .startsWith(BufferKind.RECEIVE)
          .endsWith(BufferKind.SORT);
      got.forEach(m.sort()::give);
      old.close();
      m.close();
      r.close();
    }
  }

  @Test
  void aWaiterTakesWhatIsGivenBack() throws Exception {
    try (MemoryFixture f = new MemoryFixture(4)) {
      MapMemory m1 = f.map("j", "m1");
      List<CacheUnit> all = drain(m1.sort());
      MapMemory m2 = f.map("j", "m2");
      AtomicReference<CacheUnit> got = new AtomicReference<>();
      Thread waiter =
          new Thread(
              () -> {
                try {
                  got.set(m2.sort().take());
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      waiter.start();
      await().until(() -> f.scheduler.snapshot().getWaiters().size() == 1);
      m1.sort().give(all.remove(0));
      waiter.join(10_000);
      assertThat(got.get()).isNotNull();
      assertThat(f.usedUnits()).isEqualTo(4);
      m2.sort().give(got.get());
      all.forEach(m1.sort()::give);
      m1.close();
      m2.close();
    }
  }

  @Test
  void aKilledWaiterLeavesTheQueueAndTakesNothing() throws Exception {
    try (MemoryFixture f = new MemoryFixture(4)) {
      MapMemory m1 = f.map("j", "m1");
      List<CacheUnit> all = drain(m1.sort());
      MapMemory m2 = f.map("j", "m2");
      AtomicReference<Throwable> end = new AtomicReference<>();
      Thread interrupted = new Thread(() -> endOf(m2.sort(), end));
      interrupted.start();
      await().until(() -> f.scheduler.snapshot().getWaiters().size() == 1);
      interrupted.interrupt();
      interrupted.join(10_000);
      assertThat(end.get()).isInstanceOf(InterruptedException.class);
      assertThat(f.scheduler.snapshot().getWaiters()).isEmpty();

      Thread aborted = new Thread(() -> endOf(m2.sort(), end));
      aborted.start();
      await().until(() -> f.scheduler.snapshot().getWaiters().size() == 1);
      m2.abort();
      aborted.join(10_000);
      assertThat(end.get())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("m2 of job j of user ann");
      all.forEach(m1.sort()::give);
      assertThatThrownBy(() -> m2.sort().poll()).isInstanceOf(IllegalStateException.class);
      m1.close();
    }
  }

  private static void endOf(UnitSource source, AtomicReference<Throwable> end) {
    try {
      source.take();
    } catch (Exception e) {
      end.set(e);
    }
  }

  @Test
  void aGrownQuotaServesAWaitingReduce() {
    try (MemoryFixture f = new MemoryFixture(12, 1, ReduceSplit.NEED)) {
      ReduceMemory r1 = f.reduce("j", "r1");
      ReduceMemory r2 = f.reduce("j", "r2");
      List<CacheUnit> half = drain(r1.receive());
      assertThat(half).hasSize(6);
      Ticket ticket = f.scheduler.request((PooledSource) r1.receive());
      assertThat(ticket.pending()).isTrue();
      r2.desire(2 * UNIT);
      assertThat(ticket.pending()).isFalse();
      assertThat(r1.quota()).isEqualTo(10 * UNIT);
      half.forEach(r1.receive()::give);
      r1.receive().give(ticket.unit);
      r1.close();
      r2.close();
    }
  }

  @Test
  void aLateReduceKeepsWhatAnEarlyOneHadToDrop() {
    try (MemoryFixture f = new MemoryFixture(12, 1, ReduceSplit.NEED)) {
      ReduceMemory early = f.reduce("j", "early");
      ReduceMemory late = f.reduce("j", "late");
      early.desire(3 * UNIT);
      late.desire(10 * UNIT);
      HeldFiles segments = new HeldFiles(BufferKind.RECEIVE, owner("j", "late"));
      f.scheduler.register(segments.hold(fill(late.receive(), 8)));
      Ticket ahead = f.scheduler.request((PooledSource) late.receive());
      assertThat(ahead.pending()).isFalse();
      assertThat(segments.revoked).as("dropped to read ahead").isZero();
      late.receive().give(ahead.unit);
      early.close();
      late.close();
    }
  }

  @Test
  void outputOfMapsThatHoldEverythingForSortingDoesNotWaitForEver() {
    try (MemoryFixture f = new MemoryFixture(8, 1, ReduceSplit.EVEN)) {
      MapMemory m1 = f.map("j", "m1");
      MapMemory m2 = f.map("j", "m2");
      HeldFiles first = new HeldFiles(BufferKind.SORT, owner("j", "m1"));
      HeldFiles second = new HeldFiles(BufferKind.SORT, owner("j", "m2"));
      f.scheduler.register(first.hold(fill(m1.sort(), 2)).hold(fill(m1.sort(), 2)));
      f.scheduler.register(second.hold(fill(m2.sort(), 2)).hold(fill(m2.sort(), 2)));
      Ticket one = f.scheduler.request((PooledSource) m1.send());
      Ticket two = f.scheduler.request((PooledSource) m2.send());
      assertThat(one.pending()).isFalse();
      assertThat(two.pending()).isFalse();
      assertThat(first.revoked + second.revoked).isEqualTo(2 * UNIT);
      m1.send().give(one.unit);
      m2.send().give(two.unit);
      first.revoke(4 * UNIT);
      second.revoke(4 * UNIT);
      m1.close();
      m2.close();
    }
  }

  @Test
  void aReduceYieldsItsOwnMemoryBeforeItWaitsForItself() {
    try (MemoryFixture f = new MemoryFixture(12, 1, ReduceSplit.EVEN)) {
      ReduceMemory r1 = f.reduce("j", "r1");
      ReduceMemory r2 = f.reduce("j", "r2");
      HeldFiles segments = new HeldFiles(BufferKind.RECEIVE, owner("j", "r1"));
      f.scheduler.register(segments.hold(fill(r1.receive(), 3)).hold(fill(r1.receive(), 3)));
      Ticket ticket = f.scheduler.request((PooledSource) r1.receive());
      assertThat(ticket.pending()).isFalse();
      assertThat(segments.revoked).isEqualTo(3 * UNIT);
      r1.receive().give(ticket.unit);
      r1.close();
      r2.close();
    }
  }

  @Test
  void theJobFurthestOverItsShareIsTheVictim() {
    try (MemoryFixture f = new MemoryFixture(12, 1, ReduceSplit.EVEN)) {
      MapMemory rich = f.scheduler.registerMap(owner("rich", "m"), 1);
      MapMemory heavy = f.scheduler.registerMap(owner("heavy", "m"), 8);
      HeldFiles ofRich = new HeldFiles(BufferKind.SEND, owner("rich", "m"));
      HeldFiles ofHeavy = new HeldFiles(BufferKind.SEND, owner("heavy", "m"));
      f.scheduler.register(ofHeavy.hold(fill(heavy.send(), 5)));
      f.scheduler.register(ofRich.hold(fill(rich.send(), 4)));
      MapMemory third = f.scheduler.registerMap(owner("third", "m"), 1);
      List<CacheUnit> units = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        units.add(f.scheduler.request((PooledSource) third.sort()).unit);
      }
      assertThat(units).doesNotContainNull();
      assertThat(ofRich.revoked).isEqualTo(4 * UNIT);
      assertThat(ofHeavy.revoked).isZero();
      units.forEach(third.sort()::give);
      f.scheduler.endJob("rich");
      f.scheduler.endJob("heavy");
      f.scheduler.endJob("third");
    }
  }

  @Test
  void aJobsEndBringsAllOfItBack() {
    try (MemoryFixture f = new MemoryFixture(16)) {
      MapMemory done = f.map("j", "done");
      fill(done.send(), 4);
      done.close();
      assertThat(f.usedUnits()).as("send buffers outlive their map").isEqualTo(4);
      MapMemory running = f.map("j", "running");
      CacheFile run = fill(running.sort(), 3);
      ReduceMemory r = f.reduce("j", "r");
      fill(r.receive(), 2);
      Lease io = f.ledger.open(owner("j", "r"), BufferKind.IO);
      f.scheduler.endJob("j");
      assertThat(f.usedUnits()).isZero();
      assertThat(io.isClosed()).isTrue();
      assertThat(run.isClosed()).isTrue();
      assertThat(f.scheduler.snapshot().getJobs()).isEmpty();
      assertThat(run.read(0, new byte[1], 0, 1)).as("readers see that it is gone").isEqualTo(-1);
    }
  }

  @Test
  void pressureHasHysteresis() {
    try (MemoryFixture f = new MemoryFixture(20, 1, ReduceSplit.EVEN)) {
      List<Boolean> heard = new ArrayList<>();
      f.scheduler.addPressureListener(heard::add);
      ReduceMemory r = f.reduce("j", "r");
      List<CacheUnit> units = new ArrayList<>();
      for (int i = 0; i < 18; i++) {
        units.add(r.receive().poll());
      }
      assertThat(heard).containsExactly(true);
      for (int i = 0; i < 3; i++) {
        r.receive().give(units.remove(0));
      }
      assertThat(heard).as("15 of 20 is not below 0.75").containsExactly(true);
      r.receive().give(units.remove(0));
      assertThat(heard).containsExactly(true, false);
      units.forEach(r.receive()::give);
      r.close();
    }
  }

  @Test
  void aFullPoolWithoutMapsIsLeftAlone() {
    try (MemoryFixture f = new MemoryFixture(20, 1, ReduceSplit.EVEN)) {
      ReduceMemory r = f.reduce("j", "r");
      HeldFiles segments = new HeldFiles(BufferKind.RECEIVE, owner("j", "r"));
      f.scheduler.register(segments.hold(fill(r.receive(), 19)));
      f.scheduler.balance();
      assertThat(f.scheduler.underPressure()).isTrue();
      assertThat(segments.revoked).isZero();
      // A map whose needs nobody knows yet: room is made before it asks.
      MapMemory m = f.map("j", "m");
      f.scheduler.balance();
      assertThat(segments.revoked).isEqualTo(19 * UNIT);
      m.close();
      r.close();
    }
  }

  @Test
  void aRevocationThatAsksForMemoryIsRefused() {
    try (MemoryFixture f = new MemoryFixture(4)) {
      MapMemory m = f.map("j", "m");
      List<CacheUnit> all = drain(m.sort());
      AtomicReference<Throwable> refusal = new AtomicReference<>();
      f.scheduler.register(
          new HeldFiles(BufferKind.SORT, owner("j", "m")) {
            @Override
            public long revocableBytes() {
              return UNIT;
            }

            @Override
            public long revoke(long bytes) {
              endOf(m.sort(), refusal);
              return 0;
            }
          });
      assertThat(m.sort().poll()).isNull();
      assertThat(refusal.get()).hasMessageContaining("while it is to give memory back");
      all.forEach(m.sort()::give);
      m.close();
    }
  }

  @Test
  void aBrokenPromiseIsForgotten() {
    try (MemoryFixture f = new MemoryFixture(4)) {
      MapMemory m1 = f.map("j", "m1");
      List<CacheUnit> all = drain(m1.sort());
      List<Long> asked = new ArrayList<>();
      f.scheduler.register(
          new HeldFiles(BufferKind.SORT, owner("j", "m1")) {
            @Override
            public long revocableBytes() {
              return UNIT;
            }

            @Override
            public long revoke(long bytes) {
              asked.add(bytes);
              return bytes;
            }
          });
      MapMemory m2 = f.map("j", "m2");
      Ticket ticket = f.scheduler.request((PooledSource) m2.sort());
      f.scheduler.balance();
      assertThat(asked).as("a promise counts").hasSize(1);
      f.now += Revoker.PROMISE_NANOS + 1;
      f.scheduler.balance();
      assertThat(asked).hasSize(2);
      f.scheduler.cancel(ticket);
      all.forEach(m1.sort()::give);
      m1.close();
      m2.close();
    }
  }

  /** A pool on a heap that is full when it is told so. */
  private static final class FullHeap extends CachePool {
    private volatile boolean full;

    FullHeap(int units) {
      super(BufferType.ARRAY, UNIT, units);
    }

    @Override
    public synchronized CacheUnit poll() {
      if (full) {
        throw new OutOfMemoryError("as told");
      }
      return super.poll();
    }
  }

  @Test
  void aFullHeapIsToldToWhoWaitsAndToNobodyElse() throws Exception {
    FullHeap pool = new FullHeap(4);
    CacheScheduler scheduler =
        new CacheScheduler(
            pool,
            new Ledger(4L * UNIT),
            new SchedulerSettings(0.9, 0.75, 1, ReduceSplit.EVEN, 256),
            () -> 0);
    MapMemory first = scheduler.registerMap(owner("j", "m1"), 1);
    List<CacheUnit> all = drain(first.sort());
    assertThat(all).hasSize(4);
    MapMemory second = scheduler.registerMap(owner("j", "m2"), 1);
    AtomicReference<Throwable> met = new AtomicReference<>();
    Thread waiter =
        new Thread(
            () -> {
              try {
                second.sort().take();
              } catch (Throwable e) {
                met.set(e);
              }
            });
    waiter.setDaemon(true);
    waiter.start();
    await().until(() -> !scheduler.snapshot().getWaiters().isEmpty());
    pool.full = true;
    all.forEach(first.sort()::give);
    waiter.join(20_000);
    assertThat(met.get()).isInstanceOf(OutOfMemoryError.class).hasMessage("as told");
    assertThat(scheduler.snapshot().getWaiters()).as("requests that nobody waits for").isEmpty();
    pool.full = false;
    CacheUnit unit = second.sort().take();
    second.sort().give(unit);
    first.close();
    second.close();
    assertThat(pool.freeUnits()).isEqualTo(4);
  }
}
