// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/**
 * The division of the mpCache paper (Wang et al. 2016, §3.2): 100 bytes always input, 10 blocks of
 * 10 pooled, 20 bytes always localized.
 */
class DynamicSpaceTunerTest {

  private final AtomicLong input = new AtomicLong();
  private final List<Long> asked = new ArrayList<>();
  private final DynamicSpaceTuner tuner =
      new DynamicSpaceTuner(
          new SpaceShares(100, 10, 20, 10),
          0.5,
          input::get,
          bytes -> {
            asked.add(bytes);
            input.addAndGet(-bytes);
          });

  @Test
  void itsOwnPartIsGivenWithoutTouchingThePool() {
    assertThat(tuner.acquire(20)).isTrue();
    assertThat(tuner.inputCapacity()).isEqualTo(200);
  }

  @Test
  void thePoolIsTakenBlockByBlock() {
    tuner.acquire(20);
    tuner.acquire(1);
    assertThat(tuner.inputCapacity()).isEqualTo(190);
    tuner.acquire(9);
    assertThat(tuner.inputCapacity()).as("the same block").isEqualTo(190);
    tuner.acquire(11);
    assertThat(tuner.inputCapacity()).as("two more").isEqualTo(170);
    assertThat(asked).as("the pool was free").isEmpty();
  }

  @Test
  void cachedInputInThePoolMakesRoomAndNoMoreThanNeeded() {
    input.set(195);
    assertThat(tuner.acquire(35)).isTrue();
    assertThat(asked).containsExactly(5L, 10L);
    assertThat(input).hasValue(180);
  }

  @Test
  void theInputsOwnPartIsNeverTaken() {
    input.set(200);
    assertThat(tuner.acquire(121)).isFalse();
    assertThat(asked).as("what can never be granted costs no input").isEmpty();
    assertThat(tuner.acquire(120)).isTrue();
    assertThat(tuner.inputCapacity()).isEqualTo(100);
    assertThat(tuner.acquire(1)).isFalse();
    assertThat(tuner.report().refused()).isEqualTo(2);
  }

  @Test
  void whenNothingCanBeEvictedTheRequestIsRefused() {
    DynamicSpaceTuner pinned =
        new DynamicSpaceTuner(new SpaceShares(0, 1, 0, 10), 0.5, () -> 10, bytes -> {});
    assertThat(pinned.acquire(5)).isFalse();
  }

  @Test
  void belowTheGuardValueThePoolGoesBack() {
    tuner.acquire(60);
    assertThat(tuner.localizedCapacity()).isEqualTo(60);
    tuner.release(30);
    assertThat(tuner.localizedCapacity()).as("half used is not below half").isEqualTo(60);
    tuner.release(1);
    assertThat(tuner.localizedCapacity()).as("29 in use need one pool block").isEqualTo(30);
    tuner.release(29);
    assertThat(tuner.localizedCapacity()).isEqualTo(20);
    assertThat(tuner.inputCapacity()).isEqualTo(200);
  }

  @Test
  void aHigherGuardValueTakesThePoolBackAtOnce() {
    tuner.acquire(60);
    tuner.release(25);
    assertThat(tuner.localizedCapacity()).as("35 of 60 in use").isEqualTo(60);
    tuner.guard(0.6);
    assertThat(tuner.localizedCapacity()).isEqualTo(40);
    assertThatThrownBy(() -> tuner.guard(1.1)).hasMessageContaining("mammoth.mpcache.guard is 1.1");
    assertThat(tuner.guard()).isEqualTo(0.6);
  }

  @Test
  void moreBackThanWasLentIsAnError() {
    tuner.acquire(5);
    assertThatThrownBy(() -> tuner.release(6)).hasMessageContaining("lent are 5");
  }

  @Test
  void aFailedDirectoryShrinksIt() {
    tuner.acquire(60);
    tuner.reshape(new SpaceShares(50, 2, 10, 10));
    assertThat(tuner.localizedCapacity()).isEqualTo(30);
    assertThat(tuner.acquire(1)).isFalse();
    tuner.release(60);
    assertThat(tuner.acquire(30)).isTrue();
  }

  @Property
  void theSpaceIsNeverPromisedTwice(
      @ForAll @DoubleRange(min = 0, max = 1) double guard,
      @ForAll @Size(max = 200) List<@IntRange(min = -40, max = 60) Integer> steps) {
    AtomicLong cached = new AtomicLong();
    SpaceShares shares = new SpaceShares(100, 10, 20, 10);
    DynamicSpaceTuner own =
        new DynamicSpaceTuner(shares, guard, cached::get, bytes -> cached.addAndGet(-bytes));
    long lent = 0;
    for (int step : steps) {
      if (step > 0 && own.acquire(step)) {
        lent += step;
      } else if (step < 0 && lent >= -step) {
        own.release(-step);
        lent += step;
      } else {
        cached.set(own.inputCapacity());
      }
      assertThat(own.report().localizedUsed()).isEqualTo(lent);
      assertThat(cached.get()).isLessThanOrEqualTo(own.inputCapacity());
      assertThat(lent).isLessThanOrEqualTo(own.localizedCapacity());
      assertThat(own.inputCapacity() + own.localizedCapacity()).isEqualTo(shares.totalBytes());
    }
  }

  @Test
  void manyAskersNeverGetMoreThanThereIs() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Void>> askers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Random random = new Random(i);
        askers.add(
            () -> {
              for (int n = 0; n < 5_000; n++) {
                int bytes = 1 + random.nextInt(50);
                if (tuner.acquire(bytes)) {
                  assertThat(tuner.report().localizedUsed()).isLessThanOrEqualTo(120);
                  tuner.release(bytes);
                }
              }
              return null;
            });
      }
      for (Future<Void> asker : threads.invokeAll(askers)) {
        asker.get();
      }
      assertThat(tuner.report().localizedUsed()).isZero();
      assertThat(tuner.inputCapacity()).isEqualTo(200);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void sharesNameTheirKeysWhenTheyExceedTheWhole() {
    assertThatThrownBy(() -> SpaceShares.of(100, 0.8, 0.3, 10))
        .hasMessageContaining("mammoth.mpcache.share.localized");
    SpaceShares shares = SpaceShares.of(105, 0.5, 0.1, 10);
    assertThat(shares.totalBytes()).isEqualTo(105);
    assertThat(shares.poolBlocks()).isEqualTo(4);
  }
}
