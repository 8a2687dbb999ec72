// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class BandwidthLimiterTest {

  private final ManualPace pace = new ManualPace();

  @Test
  void aSecondsWorthOfBytesTakesASecond() throws InterruptedException {
    BandwidthLimiter limiter = new BandwidthLimiter(pace, 1000);
    limiter.pass(1000);
    assertThat(pace.nanoTime()).as("the first starts at once").isZero();
    limiter.pass(500);
    assertThat(pace.nanoTime()).isEqualTo(1_000_000_000L);
    limiter.pass(1);
    assertThat(pace.nanoTime()).isEqualTo(1_500_000_000L);
  }

  @Test
  void nothingIsSavedUpWhileNobodyFills() throws InterruptedException {
    BandwidthLimiter limiter = new BandwidthLimiter(pace, 1000);
    limiter.pass(1);
    pace.pause(3_600_000_000_000L);
    long start = pace.nanoTime();
    limiter.pass(1000);
    limiter.pass(1000);
    limiter.pass(1);
    assertThat(pace.nanoTime() - start).isEqualTo(2_000_000_000L);
  }

  @Test
  void zeroIsWithoutLimit() throws InterruptedException {
    BandwidthLimiter limiter = new BandwidthLimiter(pace, 0);
    limiter.pass(Integer.MAX_VALUE);
    limiter.pass(Integer.MAX_VALUE);
    assertThat(pace.nanoTime()).isZero();
    assertThatThrownBy(() -> new BandwidthLimiter(pace, -1))
        .hasMessageContaining("mammoth.mpcache.fill.bandwidth-mb");
  }

  @Test
  void aChangedRateCountsFromTheNextBytesOn() throws InterruptedException {
    BandwidthLimiter limiter = new BandwidthLimiter(pace, 1000);
    limiter.pass(1000);
    limiter.bytesPerSecond(4000);
    limiter.pass(1000);
    assertThat(pace.nanoTime()).as("what was booked stands").isEqualTo(1_000_000_000L);
    limiter.pass(1000);
    assertThat(pace.nanoTime()).isEqualTo(1_250_000_000L);
    limiter.bytesPerSecond(0);
    limiter.pass(Integer.MAX_VALUE);
    assertThat(pace.nanoTime()).isEqualTo(1_250_000_000L);
    limiter.bytesPerSecond(1);
    assertThat(limiter.bytesPerSecond()).isEqualTo(1);
    assertThatThrownBy(() -> limiter.bytesPerSecond(-1))
        .hasMessageContaining("mammoth.mpcache.fill.bandwidth-mb");
    assertThat(limiter.bytesPerSecond()).isEqualTo(1);
  }

  /** Odd rates and odd chunks: after n bytes exactly ⌊n·10⁹/rate⌋ nanoseconds, no drift. */
  @Property(tries = 200)
  void overAnyNumberOfChunksTheRateIsExact(
      @ForAll @LongRange(min = 1, max = 3_000_000_000L) long rate,
      @ForAll @IntRange(min = 1, max = 1 << 20) int largest,
      @ForAll long seed)
      throws InterruptedException {
    ManualPace time = new ManualPace();
    BandwidthLimiter limiter = new BandwidthLimiter(time, rate);
    Random random = new Random(seed);
    BigInteger passed = BigInteger.ZERO;
    for (int i = 0; i < 300; i++) {
      int chunk = 1 + random.nextInt(largest);
      limiter.pass(chunk);
      BigInteger due =
          passed.multiply(BigInteger.valueOf(1_000_000_000L)).divide(BigInteger.valueOf(rate));
      assertThat(BigInteger.valueOf(time.nanoTime())).isEqualTo(due);
      passed = passed.add(BigInteger.valueOf(chunk));
    }
  }
}
