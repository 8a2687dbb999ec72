// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Silence is what was listened to. */
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
}
