// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.time.Clock;
import java.util.Map;
import org.mammoth.api.collections.LatestMap;
import org.mammoth.console.jobs.JobPeaksReader;
import org.mammoth.console.live.JobUse;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.JobPeaks;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.store.History;

/**
 * The most a job held at any time, from history. Of a job that has ended it is read once its last
 * minute is folded, and remembered. Any thread.
 */
final class JobPasts {

  /** By then all of a job that has ended is in history at the minute's grain. */
  private static final long SETTLED_MS = 150_000;

  private static final int REMEMBERED = 1000;

  /** How long the list of jobs may wait for history. */
  private static final long BUDGET_MS = 200;

  private final JobPeaksReader peaks;
  private final Clock clock;
  private final Map<String, Views.JobPast> known = LatestMap.byUse(REMEMBERED);

  JobPasts(History history, Clock clock) {
    this.peaks = new JobPeaksReader(history);
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
    if (!job.running() && now - job.endSeenMs() > SETTLED_MS) {
      synchronized (known) {
        known.put(job.id(), past);
      }
    }
    return past;
  }

  private Views.JobPast read(JobSample job, long now) {
    // History is by the console's clock, its times by the ResourceManager's.
    long aheadMs = job.endSeenMs() - job.finishedMs();
    return past(peaks.read(job.id(), job.startedMs() + aheadMs, job.endSeenMs(), now));
  }

  private static Views.JobPast nothing(String untold) {
    return past(JobPeaksReader.nothing(untold));
  }

  /** As the interface has it. */
  static Views.JobPast past(JobPeaks peaks) {
    long[] values =
        peaks.peaks().length == 0 ? Figures.unknown(JobUse.COLUMNS.size()) : peaks.peaks();
    return new Views.JobPast(peaks.fromMs(), peaks.toMs(), values, peaks.untold());
  }
}
