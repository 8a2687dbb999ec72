// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mammoth.mpcache.space.DynamicSpaceTuner;
import org.mammoth.mpcache.space.SpaceShares;

class LocalizedSpaceTest {

  private static final Path SMALL = Path.of("/ssd0/localized");
  private static final Path LARGE = Path.of("/ssd1/localized");

  private final SsdDirectory small = new SsdDirectory(Path.of("/ssd0"), 50);
  private final SsdDirectory large = new SsdDirectory(Path.of("/ssd1"), 100);
  private final DynamicSpaceTuner tuner =
      new DynamicSpaceTuner(new SpaceShares(50, 5, 50, 10), 0.5, () -> 0, bytes -> {});
  private long usable = Long.MAX_VALUE;
  private final LocalizedSpace space =
      new LocalizedSpace(
          tuner,
          List.of(small, large),
          new LocalSsdFiles() {
            @Override
            public long usableBytes(Path folder) throws IOException {
              if (usable < 0) {
                throw new IOException("no such device");
              }
              return usable;
            }
          });
  private final LocalizedSpace.Tenant engine = space.open();

  @Test
  void roomComesFromTheDirectoryThatWasNamedAndGoesBack() {
    assertThat(engine.take(LARGE, 60)).isTrue();
    assertThat(large.used()).isEqualTo(60);
    assertThat(small.used()).isZero();
    engine.give(LARGE, 20);
    assertThat(large.used()).isEqualTo(40);
    assertThat(tuner.report().localizedUsed()).isEqualTo(40);
  }

  @Test
  void whoGivesMoreThanHeHoldsTakesNothingFromOthers() {
    LocalizedSpace.Tenant other = space.open();
    assertThat(other.take(LARGE, 30)).isTrue();
    assertThat(engine.take(LARGE, 20)).isTrue();
    engine.give(LARGE, 1_000);
    engine.give(LARGE, 1_000);
    engine.give(SMALL, 10);
    engine.give(LARGE, -10);
    assertThat(large.used()).isEqualTo(30);
    assertThat(tuner.report().localizedUsed()).isEqualTo(30);
  }

  @Test
  void allRoomOfAnEngineThatEndsGoesBackOnce() {
    assertThat(engine.take(LARGE, 60)).isTrue();
    assertThat(engine.take(SMALL, 30)).isTrue();
    engine.close();
    engine.close();
    assertThat(large.used()).isZero();
    assertThat(small.used()).isZero();
    assertThat(tuner.report().localizedUsed()).isZero();
  }

  @Test
  void whatADirectoryDoesNotHoldIsRefusedAndNotCharged() {
    assertThat(small.reserve(50)).isTrue();
    assertThat(engine.take(SMALL, 10)).isFalse();
    assertThat(tuner.report().localizedUsed()).isZero();
    assertThat(engine.take(LARGE, 10)).isTrue();
  }

  @Test
  void beyondTheLocalizedCacheDataGoesElsewhere() {
    assertThat(engine.take(LARGE, 101)).isFalse();
    assertThat(engine.take(LARGE, 100)).isTrue();
    assertThat(engine.take(LARGE, 1)).isFalse();
  }

  @Test
  void theDeviceHasTheLastWord() {
    usable = 9;
    assertThat(engine.take(LARGE, 10)).isFalse();
    assertThat(engine.take(LARGE, 9)).isTrue();
    usable = -1;
    assertThat(engine.take(LARGE, 1)).isFalse();
  }

  @Test
  void aFolderThatIsNoneOfOursHasNoRoom() {
    assertThat(engine.take(Path.of("/ssd1"), 1)).isFalse();
    assertThat(engine.take(Path.of("/elsewhere/localized"), 1)).isFalse();
    assertThat(engine.take(LARGE, 0)).isFalse();
    assertThat(engine.take(LARGE, -5)).isFalse();
  }

  @Test
  void aFailedDirectoryGivesNoRoomButTakesItsOwnBack() {
    assertThat(engine.take(LARGE, 60)).isTrue();
    large.fail("gone");
    assertThat(engine.take(LARGE, 10)).isFalse();
    assertThat(engine.take(SMALL, 20)).isTrue();
    engine.close();
    assertThat(large.used()).isZero();
    assertThat(small.used()).isZero();
  }
}
