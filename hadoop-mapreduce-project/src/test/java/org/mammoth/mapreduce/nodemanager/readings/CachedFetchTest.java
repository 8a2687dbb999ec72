// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.readings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A cached fetch with a clock and an executor that the test moves. */
class CachedFetchTest {

  private static final long FRESH_MS = 500;
  private static final long DEADLINE_MS = 100;

  private final AtomicInteger fetches = new AtomicInteger();
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private final Queue<Runnable> queued = new ArrayDeque<>();
  private long nowMs = 1_000;
  private boolean hangs;
  private Error noThread;

  private final CachedFetch<Integer> fetch =
      new CachedFetch<>(
          () -> {
            if (failure.get() != null) {
              throw failure.get();
            }
            return fetches.incrementAndGet();
          },
          task -> {
            if (noThread != null) {
              throw noThread;
            }
            if (hangs) {
              queued.add(task);
            } else {
              task.run();
            }
          },
          () -> TimeUnit.MILLISECONDS.toNanos(nowMs),
          FRESH_MS,
          DEADLINE_MS);

  @Test
  void manyReadersCostOneFetch() {
    for (int reader = 0; reader < 100; reader++) {
      assertThat(fetch.read().value()).isEqualTo(1);
      nowMs += 4;
    }
    assertThat(fetch.read()).isEqualTo(new CachedFetch.Known<>(1, 400, ""));
    nowMs += 100;
    assertThat(fetch.read()).isEqualTo(new CachedFetch.Known<>(2, 0, ""));
    assertThat(fetches).hasValue(2);
  }

  @Test
  void theLastValueIsGivenWithItsAgeWhileAFetchHangs() {
    assertThat(fetch.read().value()).isEqualTo(1);
    hangs = true;
    nowMs += 600;
    fetch.begin();
    nowMs += DEADLINE_MS;
    long before = System.nanoTime();
    for (int reader = 0; reader < 200; reader++) {
      CachedFetch.Known<Integer> known = fetch.read();
      assertThat(known.value()).isEqualTo(1);
      assertThat(known.ageMs()).isEqualTo(700);
      assertThat(known.problem()).contains("not answered for 100 ms");
    }
    assertThat(System.nanoTime() - before)
        .as("time of readers after the deadline")
        .isLessThan(TimeUnit.SECONDS.toNanos(10));
    assertThat(queued).as("fetches that go on").hasSize(1);
    nowMs += 10_000;
    fetch.begin();
    assertThat(queued).hasSize(1);
    hangs = false;
    queued.remove().run();
    assertThat(fetch.read()).isEqualTo(new CachedFetch.Known<>(2, 0, ""));
  }

  @Test
  void whoAsksBeforeTheDeadlineWaitsNoLongerThanIt() {
    hangs = true;
    long before = System.nanoTime();
    CachedFetch.Known<Integer> known = fetch.read();
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
    assertThat(tookMs).isBetween(DEADLINE_MS - 1, 30_000L);
    assertThat(known.value()).isNull();
    assertThat(known.ageMs()).isEqualTo(-1);
  }

  @Test
  void aNodeManagerThatIsOutOfThreadsForAMomentReadsOnAfterIt() {
    noThread = new InternalError("unable to create native thread");
    assertThat(fetch.read().problem()).contains("native thread");
    noThread = null;
    nowMs += 600;
    assertThat(fetch.read()).isEqualTo(new CachedFetch.Known<>(1, 0, ""));
  }

  @Test
  void aFailureIsToldAndNotRepeatedAtOnce() {
    assertThat(fetch.read().value()).isEqualTo(1);
    nowMs += 600;
    failure.set(new IOException("connection refused\nat some place"));
    assertThat(fetch.read()).isEqualTo(new CachedFetch.Known<>(1, 600, "connection refused"));
    failure.set(null);
    nowMs += 100;
    assertThat(fetch.read()).isEqualTo(new CachedFetch.Known<>(1, 700, "connection refused"));
    nowMs += 400;
    assertThat(fetch.read()).isEqualTo(new CachedFetch.Known<>(2, 0, ""));
  }

  @Test
  void aReaderThatDiesIsNotTheLast() {
    CachedFetch<Integer> dying =
        new CachedFetch<>(
            () -> {
              if (fetches.incrementAndGet() == 1) {
                throw new StackOverflowError();
              }
              return 7;
            },
            task -> {
              try {
                task.run();
              } catch (StackOverflowError e) {
                nowMs++;
              }
            },
            () -> TimeUnit.MILLISECONDS.toNanos(nowMs),
            FRESH_MS,
            DEADLINE_MS);
    assertThat(dying.read().problem()).contains("died");
    nowMs += FRESH_MS;
    assertThat(dying.read().value()).isEqualTo(7);
  }
}
