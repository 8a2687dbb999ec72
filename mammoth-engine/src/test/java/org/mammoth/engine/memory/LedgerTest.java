// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LedgerTest {

  private static final LeaseOwner ANN = new LeaseOwner("ann", "job1", "m1");
  private static final LeaseOwner BOB = new LeaseOwner("bob", "job2", "m1");

  @Test
  void countsBeyondTwoGibibytes() {
    Ledger ledger = new Ledger(1L << 40);
    Lease lease = ledger.open(ANN, BufferKind.IO);
    assertThat(lease.tryAcquire(5L << 30)).isTrue();
    assertThat(lease.tryAcquire(Long.MAX_VALUE)).isFalse();
    assertThat(ledger.used()).isEqualTo(5L << 30);
    assertThat(ledger.used(BufferKind.IO)).isEqualTo(5L << 30);
    assertThat(ledger.snapshot()).containsExactly(new LedgerRow(ANN, BufferKind.IO, 5L << 30));
    lease.close();
    assertThat(ledger.used()).isZero();
  }

  @Test
  void aClosedLeaseTakesNothingAndCountsNothingTwice() {
    Ledger ledger = new Ledger(100);
    Lease lease = ledger.open(ANN, BufferKind.IO);
    lease.tryAcquire(60);
    lease.close();
    lease.release(60);
    lease.close();
    assertThat(ledger.used()).isZero();
    assertThatThrownBy(() -> lease.tryAcquire(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("m1 of job job1 of user ann");
    assertThat(ledger.used()).isZero();
  }

  @Test
  void nobodyReleasesMoreThanItHolds() {
    Ledger ledger = new Ledger(100);
    Lease lease = ledger.open(ANN, BufferKind.IO);
    lease.tryAcquire(10);
    assertThatThrownBy(() -> lease.release(11)).hasMessageContaining("leases 10");
    Lease other = ledger.open(BOB, BufferKind.ELEMENT);
    assertThatThrownBy(() -> lease.move(other, 11)).isInstanceOf(IllegalStateException.class);
    assertThat(List.of(lease.bytes(), other.bytes(), ledger.used())).containsExactly(10L, 0L, 10L);
    lease.move(other, 4);
    assertThat(ledger.used(BufferKind.IO)).isEqualTo(6);
    assertThat(ledger.used(BufferKind.ELEMENT)).isEqualTo(4);
    Lease pooled = ledger.open(BOB, BufferKind.SEND);
    assertThatThrownBy(() -> lease.move(pooled, 1)).isInstanceOf(IllegalArgumentException.class);
    other.close();
    assertThatThrownBy(() -> lease.move(other, 1)).isInstanceOf(IllegalStateException.class);
    assertThat(ledger.used()).isEqualTo(lease.bytes()).isEqualTo(6);
  }

  @Test
  void othersNeverTakeWhatBelongsToThePool() {
    Ledger ledger = new Ledger(100);
    ledger.fencePool(70);
    Lease io = ledger.open(ANN, BufferKind.IO);
    assertThat(io.tryAcquire(31)).isFalse();
    assertThat(io.tryAcquire(30)).isTrue();
    Lease sort = ledger.open(ANN, BufferKind.SORT);
    assertThat(sort.tryAcquire(70)).isTrue();
    assertThat(sort.tryAcquire(1)).isFalse();
    assertThat(ledger.used()).isEqualTo(ledger.cap());
    assertThatThrownBy(() -> ledger.fencePool(1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anAttemptsEndLeavesTheOthersAlone() {
    Ledger ledger = new Ledger(100);
    Lease ann = ledger.open(ANN, BufferKind.IO);
    Lease bob = ledger.open(BOB, BufferKind.IO);
    ann.tryAcquire(10);
    bob.tryAcquire(20);
    ledger.endAttempt(ANN);
    assertThat(ann.isClosed()).isTrue();
    assertThat(ledger.used()).isEqualTo(20);
    ledger.endJob("job2");
    assertThat(ledger.used()).isZero();
    assertThat(ledger.snapshot()).isEmpty();
  }

  /** Threads charge, release, move and close; a reader never sees more than the cap. */
  @Test
  void threadsNeverBreakTheCapAndLeaveNothing() throws Exception {
    Ledger ledger = new Ledger(1_000);
    AtomicLong most = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    for (int t = 0; t < 4; t++) {
      int seed = t;
      Thread thread =
          new Thread(
              () -> {
                Random random = new Random(seed);
                for (int i = 0; i < 20_000; i++) {
                  try (Lease a = ledger.open(ANN, BufferKind.IO);
                      Lease b = ledger.open(BOB, BufferKind.ELEMENT)) {
                    long bytes = random.nextInt(600);
                    if (a.tryAcquire(bytes)) {
                      a.move(b, bytes / 2);
                      b.release(bytes / 4);
                    }
                    most.accumulateAndGet(ledger.used(), Math::max);
                  }
                }
              });
      thread.setUncaughtExceptionHandler((at, e) -> failures.add(e));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join(60_000);
    }
    assertThat(failures).isEmpty();
    assertThat(most.get()).isPositive().isLessThanOrEqualTo(1_000);
    assertThat(ledger.used()).isZero();
    assertThat(ledger.used(BufferKind.IO)).isZero();
    assertThat(ledger.snapshot()).isEmpty();
  }
}
