// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mammoth.engine.config.BufferType;

@Timeout(60)
class CachePoolTest {

  private static final int AHEAD = 4;

  private final CachePool pool = new CachePool(BufferType.DIRECT, 16, 10);
  private final Thread maker =
      new Thread(
          () -> {
            try {
              pool.makeAhead(AHEAD);
            } catch (InterruptedException e) {
              // the test is over
            }
          });

  private void awaitMade(int units) {
    await().until(() -> pool.madeUnits() == units && maker.getState() != Thread.State.RUNNABLE);
  }

  @Test
  void unitsAreMadeAheadOfTheirUseAndNoMore() throws InterruptedException {
    maker.setDaemon(true);
    maker.start();
    awaitMade(AHEAD);
    List<CacheUnit> lent = new ArrayList<>();
    lent.add(pool.poll());
    awaitMade(AHEAD + 1);
    for (int i = 0; i < 100; i++) {
      pool.give(lent.remove(0));
      lent.add(pool.poll());
    }
    awaitMade(AHEAD + 1);
    for (int i = 1; i < 10; i++) {
      lent.add(pool.poll());
    }
    maker.join();
    assertThat(pool.madeUnits()).isEqualTo(10);
    assertThat(lent).doesNotContainNull().doesNotHaveDuplicates();
    assertThat(pool.poll()).isNull();
    assertThat(pool.freeUnits()).isZero();
  }
}
