// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mammoth.engine.memory.DecisionLog.Numbered;
import org.mammoth.engine.memory.MemoryDecision.Action;

class DecisionLogTest {

  @Test
  void keepsTheLastOnes() {
    DecisionLog log = new DecisionLog(3);
    for (int i = 0; i < 5; i++) {
      log.add(decision(i, "m" + i, 0));
    }
    assertThat(log.recent()).extracting(d -> d.who().attempt()).containsExactly("m2", "m3", "m4");
    assertThat(log.total()).isEqualTo(5);
  }

  @Test
  void equalOnesInARowAreOne() {
    DecisionLog log = new DecisionLog(4);
    log.add(decision(1, "m", 0));
    log.add(decision(2, "m", 0));
    log.add(decision(3, "m", 50));
    log.add(decision(4, "m", 0));
    assertThat(log.recent()).extracting(MemoryDecision::bytes).containsExactly(20L, 10L, 10L);
    assertThat(log.recent()).extracting(MemoryDecision::nanos).containsExactly(2L, 3L, 4L);
  }

  @Test
  void eventsAreReadOnFromANumber() {
    DecisionLog log = new DecisionLog(3);
    assertThat(log.since(-1, 10)).isEmpty();
    for (int i = 0; i < 5; i++) {
      log.add(decision(i, "m" + i, 0));
    }
    assertThat(log.since(0, 10)).extracting(Numbered::sequence).containsExactly(2L, 3L, 4L);
    assertThat(log.since(3, 1)).extracting(Numbered::sequence).containsExactly(3L);
    assertThat(log.since(-1, 2)).extracting(Numbered::sequence).containsExactly(3L, 4L);
    assertThat(log.since(5, 10)).isEmpty();
    log.add(decision(5, "m4", 0));
    assertThat(log.since(4, 10)).extracting(n -> n.decision().bytes()).containsExactly(20L);
    assertThat(log.byRule()).containsEntry(MemoryRule.ROOM, 6L).containsEntry(MemoryRule.AGED, 0L);
  }

  private static MemoryDecision decision(long nanos, String attempt, long waited) {
    return new MemoryDecision(
        nanos,
        Action.GRANT,
        MemoryFixture.owner("j", attempt),
        BufferKind.SORT,
        10,
        MemoryRule.ROOM,
        null,
        waited);
  }
}
