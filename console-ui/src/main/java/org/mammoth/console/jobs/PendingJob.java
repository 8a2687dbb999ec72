// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.console.live.TaskSightings;
import org.mammoth.console.model.JobPeaks;
import org.mammoth.console.model.JobRecord;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.read.EndedJobSource;

/** A job that has ended and is not in the archive yet: what was told of it. One thread. */
final class PendingJob {

  /** How long the history server has to take a job over; what it has not by then it never gets. */
  private static final long HANDED_OVER_MS = 180_000;

  /** A job is recorded without its tasks if the history server does not answer for so long. */
  static final long GIVEN_UP_MS = 3_600_000;

  private static final long RETRY_MS = 2_000;
  private static final long LONGEST_RETRY_MS = 60_000;

  /** With a minute between them at last, the history server may be gone for an hour. */
  private static final int TRIES = 64;

  private static final EndedJobSource.Details NOTHING =
      new EndedJobSource.Details(false, "", null, List.of(), null);

  private final long sinceMs;
  private EndedJobSource.Listed listed;

  /** How far the console's clock is ahead of the ResourceManager's, as far as it shows. */
  private long aheadMs;

  /** Whether it ended while the console watched. */
  private boolean watched;

  private boolean inHistory;
  private boolean wanted;
  private boolean asking;
  private long nextMs;
  private int tries;
  private EndedJobSource.Details details;

  PendingJob(long nowMs) {
    this.sinceMs = nowMs;
  }

  /**
   * One that the ResourceManager lists.
   *
   * @param startMs since when the console watches
   */
  static PendingJob of(JobSample job, long startMs, long nowMs) {
    PendingJob pending = new PendingJob(nowMs);
    pending.watched = job.endSeenMs() >= startMs;
    pending.aheadMs = job.endSeenMs() - job.finishedMs();
    pending.listed =
        new EndedJobSource.Listed(
            job.id(),
            job.name(),
            job.user(),
            job.queue(),
            job.finalStatus().equals("UNDEFINED") ? job.state() : job.finalStatus(),
            job.startedMs(),
            job.finishedMs(),
            "",
            null,
            null,
            null);
    return pending;
  }

  /** What one of the two says of it; the ResourceManager's times, the history server's counts. */
  void add(EndedJobSource.Listed other) {
    inHistory |= other.tasks() != null;
    if (listed == null) {
      listed = other;
      return;
    }
    boolean history = other.tasks() != null;
    EndedJobSource.Listed manager = history ? listed : other;
    listed =
        new EndedJobSource.Listed(
            manager.id(),
            manager.name(),
            manager.user(),
            manager.queue(),
            manager.state(),
            manager.startedMs(),
            manager.finishedMs(),
            longer(listed.diagnostics(), other.diagnostics()),
            other.memorySeconds() == null ? listed.memorySeconds() : other.memorySeconds(),
            other.vcoreSeconds() == null ? listed.vcoreSeconds() : other.vcoreSeconds(),
            other.tasks() == null ? listed.tasks() : other.tasks());
  }

  private static String longer(String a, String b) {
    return b.length() > a.length() ? b : a;
  }

  /**
   * From which end on it is to be asked for, by the ResourceManager's clock; the largest number if
   * it need not be.
   */
  long askFromMs() {
    return inHistory || !watched ? Long.MAX_VALUE : listed.finishedMs();
  }

  void wantDetails() {
    wanted = true;
  }

  boolean detailed() {
    return wanted;
  }

  /** Whether its details are to be asked for now. */
  boolean asks(long now) {
    return wanted && inHistory && details == null && !asking && now >= nextMs;
  }

  void asked() {
    asking = true;
  }

  void told(EndedJobSource.Details answer) {
    asking = false;
    details = answer;
  }

  /** The history server did not answer. */
  void untold(long now) {
    asking = false;
    tries++;
    nextMs = now + Math.min(LONGEST_RETRY_MS, RETRY_MS << Math.min(tries, 5));
    if (tries >= TRIES) {
      details = NOTHING;
    }
  }

  /**
   * Whether no more will be told of it.
   *
   * @param historyMs when the history server answered last
   */
  boolean ready(long now, long historyMs) {
    if (inHistory) {
      return !wanted || details != null;
    }
    return historyMs - sinceMs >= HANDED_OVER_MS || now - sinceMs >= GIVEN_UP_MS;
  }

  JobRecord record(JobArchivist.Sources sources, long now) {
    EndedJobSource.Details more = details == null ? NOTHING : details;
    List<TaskSightings.Sighting> seen = sources.sightings().of(listed.id());
    // Of thousands of old jobs reading history would take hours.
    JobPeaks held =
        wanted || !seen.isEmpty() || !inHistory
            ? sources
                .peaks()
                .read(listed.id(), listed.startedMs() + aheadMs, listed.finishedMs() + aheadMs, now)
            : JobPeaksReader.nothing("it ended before the console started");
    RunEvidence run =
        RunEvidence.of(seen.size(), held.told(), more.counters(), more.settings(), listed.tasks());
    Map<String, Long> merges = new LinkedHashMap<>();
    for (TaskSightings.Sighting sighting : seen) {
      if (!sighting.merge().isEmpty()) {
        merges.merge(sighting.merge(), 1L, Long::sum);
      }
    }
    return new JobRecord(
        listed.id(),
        listed.name(),
        listed.user(),
        listed.queue(),
        listed.state(),
        listed.startedMs(),
        listed.finishedMs(),
        longer(listed.diagnostics(), more.diagnostics()),
        listed.memorySeconds(),
        listed.vcoreSeconds(),
        listed.tasks(),
        more.attempts(),
        more.counters(),
        held,
        run.kind(),
        run.why(),
        seen.size(),
        sources.fallbacks().of(listed.id()),
        merges);
  }
}
