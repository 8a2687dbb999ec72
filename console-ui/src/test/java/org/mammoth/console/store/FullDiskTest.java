// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full for a while costs the while, and nothing before or after it. */
class FullDiskTest {

  private static final long HOUR = 3_600_000;
  private static final long T0 = 1_700_000_000_000L / HOUR * HOUR;
  private static final History.Limits LIMITS = new History.Limits(HOUR, 31 * 24 * HOUR, 1L << 32);

  @TempDir Path dir;

  private static boolean append(History history, int second) {
    try {
      history.append(T0 + second * 1000L, HistoryTest.rows(second));
      return true;
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
      return false;
    }
  }

  @Test
  void atRandomMomentsNothingThatWasWrittenIsLost() throws IOException {
    Random random = new Random(25);
    for (int round = 0; round < 50; round++) {
      FullDisk disk = new FullDisk();
      Path own = dir.resolve("r" + round);
      java.util.List<Integer> whole = new java.util.ArrayList<>();
      try (History history = new History(own, LIMITS, T0, disk)) {
        // Full at some byte of some record, for some seconds, across the roll at second 300 or not;
        // in every other round files can be neither cut off nor opened meanwhile.
        int full = 230 + random.nextInt(80);
        int free = full + 1 + random.nextInt(90);
        for (int s = 200; s < 420; s++) {
          if (s == full) {
            disk.room = random.nextInt(400);
          } else if (s == free) {
            disk.room = Long.MAX_VALUE;
            disk.works = true;
          } else if (s == full + 1 && round % 2 == 1) {
            disk.works = false;
          }
          if (append(history, s)) {
            whole.add(s);
          }
          if (s < full || s >= free) {
            assertThat(whole).as("before, and after without a restart").contains(s);
          }
        }
      }
      try (History next = new History(own, LIMITS, T0 + 420_000)) {
        for (int node = 0; node < 5; node++) {
          History.Series series = next.read("node|n" + node, T0, T0 + 420_000, T0 + 420_000);
          assertThat(series.times()).containsAll(whole.stream().map(s -> T0 + s * 1000L).toList());
          for (int i = 0; i < series.times().size(); i++) {
            long second = (series.times().get(i) - T0) / 1000;
            assertThat(series.rows().get(i)).containsExactly(HistoryTest.row(second, node));
          }
        }
      }
    }
  }

  @Test
  void aRecordThatDoesNotFitIsTakenBack() throws IOException {
    FullDisk disk = new FullDisk();
    SegmentLog log = new SegmentLog(dir, HOUR, disk);
    byte[] record = new byte[100];
    log.append(T0, record, 100);
    disk.room = 50;
    assertThatThrownBy(() -> log.append(T0, record, 100)).hasMessageContaining("No space");
    assertThat(log.bytes()).isEqualTo(108);
    disk.room = 1000;
    log.append(T0, record, 100);
    assertThat(log.segments(T0, T0)).hasSize(1);
    assertThat(log.bytes()).isEqualTo(216);
    log.close();
  }
}
