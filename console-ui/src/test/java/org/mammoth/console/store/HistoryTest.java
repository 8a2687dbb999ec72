// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.model.Decision;

/** What was appended is read back, whatever happened to the process or to the end of its files. */
class HistoryTest {

  private static final long HOUR = 3_600_000;
  private static final long T0 = 1_700_000_000_000L / HOUR * HOUR;
  private static final History.Limits LIMITS = new History.Limits(HOUR, 31 * 24 * HOUR, 1L << 32);

  @TempDir Path dir;

  static Map<String, long[]> rows(long second) {
    Map<String, long[]> rows = new HashMap<>();
    for (int node = 0; node < 5; node++) {
      rows.put("node|n" + node, row(second, node));
    }
    rows.put("cluster", row(second, 99));
    return rows;
  }

  static long[] row(long second, long node) {
    return new long[] {second * 1000 + node, node << 40, -second, second % 7};
  }

  @Test
  void rowsComeBackAtBothGrains() throws IOException {
    try (History history = new History(dir, LIMITS, T0)) {
      for (int s = 0; s < 1000; s++) {
        history.append(T0 + s * 1000L, rows(s));
      }
      long now = T0 + 1_000_000;
      History.Series fine = history.read("node|n3", T0 + 100_000, T0 + 200_000, now);
      assertThat(fine.grainMs()).isEqualTo(1000);
      assertThat(fine.times()).hasSize(101).startsWith(T0 + 100_000).endsWith(T0 + 200_000);
      assertThat(fine.rows().get(7)).containsExactly(row(107, 3));

      History.Series coarse = history.read("node|n3", T0, now, now + 2 * HOUR);
      assertThat(coarse.grainMs()).isEqualTo(60_000);
      assertThat(coarse.times()).hasSize(16);
      assertThat(coarse.rows().get(2)[0]).as("mean").isEqualTo(149_503);
      assertThat(coarse.rows().get(2)[4]).as("maximum").isEqualTo(179_003);
      assertThat(history.read("node|n", T0, now, now).times()).isEmpty();
    }
  }

  @Test
  void aMinuteThatWasCutShortIsFoldedAtTheNextStart() throws IOException {
    History killed = new History(dir, LIMITS, T0);
    for (int s = 0; s < 150; s++) {
      killed.append(T0 + s * 1000L, rows(s));
    }
    // Not closed: the third minute is on disk by its seconds only.
    try (History next = new History(dir, LIMITS, T0 + 160_000)) {
      History.Series coarse = next.read("cluster", T0, T0 + 150_000, T0 + 5 * HOUR);
      assertThat(coarse.times()).containsExactly(T0, T0 + 60_000, T0 + 120_000);
      assertThat(coarse.rows().get(2)[4]).isEqualTo(149_099);
    }
  }

  @Test
  void tornAndDamagedEndsCostNoMoreThanThemselves() throws IOException {
    Random random = new Random(20261121);
    for (int round = 0; round < 60; round++) {
      Path own = dir.resolve("r" + round);
      History killed = new History(own, LIMITS, T0);
      int last = 250;
      for (int s = 0; s <= last; s++) {
        killed.append(T0 + s * 1000L, rows(s));
      }
      Path torn = shardFile(own);
      byte[] bytes = Files.readAllBytes(torn);
      int cut = bytes.length / 2 + random.nextInt(bytes.length / 2);
      byte[] left = Arrays.copyOf(bytes, random.nextBoolean() ? cut : bytes.length);
      if (left.length == bytes.length) {
        left[cut] ^= (byte) (1 + random.nextInt(255));
      }
      Files.write(torn, left);
      try (History next = new History(own, LIMITS, T0 + 252_000)) {
        next.append(T0 + 253_000, rows(253));
        int whole = 0;
        for (int node = 0; node < 5; node++) {
          History.Series series = next.read("node|n" + node, T0, T0 + 300_000, T0 + 300_000);
          // A prefix of what was written, each row as it was, and what came after the restart.
          assertThat(series.times()).endsWith(T0 + 253_000);
          for (int i = 0; i < series.times().size() - 1; i++) {
            assertThat(series.times().get(i)).isEqualTo(T0 + i * 1000L);
            assertThat(series.rows().get(i)).containsExactly(row(i, node));
          }
          assertThat(series.times().size()).isGreaterThan(100);
          whole += series.times().size() == last + 2 ? 1 : 0;
        }
        assertThat(whole).as("shards that were not touched").isGreaterThanOrEqualTo(3);
      }
    }
  }

  private static Path shardFile(Path own) throws IOException {
    try (Stream<Path> files = Files.walk(own.resolve("second"))) {
      return files.filter(f -> f.toString().endsWith(".seg")).sorted().findFirst().orElseThrow();
    }
  }

  @Test
  void killedAtAnyMomentItHasEverySecondItSaidItHad() throws Exception {
    for (int round = 0; round < 3; round++) {
      Path own = dir.resolve("kill" + round);
      Process writer =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  HistoryWriter.class.getName(),
                  own.toString())
              .redirectErrorStream(true)
              .start();
      long said = -1;
      try (var lines = writer.inputReader()) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        String line;
        while (said < 400 + 333 * round
            && System.nanoTime() < end
            && (line = lines.readLine()) != null) {
          if (line.matches("\\d+")) {
            said = Long.parseLong(line);
          }
        }
        writer.destroyForcibly().waitFor();
      }
      assertThat(said).isGreaterThan(300);
      long now = T0 + said * 1000;
      try (History history = new History(own, LIMITS, now)) {
        History.Series series = history.read("cluster", T0, now, now);
        assertThat(series.times()).hasSize((int) said + 1);
        for (int i = 0; i <= said; i++) {
          assertThat(series.rows().get(i)).containsExactly(row(i, 99));
        }
      }
    }
  }

  /** Appends until it is killed, and says after each second that it is written. */
  static final class HistoryWriter {
    public static void main(String[] args) throws IOException {
      try (History history = new History(Path.of(args[0]), LIMITS, T0)) {
        for (long s = 0; s < 1_000_000; s++) {
          history.append(T0 + s * 1000, rows(s));
          System.out.println(s);
        }
      }
    }
  }

  @Test
  void staysWithinItsAgeAndItsBytes() throws IOException {
    History.Limits narrow = new History.Limits(HOUR, 31 * 24 * HOUR, 300_000);
    long bytes;
    try (History history = new History(dir, narrow, T0)) {
      Random random = new Random(5);
      for (int s = 0; s < 9000; s++) {
        Map<String, long[]> rows = new HashMap<>();
        rows.put("node|x", new long[] {random.nextLong(), random.nextLong(), random.nextLong()});
        history.append(T0 + s * 1000L, rows);
      }
      bytes = history.bytes();
      long now = T0 + 9_000_000L;
      assertThat(history.read("node|x", now - 60_000, now, now).times()).hasSize(60);
    }
    // The file being written is never dropped, so there may be one span of five minutes too much.
    assertThat(bytes).isBetween(10_000L, 330_000L);
  }

  @Test
  void aClockThatJumpsDeletesNothing() throws IOException {
    long year = 365 * 24 * HOUR;
    try (History history = new History(dir, LIMITS, T0)) {
      for (int s = 0; s < 130; s++) {
        history.append(T0 + s * 1000L, rows(s));
      }
      for (int s = 0; s < 130; s++) {
        history.append(T0 + year + s * 1000L, rows(s));
      }
    }
    for (long now : new long[] {T0 + year + 200_000, T0 + 3 * year, T0 + 200_000}) {
      try (History next = new History(dir, LIMITS, now)) {
        next.append(now, rows(0));
        assertThat(next.read("cluster", T0, T0 + 129_000, T0 + 130_000).times()).hasSize(130);
        assertThat(next.read("cluster", T0, T0 + 129_000, T0 + year).times()).hasSize(3);
      }
    }
  }

  @Test
  void whatAClockThatWasAheadHasLeftGoesFirst() throws IOException {
    long year = 365 * 24 * HOUR;
    try (History ahead = new History(dir, LIMITS, T0 + year)) {
      for (long s = 0; s < 2 * 3600; s += 20) {
        ahead.append(T0 + year + s * 1000, rows(s));
      }
    }
    long now = T0 + 2 * HOUR;
    try (History history = new History(dir, LIMITS, T0)) {
      for (long s = 0; s < 2 * 3600; s += 20) {
        history.append(T0 + s * 1000, rows(s));
      }
      assertThat(history.read("cluster", now - HOUR + 1, now, now).times()).hasSize(179);
      assertThat(history.read("cluster", T0 + year, T0 + year + 2 * HOUR, T0 + year).times())
          .isEmpty();
    }
  }

  @Test
  void whatIsOlderThanItsAgeOfRecordedTimeGoes() throws IOException {
    try (History history = new History(dir, LIMITS, T0)) {
      for (long s = 0; s < 3 * 3600; s += 20) {
        history.append(T0 + s * 1000, rows(s));
      }
      long now = T0 + 3 * HOUR;
      assertThat(history.read("cluster", T0, now, T0 + HOUR).times().get(0))
          .isBetween(now - HOUR - 600_000, now - HOUR);
    }
  }

  @Test
  void decisionsAreReadBackNewestFirstAndGrownOnesOnce() throws IOException {
    try (DecisionStore store = new DecisionStore(dir, HOUR, 1 << 20)) {
      for (int s = 0; s < 700; s++) {
        store.append(T0 + s * 1000L, "n1", List.of(decision(s, s * 10L)));
        store.append(T0 + s * 1000L, "n2", List.of(decision(s, 5)));
      }
      store.append(T0 + 701_000, "n1", List.of(decision(699, 77_777)));
      List<Decision> read = store.read("n1", T0 + 600_000, T0 + 800_000, 50);
      assertThat(read).hasSize(50);
      assertThat(read.get(0).bytes()).isEqualTo(77_777);
      assertThat(read)
          .extracting(Decision::sequence)
          .startsWith(699L, 698L)
          .doesNotHaveDuplicates();
    }
  }

  private static Decision decision(long second, long bytes) {
    return new Decision(
        "e", second, T0 + second * 1000, "GRANT", "a", "j", "u", "SORT", bytes, "ROOM", "", "", 0);
  }
}
