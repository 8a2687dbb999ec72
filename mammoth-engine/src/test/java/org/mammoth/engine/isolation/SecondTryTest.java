// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work that is done whatever befalls the thread that comes upon it. */
@Timeout(120)
class SecondTryTest {

  private static final byte[] DONE = {1};
  private static final int STACK = 512 << 10;

  private final SecondTry second = SecondTry.start();

  /**
   * Made before: where a stack ends, there is no room to make it, and the JVM does not try again.
   */
  private final Supplier<byte[]> needsAStack =
      () -> {
        if (!second.isOn()) {
          throw new StackOverflowError("no room");
        }
        return deep(1000) == 1000 ? DONE : null;
      };

  @Test
  void whatCanBeDoneOnTheCallingThreadIsDoneThere() {
    assertThat(second.of(() -> second.isOn() ? null : DONE)).isEqualTo(DONE);
  }

  @Test
  void whatFailsTwiceFails() {
    assertThatThrownBy(
            () ->
                second.of(
                    () -> {
                      throw new IllegalStateException(second.isOn() ? "there" : "here");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("there");
    assertThat(second.here(() -> DONE)).as("the next one").isEqualTo(DONE);
  }

  @Test
  void memoryIsWaitedFor() {
    AtomicInteger tries = new AtomicInteger();
    assertThat(
            second.of(
                () -> {
                  if (tries.incrementAndGet() < 4) {
                    throw new OutOfMemoryError("for a moment");
                  }
                  return DONE;
                }))
        .isEqualTo(DONE);
  }

  private static int deep(int calls) {
    return calls == 0 ? 0 : 1 + deep(calls - 1);
  }

  /** From the end of the stack on, each frame asks for what has no room in it. */
  private int ask(List<Object> answers) {
    try {
      return 1 + ask(answers);
    } catch (StackOverflowError end) {
      if (answers.size() < 20) {
        answers.add(second.of(needsAStack));
        throw end;
      }
      return 0;
    }
  }

  @Test
  void aStackThatIsNearlyUsedUpIsNotNeeded() throws Exception {
    assertThat(second.of(needsAStack)).as("with its classes loaded").isEqualTo(DONE);
    List<Object> answers = new ArrayList<>();
    FutureTask<Integer> asked = new FutureTask<>(() -> ask(answers));
    new Thread(null, asked, "deep", STACK).start();
    asked.get();
    assertThat(answers).hasSize(20).containsOnly(DONE);
    assertThat(second.here(() -> DONE)).as("the next one").isEqualTo(DONE);
  }

  @Test
  void anInterruptIsKeptForLater() {
    Thread.currentThread().interrupt();
    assertThat(second.here(() -> DONE)).isEqualTo(DONE);
    assertThat(Thread.interrupted()).isTrue();
  }

  /** Stopped while it does the work itself, and while it waits. */
  @Test
  @SuppressWarnings({"removal", "deprecation"})
  void aThreadThatIsStoppedHasItsWorkDone() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    Supplier<byte[]> work =
        () -> {
          if (!second.isOn()) {
            begun.countDown();
            while (true) {
              Thread.onSpinWait();
            }
          }
          waits.countDown();
          while (goesOn.getCount() > 0) {
            Thread.onSpinWait();
          }
          return DONE;
        };
    FutureTask<byte[]> result = new FutureTask<>(() -> second.of(work));
    Thread stopped = new Thread(result);
    stopped.start();
    begun.await();
    stopped.stop();
    waits.await();
    while (stopped.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    stopped.stop();
    stopped.interrupt();
    goesOn.countDown();
    assertThat(result.get()).isEqualTo(DONE);
  }
}
