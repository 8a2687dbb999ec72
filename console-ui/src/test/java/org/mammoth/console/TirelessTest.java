// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A timer's work goes on, whatever it throws. */
class TirelessTest {

  @Test
  void noErrorEndsATimer() throws Exception {
    CountDownLatch runs = new CountDownLatch(3);
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      Runnable work =
          () -> {
            runs.countDown();
            throw runs.getCount() == 2
                ? new NoClassDefFoundError("for the test")
                : new StackOverflowError("for the test");
          };
      timer.scheduleAtFixedRate(
          new Tireless("This", work, error -> {}), 0, 1, TimeUnit.MILLISECONDS);
      assertThat(runs.await(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      timer.shutdownNow();
    }
  }

  @Test
  void memoryThatIsUsedUpEndsTheProcess() {
    List<Error> ended = new ArrayList<>();
    Runnable work =
        () -> {
          throw new OutOfMemoryError("for the test");
        };
    new Tireless("This", work, ended::add).run();
    assertThat(ended).singleElement().isInstanceOf(OutOfMemoryError.class);
  }
}
