// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.engine.memory.MemoryFixture.owner;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.config.ReduceSplit;
import org.mammoth.engine.memory.MemoryDecision.Action;

class GrantOrderTest {

  private final MemoryFixture f = new MemoryFixture(10, 1, ReduceSplit.EVEN);

  private Ticket request(UnitSource source) {
    return f.scheduler.request((PooledSource) source);
  }

  private static Deque<CacheUnit> poll(UnitSource source, int units) {
    Deque<CacheUnit> taken = new ArrayDeque<>();
    for (int i = 0; i < units; i++) {
      taken.add(source.poll());
    }
    return taken;
  }

  @Test
  void whoWasPassedOverThreeTimesByItsKindGoesFirst() {
    MapMemory rich = f.scheduler.registerMap(owner("rich", "m"), 1);
    MapMemory poor = f.scheduler.registerMap(owner("poor", "m"), 100);
    Deque<CacheUnit> ofRich = poll(rich.sort(), 8);
    Deque<CacheUnit> ofPoor = poll(poor.sort(), 2);
    Ticket waiting = request(rich.sort());
    for (int i = 0; i <= GrantRules.AGED_AFTER; i++) {
      Ticket overtaking = request(poor.sort());
      rich.sort().give(ofRich.poll());
      assertThat(overtaking.pending()).as("pass %d", i).isFalse();
      ofPoor.add(overtaking.unit);
    }
    Ticket late = request(poor.sort());
    f.now += 5;
    rich.sort().give(ofRich.poll());
    assertThat(waiting.pending()).isFalse();
    assertThat(late.pending()).isTrue();
    assertThat(f.scheduler.decisions().recent())
        .filteredOn(d -> d.action() == Action.GRANT)
        .last()
        .satisfies(d -> assertThat(d.rule()).isEqualTo(MemoryRule.AGED))
        .satisfies(d -> assertThat(d.waitedNanos()).isEqualTo(5));
    f.scheduler.cancel(late);
    rich.sort().give(waiting.unit);
    ofRich.forEach(rich.sort()::give);
    ofPoor.forEach(poor.sort()::give);
    rich.close();
    poor.close();
    f.close();
  }

  @Test
  void aReduceThatStarvesGoesBeforeSortBuffers() {
    MapMemory m = f.map("j", "m");
    ReduceMemory r = f.reduce("j", "r");
    Deque<CacheUnit> sorted = poll(m.sort(), 10);
    Ticket starving = request(r.receive());
    int passes = 0;
    while (starving.pending()) {
      Ticket next = request(m.sort());
      m.sort().give(sorted.poll());
      if (next.pending()) {
        f.scheduler.cancel(next);
      } else {
        sorted.add(next.unit);
        passes++;
      }
    }
    assertThat(passes).isEqualTo(GrantRules.STARVING_AFTER + 1);
    r.receive().give(starving.unit);
    sorted.forEach(m.sort()::give);
    m.close();
    r.close();
    f.close();
  }

  @Test
  void aMinimumGoesBeforeEverything() {
    MapMemory first = f.map("j", "m1");
    Deque<CacheUnit> sorted = poll(first.sort(), 10);
    Ticket more = request(first.sort());
    MapMemory second = f.map("j", "m2");
    Ticket minimum = request(second.sort());
    first.sort().give(sorted.poll());
    assertThat(minimum.pending()).isFalse();
    assertThat(more.pending()).isTrue();
    f.scheduler.cancel(more);
    second.sort().give(minimum.unit);
    sorted.forEach(first.sort()::give);
    first.close();
    second.close();
    f.close();
  }
}
