// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mammoth.engine.send.SendFixture.UNIT;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.memory.MapMemory;
import org.mammoth.engine.memory.UnitSource;

class ScheduledInputTest {

  private final SendFixture node = new SendFixture(4);
  private final byte[] bytes = new byte[5 * UNIT + 11];

  ScheduledInputTest() {
    new Random(5).nextBytes(bytes);
  }

  private ScheduledInput open(int from, int length, boolean broken, UnitSource units)
      throws IOException {
    return new ScheduledInput(
        node.io.openRead(
            new SendFixture.MemorySource(bytes, broken),
            from,
            length,
            IoClass.SORT,
            "attempt_1",
            2,
            units));
  }

  @Test
  void aRangeIsReadThroughUnitsThatComeBack() throws Throwable {
    MapMemory map = node.map("m");
    for (int[] range : new int[][] {{0, bytes.length}, {7, 3 * UNIT}, {UNIT, 0}, {3, 1}}) {
      try (ScheduledInput in = open(range[0], range[1], false, map.sort())) {
        byte[] read = node.whileTurning(in::readAllBytes);
        assertThat(read).isEqualTo(Arrays.copyOfRange(bytes, range[0], range[0] + range[1]));
        assertThat((int) node.whileTurning(in::read)).isEqualTo(-1);
      }
      node.turnAll();
      assertThat(node.usedUnits()).isZero();
    }
    map.close();
    node.close();
  }

  @Test
  void singleBytesAreUnsigned() throws Throwable {
    try (ScheduledInput in = open(0, 200, false, null)) {
      for (int i = 0; i < 200; i++) {
        assertThat((int) node.whileTurning(in::read)).isEqualTo(bytes[i] & 0xff);
      }
    }
    node.close();
  }

  @Test
  void errorsAndEarlyEndsReachTheReader() throws Throwable {
    try (ScheduledInput in = open(0, 10, true, null)) {
      assertThatThrownBy(() -> node.whileTurning(in::readAllBytes))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Input/output error");
    }
    try (ScheduledInput in = open(bytes.length - 5, 10, false, null)) {
      assertThatThrownBy(() -> node.whileTurning(in::readAllBytes))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the file ends at " + bytes.length);
    }
    node.close();
  }

  @Test
  void aKilledReaderDoesNotWaitAndItsUnitsComeBack() throws Exception {
    MapMemory map = node.map("m");
    try (ScheduledInput in = open(0, bytes.length, false, map.sort())) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(in::read).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
      node.turnAll();
    }
    node.turnAll();
    assertThat(node.usedUnits()).isZero();
    map.close();
    node.close();
  }
}
