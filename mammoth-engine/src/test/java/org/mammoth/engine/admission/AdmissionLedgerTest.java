// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class AdmissionLedgerTest {

  private static final long SHARE = 4096;

  /** A random step: a holder asks, or gives back. */
  record Step(String holder, long requestMb, boolean release) {}

  @Provide
  Arbitrary<List<Step>> histories() {
    Arbitrary<Step> step =
        Combinators.combine(
                Arbitraries.integers().between(0, 12),
                Arbitraries.longs().between(0, SHARE + 500),
                Arbitraries.of(true, false))
            .as((holder, request, release) -> new Step("container_" + holder, request, release));
    return step.list().ofMaxSize(200);
  }

  /** The sum of what is held never exceeds the share, and equals what a plain map would say. */
  @Property
  void neverPromisesMoreThanItsShare(@ForAll("histories") List<Step> history) {
    AdmissionLedger ledger = new AdmissionLedger(SHARE);
    Map<String, Long> held = new HashMap<>();
    for (Step step : history) {
      long used = held.values().stream().mapToLong(Long::longValue).sum();
      if (step.release()) {
        ledger.release(step.holder());
        held.remove(step.holder());
      } else if (held.containsKey(step.holder())) {
        assertThat(ledger.admit(step.holder(), step.requestMb())).isTrue();
      } else {
        boolean fits = used + step.requestMb() <= SHARE;
        assertThat(ledger.admit(step.holder(), step.requestMb())).isEqualTo(fits);
        if (fits) {
          held.put(step.holder(), step.requestMb());
        }
      }
      assertThat(ledger.usedMb())
          .isEqualTo(held.values().stream().mapToLong(Long::longValue).sum())
          .isLessThanOrEqualTo(SHARE);
      assertThat(ledger.holders()).isEqualTo(held.size());
    }
    held.keySet().forEach(ledger::release);
    assertThat(ledger.usedMb()).isZero();
  }

  @Test
  void aHugeRequestDoesNotOverflow() {
    AdmissionLedger ledger = new AdmissionLedger(SHARE);
    assertThat(ledger.admit("a", SHARE)).isTrue();
    assertThat(ledger.admit("b", Long.MAX_VALUE)).isFalse();
    assertThat(ledger.usedMb()).isEqualTo(SHARE);
  }

  @Test
  void refusesNonsense() {
    assertThatThrownBy(() -> new AdmissionLedger(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new AdmissionLedger(1).admit("a", -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a asks for -1");
  }

  @Test
  void aTaskThatDiedTwiceIsQuarantined() {
    DeathRegister deaths = new DeathRegister(2);
    deaths.died("task_1");
    assertThat(deaths.quarantined("task_1")).isFalse();
    deaths.died("task_2");
    deaths.died("task_1");
    assertThat(deaths.quarantined("task_1")).isTrue();
    assertThat(deaths.quarantined("task_2")).isFalse();
    assertThat(deaths.deathsOf("task_1")).isEqualTo(2);
  }
}
