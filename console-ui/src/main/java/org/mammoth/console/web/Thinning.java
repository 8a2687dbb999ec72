package org.mammoth.console.web;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.mammoth.console.store.History;

/**
 * Makes a long series short: rows next to each other become one, with the mean of their means and
 * the largest of their maxima.
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
        long max = Long.MIN_VALUE;
        for (long[] row : series.rows().subList(first, end)) {
          long mean = at(row, column, width, false, series.grainMs());
          sum += mean;
          max = Math.max(max, at(row, column, width, true, series.grainMs()));
        }
        means[column][i] = Math.round((double) sum / (end - first));
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

  /** A row of an earlier version may have fewer columns; what it lacks is 0. */
  private static long at(long[] row, int column, int width, boolean max, long grainMs) {
    boolean minute = grainMs > 1000;
    int own = minute ? row.length / 2 : row.length;
    if (column >= own) {
      return 0;
    }
    return row[minute && max ? own + column : column];
  }
}
