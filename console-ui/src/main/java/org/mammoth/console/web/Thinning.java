// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.mammoth.console.model.Figures;
import org.mammoth.console.store.History;

/**
 * Makes a long series short: rows within the same step of time become one, with the mean of their
 * means and the largest of their maxima. What none of them has is unknown. Steps go by the span
 * asked for and by the clock, not by the rows a key has: those of several keys stand at the same
 * times, and stay there as time goes on.
 */
final class Thinning {

  private Thinning() {}

  static Views.Series thin(
      String key, long from, long to, List<String> columns, History.Series series, int points) {
    long each = each(series, points);
    int[] firsts = firsts(series.times(), each == 1 ? 0 : each * series.grainMs());
    int made = firsts.length - 1;
    int width = columns.size();
    long[][] means = new long[width][made];
    long[][] maxima = new long[width][made];
    List<Long> times = new ArrayList<>(made);
    for (int i = 0; i < made; i++) {
      long first = series.times().get(firsts[i]);
      times.add(each == 1 ? first : Math.max(from, first - first % (each * series.grainMs())));
      for (int column = 0; column < width; column++) {
        long sum = 0;
        int known = 0;
        long max = Figures.UNKNOWN;
        for (int row = firsts[i]; row < firsts[i + 1]; row++) {
          long mean = series.value(row, column);
          if (Figures.known(mean)) {
            sum += mean;
            known++;
          }
          max = Figures.max(max, series.peak(row, column));
        }
        means[column][i] = known == 0 ? Figures.UNKNOWN : Math.round((double) sum / known);
        maxima[column][i] = max;
      }
    }
    boolean folded = each > 1 || series.grainMs() > 1000;
    return new Views.Series(
        key,
        from,
        to,
        series.grainMs() * each,
        columns,
        times,
        Arrays.asList(means),
        folded ? Arrays.asList(maxima) : null);
  }

  /** How many rows become one, if there is one for each moment of the span. */
  private static long each(History.Series series, int points) {
    long rows = series.spanMs() / series.grainMs() + 1;
    // The first step and the last may be parts of one.
    return rows <= points ? 1 : (rows + points - 2) / (points - 1);
  }

  /** Where the rows of each step begin, and the end of the last; with a step of 0 each is alone. */
  private static int[] firsts(List<Long> times, long stepMs) {
    int[] firsts = new int[times.size() + 1];
    int made = 0;
    for (int row = 0; row < times.size(); row++) {
      if (row == 0 || stepMs == 0 || times.get(row) / stepMs != times.get(row - 1) / stepMs) {
        firsts[made++] = row;
      }
    }
    firsts[made] = times.size();
    return Arrays.copyOf(firsts, made + 1);
  }
}
