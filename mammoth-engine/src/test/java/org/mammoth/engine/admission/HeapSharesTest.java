// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
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
                new HeapUse("garbage", 400 * MIB, 90_000 * MIB, 3, 0),
                new HeapUse("keeper", 400 * MIB, 1_500 * MIB, 200, 0),
                new HeapUse("small", 400 * MIB, 50 * MIB, 10, 0)),
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
                new HeapUse("unlucky", 400 * MIB, 300 * MIB, 90, 0),
                new HeapUse("other", 400 * MIB, 9_000 * MIB, 10, 0)),
            2_000 * MIB,
            0);
    assertThat(HeapShares.worst(shares)).isEmpty();
    assertThat(HeapShares.largest(shares)).map(HeapEstimate::task).contains("unlucky");
  }

  @Test
  void withoutSamplesAllocationDecides() {
    List<HeapUse> uses = List.of(new HeapUse("a", 10, 100, 0, 0), new HeapUse("b", 10, 300, 0, 0));
    assertThat(HeapShares.divide(uses, 200, 0))
        .extracting(HeapEstimate::bytes)
        .containsExactly(50L, 150L);
    assertThat(HeapShares.divide(List.of(new HeapUse("a", 10, 0, 0, 0)), 200, 0))
        .extracting(HeapEstimate::bytes)
        .containsExactly(0L);
  }

  @Property
  void nobodyHoldsMoreThanThereIsOrThanItAllocated(
      @ForAll @Size(max = 6) List<@LongRange(min = 0, max = 1L << 40) Long> allocated,
      @ForAll @LongRange(min = 0, max = 1L << 36) long live,
      @ForAll @LongRange(min = 0, max = 300) long others) {
    List<HeapUse> uses =
        allocated.stream().map(bytes -> new HeapUse("t", MIB, bytes, bytes % 257, 0)).toList();
    List<HeapEstimate> shares = HeapShares.divide(uses, live, others);
    assertThat(shares.stream().mapToLong(HeapEstimate::bytes).sum())
        .isLessThanOrEqualTo(live + uses.size());
    for (int i = 0; i < uses.size(); i++) {
      assertThat(shares.get(i).bytes()).isBetween(0L, uses.get(i).allocatedBytes());
    }
    HeapShares.worst(shares).ifPresent(worst -> assertThat(worst.excess()).isPositive());
  }

  @Test
  void whatNobodyElseCanHoldConvictsWithoutSamples() {
    HeapUse quiet = new HeapUse("quiet", 400 * MIB, 20 * MIB, 0, 0);
    HeapUse leaking = new HeapUse("leaking", 400 * MIB, 9_000 * MIB, 0, 0);
    List<HeapUse> both = List.of(quiet, leaking);
    assertThat(HeapShares.certain(both, 1_000 * MIB, 300 * MIB, 100 * MIB))
        .contains(new HeapEstimate("leaking", 400 * MIB, 580 * MIB));
    assertThat(HeapShares.certain(both, 820 * MIB, 300 * MIB, 100 * MIB))
        .as("400 MiB of it, as promised")
        .isEmpty();
    HeapUse later = new HeapUse("leaking", 400 * MIB, 9_000 * MIB, 0, 500 * MIB);
    assertThat(HeapShares.certain(List.of(quiet, later), 1_000 * MIB, 300 * MIB, 100 * MIB))
        .as("500 MiB were there before it")
        .isEmpty();
    HeapUse busy = new HeapUse("busy", 400 * MIB, 200 * MIB, 0, 0);
    assertThat(HeapShares.certain(List.of(busy, leaking), 1_000 * MIB, 300 * MIB, 100 * MIB))
        .as("the other may hold 200 MiB of it")
        .isEmpty();
  }

  /** However what is alive is divided, as long as each holds only what it allocated. */
  @Property
  void whoIsCertainlyAboveItsPromiseIsSoInEveryDivision(
      @ForAll @Size(min = 1, max = 6) List<@LongRange(min = 0, max = 1_000) Long> held,
      @ForAll @Size(min = 6, max = 6) List<@LongRange(min = 0, max = 200) Long> garbage,
      @ForAll @Size(min = 6, max = 6) List<@LongRange(min = 0, max = 400) Long> found,
      @ForAll @LongRange(min = 0, max = 500) long own,
      @ForAll @LongRange(min = 0, max = 100) long left) {
    List<HeapUse> uses =
        IntStream.range(0, held.size())
            .mapToObj(
                i -> new HeapUse("t" + i, 300, held.get(i) + garbage.get(i), 0, own + found.get(i)))
            .toList();
    long live = own + left + held.stream().mapToLong(Long::longValue).sum();
    HeapShares.certain(uses, live, own, 100)
        .ifPresent(
            guilty -> {
              long holds = held.get(Integer.parseInt(guilty.task().substring(1)));
              assertThat(holds).isGreaterThan(300).isGreaterThanOrEqualTo(guilty.bytes());
            });
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
