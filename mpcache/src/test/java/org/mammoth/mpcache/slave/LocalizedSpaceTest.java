package org.mammoth.mpcache.slave;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mammoth.mpcache.space.DynamicSpaceTuner;
import org.mammoth.mpcache.space.SpaceShares;

class LocalizedSpaceTest {

  private final SsdDirectory small = new SsdDirectory(Path.of("/ssd0"), 50);
  private final SsdDirectory large = new SsdDirectory(Path.of("/ssd1"), 100);
  private final DynamicSpaceTuner tuner =
      new DynamicSpaceTuner(new SpaceShares(50, 5, 50, 10), 0.5, () -> 0, bytes -> {});
  private final LocalizedSpace space = new LocalizedSpace(tuner, List.of(small, large));

  @Test
  void roomComesFromTheEmptiestDirectoryAndGoesBackOnce() {
    LocalizedSpace.Lease lease = space.acquire(60).orElseThrow();
    assertThat(lease.folder()).isEqualTo(Path.of("/ssd1/localized"));
    assertThat(large.used()).isEqualTo(60);
    lease.close();
    lease.close();
    assertThat(large.used()).isZero();
    assertThat(tuner.report().localizedUsed()).isZero();
  }

  @Test
  void whatNoDirectoryHoldsIsRefusedAndNotCharged() {
    small.reserve(50);
    large.reserve(50);
    assertThat(space.acquire(60)).isEmpty();
    assertThat(tuner.report().localizedUsed()).isZero();
    assertThat(space.acquire(40)).isPresent();
  }

  @Test
  void beyondTheLocalizedCacheDataGoesElsewhere() {
    assertThat(space.acquire(101)).isEmpty();
  }

  @Test
  void aFailedDirectoryGivesNoRoomButTakesItsOwnBack() {
    LocalizedSpace.Lease lease = space.acquire(60).orElseThrow();
    large.fail("gone");
    assertThat(space.acquire(20).orElseThrow().folder()).isEqualTo(Path.of("/ssd0/localized"));
    lease.close();
    assertThat(large.used()).isZero();
  }
}
