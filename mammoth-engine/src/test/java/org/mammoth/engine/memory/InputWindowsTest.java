// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.config.BufferType;

/** Buffers to read ahead in: lent whole or not at all, charged once, given back late or soon. */
class InputWindowsTest {

  private static final int UNIT = 1024;

  private final Ledger ledger = new Ledger(5 * UNIT);
  private final InputWindows windows = new InputWindows(BufferType.DIRECT, UNIT, ledger);

  @Test
  void aWindowIsLentWholeOrNotAtAll() {
    InputWindows.Window first = windows.open(3);
    assertThat(windows.open(3)).isNull();
    assertThat(windows.open(2)).isNotNull();
    first.close();
    assertThat(windows.open(3)).isNotNull();
    assertThat(ledger.used()).as("made once").isEqualTo(5 * UNIT);
  }

  @Test
  void whatIsStillReadIntoGoesBackWhenItIsGiven() {
    InputWindows.Window window = windows.open(5);
    CacheUnit unit = window.poll();
    window.close();
    assertThat(windows.open(5)).isNull();
    window.give(unit);
    assertThat(windows.open(5)).isNotNull();
  }

  @Test
  void aUnitGivenBackIsLentByTheSameWindowAgain() {
    InputWindows.Window window = windows.open(1);
    CacheUnit unit = window.poll();
    assertThat(window.poll()).isNull();
    window.give(unit);
    assertThat(window.poll()).isSameAs(unit);
  }

  /** The JVM's limit of direct memory is reached in the middle of a window. */
  @Test
  void aWindowThatCannotBeMadeWholeLosesNothing() {
    AtomicInteger room = new AtomicInteger(3);
    InputWindows scarce =
        new InputWindows(
            () -> {
              if (room.getAndDecrement() <= 0) {
                throw new OutOfMemoryError("the test has no more");
              }
              return NewUnits.of(BufferType.HEAP, UNIT);
            },
            UNIT,
            ledger);
    scarce.open(2).close();
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> scarce.open(5)).isInstanceOf(OutOfMemoryError.class);
    }
    assertThat(ledger.used()).as("what was made").isEqualTo(3 * UNIT);
    assertThat(scarce.open(3)).as("all of that is lent again").isNotNull();
    room.set(2);
    assertThat(scarce.open(2)).isNotNull();
  }

  @Test
  void itNeitherGrowsNorMoves() {
    InputWindows.Window window = windows.open(1);
    assertThatThrownBy(window::take).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> window.move(window, UNIT))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
