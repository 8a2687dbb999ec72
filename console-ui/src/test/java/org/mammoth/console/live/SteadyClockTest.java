// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** The host's clock jumps; the console's does not. */
class SteadyClockTest {

  private static final long T0 = 1_700_000_000_000L;
  private static final long DAY = 86_400_000;

  private long wall = T0;
  private long nanos = 77;

  private final SteadyClock clock =
      new SteadyClock(
          new Clock() {
            @Override
            public long millis() {
              return wall;
            }

            @Override
            public Instant instant() {
              return Instant.ofEpochMilli(wall);
            }

            @Override
            public ZoneId getZone() {
              return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
              return this;
            }
          },
          () -> nanos);

  /** Lets time pass, a look a second; each look is not before the last. */
  private void pass(int seconds) {
    long before = clock.millis();
    for (int s = 0; s < seconds; s++) {
      wall += 1000;
      nanos += 1_000_000_000L;
      long now = clock.millis();
      assertThat(now).isGreaterThan(before);
      before = now;
    }
  }

  @Test
  void aClockThatRunsRightIsFollowed() {
    pass(5);
    assertThat(clock.millis()).isEqualTo(T0 + 5000);
    wall += 300;
    assertThat(clock.millis()).isEqualTo(wall);
    wall -= 800;
    pass(10);
    assertThat(clock.millis()).isEqualTo(wall);
    assertThat(clock.notice()).isEmpty();
  }

  @Test
  void aJumpThereAndBackMovesNothingAndIsSaid() {
    wall += 40 * DAY;
    pass(30);
    assertThat(clock.millis()).isEqualTo(T0 + 30_000);
    assertThat(clock.notice()).contains("jumped forward by 40 days");
    wall -= 40 * DAY;
    pass(5);
    assertThat(clock.millis()).isEqualTo(wall);
    assertThat(clock.notice()).isEmpty();
  }

  @Test
  void aJumpForwardThatLastsIsFollowedAndSaidForAnHour() {
    wall += 8 * 3_600_000L;
    pass(70);
    assertThat(clock.millis()).isEqualTo(wall);
    assertThat(clock.notice()).contains("8 h", "gap");
    pass(3600);
    assertThat(clock.notice()).isEmpty();
  }

  @Test
  void aClockThatWasSetBackIsNotFollowed() {
    wall -= 3_600_000;
    pass(600);
    assertThat(clock.millis()).isEqualTo(T0 + 600_000);
    assertThat(clock.notice()).contains("set back by 3600 s", "restart");
    wall += 3_600_000;
    pass(2);
    assertThat(clock.notice()).isEmpty();
  }
}
