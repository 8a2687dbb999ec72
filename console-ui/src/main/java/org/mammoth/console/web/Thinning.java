// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.mammoth.console.model.Figures;
import org.mammoth.console.store.History;

/**
 * Makes a long series short: rows next to each other become one, with the mean of their means and
 * the largest of their maxima. What none of them has is unknown.
 */
final class Thinning {

  private Thinning() {}

  static Views.Series thin(
      String key, long from, long to, List<String> columns, History.Series series, int points) {
    int rows = series.times().size();
    int each = Math.max(1, (rows + points - 1) / points);
    int made = (rows + each - 1) / each;
    int width = columns.size();
    long[][] means = new long[width][made];
    long[][] maxima = new long[width][made];
    List<Long> times = new ArrayList<>(made);
    for (int i = 0; i < made; i++) {
      int first = i * each;
      int end = Math.min(rows, first + each);
      times.add(series.times().get(first));
      for (int column = 0; column < width; column++) {
        long sum = 0;
        int known = 0;
        long max = Figures.UNKNOWN;
        for (int row = first; row < end; row++) {
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
}
