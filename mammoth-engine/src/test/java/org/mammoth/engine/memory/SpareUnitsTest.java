// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.engine.memory.MemoryFixture.UNIT;
import static org.mammoth.engine.memory.MemoryFixture.fill;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mammoth.engine.config.ReduceSplit;

/** What nobody needs is lent, and comes back before anybody notices. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SpareUnitsTest {

  private static final LeaseOwner OWNER = new LeaseOwner("engine", "", "data cache");

  /** Gives up the last unit first. */
  private static final class Heap implements SpareUnits.Holder {
    final Deque<SpareUnit> kept = new ArrayDeque<>();
    final Deque<SpareUnit> unwanted = new ArrayDeque<>();

    @Override
    public SpareUnit giveUp() {
      return kept.pollLast();
    }

    @Override
    public SpareUnit unwanted() {
      return unwanted.poll();
    }

    /** Fills units until there are no more. */
    int fillAll(SpareUnits spares) {
      int count = 0;
      for (SpareUnit unit = spares.take(); unit != null; unit = spares.take()) {
        kept.add(unit);
        byte[] bytes = new byte[UNIT];
        bytes[0] = (byte) count++;
        unit.put(0, bytes, 0, UNIT);
        spares.keep(unit);
      }
      return count;
    }

    void dropAll(SpareUnits spares) {
      unwanted.addAll(kept);
      kept.clear();
      spares.trim();
    }
  }

  private static Heap open(MemoryFixture memory, long most) {
    Heap heap = new Heap();
    memory.scheduler.spares().open(OWNER, most, heap);
    return heap;
  }

  private static void end(MemoryFixture memory, Heap heap) {
    heap.dropAll(memory.scheduler.spares());
    assertThat(memory.ledger.used(BufferKind.DATA_CACHE)).isZero();
    memory
        .ledger
        .snapshot()
        .forEach(row -> assertThat(row.kind()).isEqualTo(BufferKind.DATA_CACHE));
    memory.pool.close();
  }

  @Test
  void noMoreIsLentThanIsAllowedAndThere() {
    MemoryFixture memory = new MemoryFixture(10);
    Heap heap = open(memory, 6);
    MapMemory map = memory.map("j", "m");
    CacheFile sorted = fill(map.sort(), 7);
    assertThat(heap.fillAll(memory.scheduler.spares())).isEqualTo(3);
    sorted.close();
    assertThat(heap.fillAll(memory.scheduler.spares())).isEqualTo(3);
    assertThat(memory.ledger.used(BufferKind.DATA_CACHE)).isEqualTo(6L * UNIT);
    map.close();
    end(memory, heap);
  }

  @Test
  void whoeverNeedsMemoryFindsAllOfItFree() {
    MemoryFixture memory = new MemoryFixture(10);
    Heap heap = open(memory, 10);
    assertThat(heap.fillAll(memory.scheduler.spares())).isEqualTo(10);
    assertThat(memory.pool.freeUnits()).isZero();
    assertThat(memory.scheduler.underPressure()).isFalse();
    assertThat(memory.scheduler.snapshot().getPoolUsed()).isZero();
    MapMemory map = memory.map("j", "m");
    ReduceMemory reduce = memory.reduce("j", "r");
    // Without waiting: each of these is granted on the spot.
    CacheFile sorted = fill(map.sort(), 4);
    CacheFile sent = fill(map.send(), 2);
    CacheFile received = fill(reduce.receive(), 2);
    assertThat(heap.kept).hasSize(2);
    assertThat(memory.scheduler.snapshot().getPoolUsed()).isEqualTo(8L * UNIT);
    List.of(sorted, sent, received).forEach(CacheFile::close);
    map.close();
    reduce.close();
    end(memory, heap);
  }

  /** The rules decide the same, whether the rest of the pool is kept or free. */
  @Test
  void quotasAndRefusalsAreThoseOfAnEmptyPool() {
    List<String> without = decisions(0);
    List<String> with = decisions(10);
    assertThat(with).isEqualTo(without).hasSizeGreaterThan(10);
  }

  private static List<String> decisions(long most) {
    MemoryFixture memory = new MemoryFixture(10);
    Heap heap = open(memory, most);
    heap.fillAll(memory.scheduler.spares());
    List<CacheUnit> units = new ArrayList<>();
    MapMemory map = memory.map("j", "m");
    MapMemory other = memory.map("k", "m");
    ReduceMemory reduce = memory.reduce("j", "r");
    for (int i = 0; i < 6; i++) {
      units.add(map.sort().poll());
      units.add(other.send().poll());
      units.add(reduce.receive().poll());
    }
    heap.fillAll(memory.scheduler.spares());
    List<String> seen = new ArrayList<>();
    for (MemoryDecision decision : memory.scheduler.snapshot().getDecisions()) {
      seen.add(decision.toString());
    }
    return seen;
  }

  @Test
  void whatIsReadWhileItGoesIsNotTakenForData() {
    MemoryFixture memory = new MemoryFixture(4);
    Heap heap = open(memory, 4);
    heap.fillAll(memory.scheduler.spares());
    SpareUnit last = heap.kept.peekLast();
    byte[] read = new byte[UNIT];
    assertThat(last.get(0, read, 0, UNIT)).isTrue();
    assertThat(read[0]).isEqualTo((byte) 3);
    MapMemory map = memory.map("j", "m");
    CacheFile sorted = fill(map.sort(), 1);
    assertThat(last.isGone()).isTrue();
    assertThat(last.get(0, read, 0, UNIT)).isFalse();
    assertThat(memory.scheduler.spares().borrow(last)).isFalse();
    sorted.close();
    map.close();
    end(memory, heap);
  }

  @Test
  void aUnitThatIsWrittenComesBackWhenThatIsDone() {
    MemoryFixture memory = new MemoryFixture(3);
    Heap heap = open(memory, 3);
    SpareUnits spares = memory.scheduler.spares();
    SpareUnit writing = spares.take();
    heap.kept.add(writing);
    MapMemory map = memory.map("j", "m");
    CacheFile sorted = fill(map.sort(), 2);
    assertThat(map.sort().poll()).as("the third is being written").isNull();
    writing.put(0, new byte[UNIT], 0, UNIT);
    spares.keep(writing);
    CacheFile more = fill(map.sort(), 1);
    assertThat(writing.isGone()).isTrue();
    sorted.close();
    more.close();
    map.close();
    end(memory, heap);
  }

  @Test
  void aRequestThatWaitsForAWriterIsServedByItsEnd() throws InterruptedException {
    MemoryFixture memory = new MemoryFixture(2, 1, ReduceSplit.EVEN);
    Heap heap = open(memory, 2);
    SpareUnits spares = memory.scheduler.spares();
    SpareUnit writing = spares.take();
    heap.kept.add(writing);
    MapMemory map = memory.map("j", "m");
    CacheFile sorted = fill(map.sort(), 1);
    List<CacheUnit> got = new ArrayList<>();
    Thread sorter =
        new Thread(
            () -> {
              try {
                got.add(map.sort().take());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    sorter.start();
    while (memory.scheduler.snapshot().getWaiters().isEmpty()) {
      Thread.onSpinWait();
    }
    assertThat(spares.take()).as("nothing is lent while somebody waits").isNull();
    spares.keep(writing);
    sorter.join();
    assertThat(got).hasSize(1);
    map.sort().give(got.get(0));
    sorted.close();
    map.close();
    end(memory, heap);
  }

  @Test
  void aSmallerShareOfTheNodeTakesFromWhatIsKept() {
    MemoryFixture memory = new MemoryFixture(10);
    Heap heap = open(memory, 10);
    MapMemory map = memory.map("j", "m");
    CacheFile sorted = fill(map.sort(), 2);
    assertThat(heap.fillAll(memory.scheduler.spares())).isEqualTo(8);
    memory.scheduler.limitTo(5);
    assertThat(heap.kept).hasSize(3);
    assertThat(memory.pool.freeUnits()).isEqualTo(5);
    assertThat(memory.scheduler.spares().take()).isNull();
    sorted.close();
    map.close();
    end(memory, heap);
  }

  /** A holder that has lost its way does not keep memory from anybody. */
  @Test
  void memoryComesBackWhateverItsHolderSays() {
    MemoryFixture memory = new MemoryFixture(3);
    Heap heap = open(memory, 3);
    heap.fillAll(memory.scheduler.spares());
    List<SpareUnit> lost = List.copyOf(heap.kept);
    heap.kept.clear();
    MapMemory map = memory.map("j", "m");
    CacheFile sorted = fill(map.sort(), 3);
    assertThat(lost).allMatch(SpareUnit::isGone);
    sorted.close();
    map.close();
    end(memory, heap);
  }
}
