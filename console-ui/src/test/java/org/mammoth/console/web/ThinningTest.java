// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.model.Figures;
import org.mammoth.console.store.History;

/** What was recorded comes back: means with their maxima, and what was unknown as unknown. */
class ThinningTest {

  private static final long MINUTE = 60_000;
  private static final long T0 = 1_700_000_000_000L / MINUTE * MINUTE;
  private static final long DAY = 86_400_000;

  @TempDir Path dir;

  private static Views.Series thin(History.Series series, int columns, int points) {
    List<String> names = List.of("a", "b", "c").subList(0, columns);
    return Thinning.thin("cluster", T0, T0 + DAY, names, series, points);
  }

  @Test
  void unknownIsNeitherFoldedNorThinnedIntoZero() throws Exception {
    try (History history = new History(dir, new History.Limits(MINUTE, DAY, 1L << 30), T0)) {
      for (int s = 0; s < 180; s++) {
        long b = s < 60 ? Figures.UNKNOWN : s < 90 ? Figures.UNKNOWN : 10 + s % 2 * 20;
        history.append(T0 + s * 1000, Map.of("cluster", new long[] {s, b}));
      }
      history.append(T0 + 3 * MINUTE, Map.of("cluster", new long[] {0, 0}));
      History.Series minutes = history.read("cluster", T0, T0 + 3 * MINUTE - 1, T0 + DAY);
      // The third column came with a later version.
      Views.Series all = thin(minutes, 3, 1000);
      assertThat(all.values().get(0)).containsExactly(30, 90, 150);
      assertThat(all.values().get(1)).containsExactly(Figures.UNKNOWN, 20, 20);
      assertThat(all.maxima().get(1)).containsExactly(Figures.UNKNOWN, 30, 30);
      assertThat(all.values().get(2)).containsOnly(Figures.UNKNOWN);
      assertThat(all.maxima().get(2)).containsOnly(Figures.UNKNOWN);
      Views.Series two = thin(minutes, 2, 2);
      assertThat(two.grainMs()).isEqualTo(3 * MINUTE);
      assertThat(two.times()).containsExactly(T0, T0 + 2 * MINUTE);
      assertThat(two.values().get(1)).containsExactly(20, 20);
      assertThat(two.maxima().get(0)).containsExactly(119, 179);
    }
  }

  /** As the page stacks them: a job's rows are put where those of the cluster are. */
  @Test
  void rowsOfAllKeysStandAtTheSameTimes() throws Exception {
    long start = T0 + 7_000;
    long now = start + 3_600_000;
    try (History history = new History(dir, new History.Limits(DAY, DAY, 1L << 30), start)) {
      for (long t = start; t < now; t += 1000) {
        Map<String, long[]> rows = new HashMap<>(Map.of("cluster", new long[] {20}));
        for (int minutes : BEGAN) {
          // Each began so many minutes and some seconds ago, and holds something throughout.
          if (t >= now - minutes * MINUTE - minutes % 4 * 1000) {
            rows.put("job|" + minutes, new long[] {20});
          }
        }
        history.append(t, rows);
      }
      for (long from = start; from < start + 10_000; from += 1000) {
        Views.Series cluster = read(history, "cluster", from, now);
        assertThat(cluster.times()).hasSizeBetween(600, 1000);
        for (int minutes : BEGAN) {
          Views.Series job = read(history, "job|" + minutes, from, now);
          int all = cluster.times().size();
          int has = job.times().size();
          assertThat(job.times())
              .as("a job of %d minutes, from %d", minutes, from)
              .isEqualTo(cluster.times().subList(all - has, all));
          assertThat(has).isCloseTo(all * minutes / 60, within(all / 30));
        }
      }
    }
  }

  private static final int[] BEGAN = {10, 21, 40, 47, 52, 55};

  private static Views.Series read(History history, String key, long from, long now) {
    return Thinning.thin(key, from, now, List.of("a"), history.read(key, from, now, now), 1000);
  }

  /** A console that is killed and comes back as another version within a minute. */
  @Test
  void aMinuteWithRowsOfTwoVersionsIsFolded() throws Exception {
    History.Limits limits = new History.Limits(DAY, DAY, 1L << 30);
    History killed = new History(dir, limits, T0);
    killed.append(T0, Map.of("cluster", new long[] {4}));
    try (History upgraded = new History(dir, limits, T0 + 1000)) {
      upgraded.append(T0 + 2000, Map.of("cluster", new long[] {8, 3}));
      upgraded.append(T0 + MINUTE, Map.of("cluster", new long[] {6, 5}));
    }
    try (History last = new History(dir, limits, T0 + 2 * MINUTE)) {
      History.Series minutes = last.read("cluster", T0, T0 + DAY, T0 + 3 * DAY);
      assertThat(minutes.times()).containsExactly(T0, T0, T0 + MINUTE);
      Views.Series series = thin(minutes, 2, 1000);
      assertThat(series.maxima().get(0)).containsExactly(4, 8, 6);
      assertThat(series.maxima().get(1)).containsExactly(Figures.UNKNOWN, 3, 5);
    }
    killed.close();
  }
}
