// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Who is taken to hold how much of a heap. */
class HeapSharesTest {

  private static final long MIB = 1L << 20;

  @Test
  void whoKeepsWhatItAllocatesIsFoundBesideOneThatMakesGarbage() {
    List<HeapEstimate> shares =
        HeapShares.divide(
            List.of(
                new HeapUse("garbage", 400 * MIB, 90_000 * MIB, 3),
                new HeapUse("keeper", 400 * MIB, 1_500 * MIB, 200),
                new HeapUse("small", 400 * MIB, 50 * MIB, 10)),
            1_000 * MIB,
            0);
    assertThat(HeapShares.worst(shares)).map(HeapEstimate::task).contains("keeper");
    assertThat(shares.get(0).bytes()).isLessThan(20 * MIB);
    assertThat(shares.get(1).bytes()).isBetween(900 * MIB, 1_000 * MIB);
  }

  @Test
  void whoHasAllocatedLittleIsNeverAboveItsPromise() {
    List<HeapEstimate> shares =
        HeapShares.divide(
            List.of(
                new HeapUse("unlucky", 400 * MIB, 300 * MIB, 90),
                new HeapUse("other", 400 * MIB, 9_000 * MIB, 10)),
            2_000 * MIB,
            0);
    assertThat(HeapShares.worst(shares)).isEmpty();
    assertThat(HeapShares.largest(shares)).map(HeapEstimate::task).contains("unlucky");
  }

  @Test
  void withoutSamplesAllocationDecides() {
    List<HeapUse> uses = List.of(new HeapUse("a", 10, 100, 0), new HeapUse("b", 10, 300, 0));
    assertThat(HeapShares.divide(uses, 200, 0))
        .extracting(HeapEstimate::bytes)
        .containsExactly(50L, 150L);
    assertThat(HeapShares.divide(List.of(new HeapUse("a", 10, 0, 0)), 200, 0))
        .extracting(HeapEstimate::bytes)
        .containsExactly(0L);
  }

  @Property
  void nobodyHoldsMoreThanThereIsOrThanItAllocated(
      @ForAll @Size(max = 6) List<@LongRange(min = 0, max = 1L << 40) Long> allocated,
      @ForAll @LongRange(min = 0, max = 1L << 36) long live,
      @ForAll @LongRange(min = 0, max = 300) long others) {
    List<HeapUse> uses =
        allocated.stream().map(bytes -> new HeapUse("t", MIB, bytes, bytes % 257)).toList();
    List<HeapEstimate> shares = HeapShares.divide(uses, live, others);
    assertThat(shares.stream().mapToLong(HeapEstimate::bytes).sum())
        .isLessThanOrEqualTo(live + uses.size());
    for (int i = 0; i < uses.size(); i++) {
      assertThat(shares.get(i).bytes()).isBetween(0L, uses.get(i).allocatedBytes());
    }
    HeapShares.worst(shares).ifPresent(worst -> assertThat(worst.excess()).isPositive());
  }

  @Test
  void aPromiseIsNotReservedButMustBePossible() {
    HeapAdmission admission = new HeapAdmission(1_000 * MIB, 300 * MIB, 1_100 * MIB);
    assertThat(admission.reasonAgainst(1_000 * MIB)).isEmpty();
    assertThat(admission.reasonAgainst(1_001 * MIB))
        .hasValueSatisfying(
            reason -> assertThat(reason).contains("1001 MiB", "1000 MiB", "java.opts"));
    assertThat(admission.reasonAgainstNow(860 * MIB)).isEmpty();
    assertThat(admission.reasonAgainstNow(861 * MIB))
        .hasValueSatisfying(reason -> assertThat(reason).contains("561 MiB", "560 MiB"));
  }
}
