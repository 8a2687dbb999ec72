// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.mammoth.console.live.JobUse;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.store.History;

/**
 * The most a job held at any time, from history. Of a job that has ended it is read once its last
 * minute is folded, and remembered. Any thread.
 */
final class JobPasts {

  /** By then all of a job that has ended is in history at the minute's grain. */
  private static final long SETTLED_MS = 150_000;

  private static final long MINUTE = 60_000;
  private static final int REMEMBERED = 1000;

  /** How long the list of jobs may wait for history. */
  private static final long BUDGET_MS = 200;

  private final History history;
  private final Clock clock;
  private final Map<String, Views.JobPast> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Views.JobPast> eldest) {
          return size() > REMEMBERED;
        }
      };

  JobPasts(History history, Clock clock) {
    this.history = history;
    this.clock = clock;
  }

  /** What one answer may read; what is beyond its budget comes with a later one. */
  final class Reading {
    private final long endMs = clock.millis() + BUDGET_MS;

    Views.JobPast of(JobSample job) {
      Views.JobPast past = remembered(job);
      if (past == null && clock.millis() > endMs) {
        return nothing("history was not read yet");
      }
      return past == null ? JobPasts.this.of(job) : past;
    }
  }

  Reading reading() {
    return new Reading();
  }

  private Views.JobPast remembered(JobSample job) {
    synchronized (known) {
      return known.get(job.id());
    }
  }

  /** The past of a job, up to now if it runs. */
  Views.JobPast of(JobSample job) {
    Views.JobPast past = remembered(job);
    if (past != null) {
      return past;
    }
    long now = clock.millis();
    past = read(job, now);
    if (!job.running() && now - job.finishedMs() > SETTLED_MS) {
      synchronized (known) {
        known.put(job.id(), past);
      }
    }
    return past;
  }

  private Views.JobPast read(JobSample job, long now) {
    long[] peaks = Figures.unknown(JobUse.COLUMNS.size());
    long end = job.running() ? now : job.finishedMs() + MINUTE;
    // A minute's row has the time at which the minute began.
    long from = job.startedMs() - MINUTE;
    History.Series all = history.read("job|" + job.id(), from, end, now);
    History.Series last = history.read("job|" + job.id(), end - 3 * MINUTE, end, now);
    fold(all, peaks);
    fold(last, peaks);
    if (all.times().isEmpty() && last.times().isEmpty()) {
      return nothing(
          "nothing was recorded of it, as it ran in no engine or the console did not run");
    }
    History.Series first = all.times().isEmpty() ? last : all;
    long until =
        Math.max(
            all.times().isEmpty() ? 0 : all.times().get(all.times().size() - 1),
            last.times().isEmpty() ? 0 : last.times().get(last.times().size() - 1));
    return new Views.JobPast(first.times().get(0), until, peaks, "");
  }

  private static void fold(History.Series series, long[] peaks) {
    for (int row = 0; row < series.times().size(); row++) {
      for (int column = 0; column < peaks.length; column++) {
        peaks[column] = Figures.max(peaks[column], series.peak(row, column));
      }
    }
  }

  private static Views.JobPast nothing(String untold) {
    return new Views.JobPast(0, 0, Figures.unknown(JobUse.COLUMNS.size()), untold);
  }
}
