// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.space;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mammoth.mpcache.space.DynamicSpaceManager.JobRecord;

class DynamicSpaceManagerTest {

  private final DynamicSpaceManager manager = new DynamicSpaceManager(3, 2);

  @Test
  void expectsTheMedianRatioOfTheLastJobsOfAType() {
    manager.ended(new JobRecord("sort", 100, 900));
    manager.ended(new JobRecord("sort", 100, 100));
    manager.ended(new JobRecord("sort", 200, 220));
    manager.ended(new JobRecord("sort", 100, 150));
    assertThat(manager.history("sort")).hasSize(3);
    assertThat(manager.expectedLocalized("sort", 1000)).hasValue(1100);
  }

  @Test
  void aJobNobodyCountedIsNoGuess() {
    manager.ended(new JobRecord("grep", 100, -1));
    assertThat(manager.expectedLocalized("grep", 1000)).isEmpty();
    assertThat(manager.expectedLocalized("unknown", 1000)).isEmpty();
  }

  @Test
  void theTypeNotSeenForLongestIsForgotten() {
    manager.ended(new JobRecord("a", 1, 1));
    manager.ended(new JobRecord("b", 1, 1));
    manager.ended(new JobRecord("a", 1, 1));
    manager.ended(new JobRecord("c", 1, 1));
    assertThat(manager.history("b")).isEmpty();
    assertThat(manager.history("a")).hasSize(2);
  }
}
