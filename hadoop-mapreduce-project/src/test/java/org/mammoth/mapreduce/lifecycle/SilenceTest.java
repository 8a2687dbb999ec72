// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.mammoth.api.timing.Lasting;

/** Silence is what was listened to; timers outlive their failures. */
class SilenceTest {

  private long now;
  private final Silence silence = new Silence(() -> now, 5_000);

  private long after(long ms) {
    now += TimeUnit.MILLISECONDS.toNanos(ms);
    return silence.lookMs();
  }

  @Test
  void looksAddUpUntilTheOtherIsHeard() {
    assertThat(after(1_000)).isEqualTo(1_000);
    assertThat(after(1_500)).isEqualTo(2_500);
    silence.heard();
    assertThat(after(10)).isEqualTo(10);
  }

  @Test
  void aJumpOfTheClockIsNoSilence() {
    assertThat(after(600_000)).isEqualTo(5_000);
    assertThat(after(-600_000)).isEqualTo(5_000);
    assertThat(after(1_000)).isEqualTo(6_000);
  }

  @Test
  void aTimerGoesOnAfterItFailed() {
    AtomicInteger runs = new AtomicInteger();
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      timer.scheduleWithFixedDelay(
          new Lasting(
              "A test",
              () -> {
                if (runs.incrementAndGet() % 2 == 0) {
                  throw new IllegalStateException("as told");
                }
                throw new NoClassDefFoundError("as told");
              }),
          0,
          1,
          TimeUnit.MILLISECONDS);
      Awaitility.await().untilAsserted(() -> assertThat(runs.get()).isGreaterThan(3));
    } finally {
      timer.shutdownNow();
    }
  }
}
