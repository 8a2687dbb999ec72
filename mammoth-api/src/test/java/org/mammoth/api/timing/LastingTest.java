// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.timing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class LastingTest {

  @Test
  void aTimerGoesOnAfterExceptionsAndErrors() {
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
