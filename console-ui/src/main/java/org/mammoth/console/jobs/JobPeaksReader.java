// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import org.mammoth.console.live.JobUse;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.JobPeaks;
import org.mammoth.console.store.History;

/** Reads from history the most a job held at any time. Any thread. */
public final class JobPeaksReader {

  private static final long MINUTE = 60_000;

  private final History history;

  public JobPeaksReader(History history) {
    this.history = history;
  }

  /**
   * The peaks of a job.
   *
   * @param finishedMs 0 while it runs
   */
  public JobPeaks read(String job, long startedMs, long finishedMs, long nowMs) {
    long[] peaks = Figures.unknown(JobUse.COLUMNS.size());
    long end = finishedMs == 0 ? nowMs : finishedMs + MINUTE;
    // A minute's row has the time at which the minute began.
    History.Series all = history.read("job|" + job, startedMs - MINUTE, end, nowMs);
    History.Series last = history.read("job|" + job, end - 3 * MINUTE, end, nowMs);
    fold(all, peaks);
    fold(last, peaks);
    if (all.times().isEmpty() && last.times().isEmpty()) {
      return nothing(
          "nothing was recorded of it, as it ran in no engine or the console did not run");
    }
    History.Series first = all.times().isEmpty() ? last : all;
    return new JobPeaks(first.times().get(0), Math.max(end(all), end(last)), peaks, "");
  }

  private static long end(History.Series series) {
    return series.times().isEmpty() ? 0 : series.times().get(series.times().size() - 1);
  }

  private static void fold(History.Series series, long[] peaks) {
    for (int row = 0; row < series.times().size(); row++) {
      for (int column = 0; column < peaks.length; column++) {
        peaks[column] = Figures.max(peaks[column], series.peak(row, column));
      }
    }
  }

  /** Of a job of which nothing is known. */
  public static JobPeaks nothing(String untold) {
    return new JobPeaks(0, 0, Figures.unknown(JobUse.COLUMNS.size()), untold);
  }
}
