// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.live.TaskSightings;
import org.mammoth.console.model.JobRecord;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.read.Answers;
import org.mammoth.console.read.EndedJobSource;
import org.mammoth.console.store.JobArchive;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts jobs that have ended into the archive, each once. Every few seconds it asks for those that
 * ended lately, and between that, a span at a time, for those that ended before the console
 * started. Counters are asked for of jobs that end while the console watches and of the newest few
 * hundred others, four jobs at a time.
 *
 * <p>{@link #step} is called once a second by one thread, the only one that writes. It may take
 * seconds: the first reads the archive, others read history; answers come on other threads and wait
 * in a queue for it.
 */
public final class JobArchivist {

  private static final Logger LOG = LoggerFactory.getLogger(JobArchivist.class);

  /** How often those that ended lately are asked for. */
  private static final long LATELY_MS = 5_000;

  /** What is asked for again each time: the history server tells of a job a while after its end. */
  private static final long AGAIN_MS = 600_000;

  /** How far beyond the console's clock those of daemons may be. */
  private static final long AHEAD_MS = 86_400_000;

  /** With no history server for so long jobs are recorded without it, and not asked for again. */
  private static final long GIVEN_UP_MS = PendingJob.GIVEN_UP_MS;

  private static final long BACK_EVERY_MS = 1_000;
  private static final long BACK_SPAN_MS = 6 * 3_600_000L;
  private static final long LEAST_SPAN_MS = 60_000;
  private static final long BACK_RETRY_MS = 30_000;

  /** How often what could not be read from disk is tried again. */
  private static final long LOAD_AGAIN_MS = 600_000;

  /** Of how many old jobs the counters are asked for. */
  static final int DETAILED = 300;

  private static final int DETAILS_AT_ONCE = 4;
  private static final int APPENDS_A_STEP = 200;

  /** With so many jobs waiting no older ones are asked for. */
  private static final int MOST_WAITING = 5_000;

  private final EndedJobSource jobs;
  private final JobArchive archive;
  private final Sources sources;
  private final Clock clock;
  private final long startMs;
  private final long horizonMs;
  private final Map<String, PendingJob> waiting = new LinkedHashMap<>();
  private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
  private boolean askingLately;
  private boolean askingBack;
  private long nextLoadMs;
  private long nextLatelyMs;
  private long latelyFromMs;
  private long nextBackMs;
  private long backToMs;
  private long backSpanMs = BACK_SPAN_MS;
  private long historyMs;
  private int detailing;
  private int detailed;
  private volatile String trouble = "";

  /**
   * What the console itself saw of jobs.
   *
   * @param sightings attempts in engines
   */
  public record Sources(TaskSightings sightings, FallbackNotes fallbacks, JobPeaksReader peaks) {}

  /**
   * @param days how far back jobs are asked for after a start
   */
  public JobArchivist(
      EndedJobSource jobs, JobArchive archive, Sources sources, long days, Clock clock) {
    this.jobs = jobs;
    this.archive = archive;
    this.sources = sources;
    this.clock = clock;
    long now = clock.millis();
    this.startMs = now;
    this.horizonMs = now - days * 86_400_000L;
    this.latelyFromMs = now - AGAIN_MS;
    this.backToMs = latelyFromMs;
  }

  /**
   * A second has passed.
   *
   * @param listed jobs as the ResourceManager lists them to everybody
   */
  public void step(List<JobSample> listed) {
    long now = clock.millis();
    if (!archive.loaded() || !archive.unread().isEmpty() && now >= nextLoadMs) {
      archive.load();
      nextLoadMs = now + LOAD_AGAIN_MS;
    }
    for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
      answer.run();
    }
    for (JobSample job : listed) {
      if (!job.running() && !known(job.id())) {
        waiting.put(job.id(), PendingJob.of(job, startMs, now));
      }
    }
    if (!askingLately && now >= nextLatelyMs) {
      lately(now);
    }
    if (!askingBack && now >= nextBackMs && backToMs > horizonMs && waiting.size() < MOST_WAITING) {
      back(now);
    }
    write(now);
  }

  private boolean known(String id) {
    return archive.has(id) || waiting.containsKey(id);
  }

  private void lately(long now) {
    askingLately = true;
    nextLatelyMs = now + LATELY_MS;
    ask(
        true,
        Math.min(latelyFromMs, awaitedFromMs()),
        now + AHEAD_MS,
        (told, failure) -> {
          askingLately = false;
          if (failure == null || clock.millis() - Math.max(historyMs, startMs) > GIVEN_UP_MS) {
            long newest =
                told.stream()
                    .mapToLong(EndedJobSource.Listed::finishedMs)
                    .max()
                    .orElse(latelyFromMs);
            // Goes by the daemons' clocks, but never beyond the present.
            latelyFromMs = Math.max(latelyFromMs, Math.min(newest, clock.millis()) - AGAIN_MS);
          }
        });
  }

  /** The ResourceManager's clock may be behind: a job it has named is asked for in its time. */
  private long awaitedFromMs() {
    long none = Long.MAX_VALUE;
    return waiting.values().stream().mapToLong(PendingJob::askFromMs).reduce(none, Math::min)
        - AGAIN_MS;
  }

  private void back(long now) {
    askingBack = true;
    long from = Math.max(horizonMs, backToMs - backSpanMs);
    ask(
        false,
        from,
        backToMs,
        (told, failure) -> {
          askingBack = false;
          nextBackMs = clock.millis() + BACK_EVERY_MS;
          if (failure == null) {
            backToMs = from;
            backSpanMs = Math.min(BACK_SPAN_MS, 2 * backSpanMs);
          } else if (backSpanMs > LEAST_SPAN_MS) {
            // It may have been too much for one answer.
            backSpanMs /= 2;
          } else {
            nextBackMs = clock.millis() + BACK_RETRY_MS;
          }
        });
    nextBackMs = now + BACK_EVERY_MS;
  }

  private interface Taker {
    void take(List<EndedJobSource.Listed> told, Throwable failure);
  }

  /** Asks both. What one tells is taken although the other does not answer, and asked for again. */
  private void ask(boolean lately, long fromMs, long toMs, Taker taker) {
    CompletableFuture<List<EndedJobSource.Listed>> manager = jobs.byResourceManager(fromMs, toMs);
    CompletableFuture<List<EndedJobSource.Listed>> history = jobs.byHistoryServer(fromMs, toMs);
    Answers.hear(
        CompletableFuture.allOf(manager, history),
        "jobs that ended",
        (nothing, failure) ->
            answers.add(
                () -> {
                  List<EndedJobSource.Listed> told = new ArrayList<>();
                  if (!manager.isCompletedExceptionally()) {
                    told.addAll(manager.join());
                  }
                  if (!history.isCompletedExceptionally()) {
                    told.addAll(history.join());
                    historyMs = clock.millis();
                  }
                  take(told, lately);
                  taker.take(told, failure);
                }));
  }

  private void take(List<EndedJobSource.Listed> told, boolean lately) {
    long now = clock.millis();
    for (EndedJobSource.Listed job : told) {
      PendingJob pending = waiting.get(job.id());
      if (pending == null && !archive.has(job.id())) {
        pending = new PendingJob(now);
        waiting.put(job.id(), pending);
      }
      if (pending != null) {
        pending.add(job);
        if (!pending.detailed() && (lately || detailed < DETAILED)) {
          detailed += lately ? 0 : 1;
          pending.wantDetails();
        }
      }
    }
  }

  private void write(long now) {
    int appended = 0;
    List<String> done = new ArrayList<>();
    for (Map.Entry<String, PendingJob> entry : waiting.entrySet()) {
      PendingJob job = entry.getValue();
      if (job.asks(now) && detailing < DETAILS_AT_ONCE) {
        details(entry.getKey(), job);
      } else if (job.ready(now, historyMs) && appended < APPENDS_A_STEP) {
        appended++;
        if (!append(now, job)) {
          break;
        }
        done.add(entry.getKey());
      }
    }
    done.forEach(waiting::remove);
  }

  private void details(String id, PendingJob job) {
    detailing++;
    job.asked();
    Answers.hear(
        jobs.details(id),
        "a job that ended",
        (details, failure) ->
            answers.add(
                () -> {
                  detailing--;
                  if (failure == null) {
                    job.told(details);
                  } else {
                    job.untold(clock.millis());
                  }
                }));
  }

  /** False if the disk does not take it; it is tried again in a second. */
  private boolean append(long now, PendingJob job) {
    JobRecord record = job.record(sources, now);
    try {
      archive.append(now, record);
    } catch (IOException e) {
      if (trouble.isEmpty()) {
        LOG.error("Jobs that have ended are not recorded (" + ConsoleKeys.DIRECTORY + ")", e);
        trouble =
            "Jobs that have ended are not recorded since "
                + Instant.ofEpochMilli(now)
                + " ("
                + ConsoleKeys.DIRECTORY
                + "); they will be once there is room: "
                + e.getMessage();
      }
      return false;
    }
    if (!trouble.isEmpty()) {
      LOG.info("Jobs that have ended are recorded again");
      trouble = "";
    }
    return true;
  }

  /** Why jobs are not recorded, or not all are there, at present; empty if all is well. */
  public String trouble() {
    if (!archive.loaded()) {
      return "Jobs of earlier days are still being read from disk.";
    }
    return trouble.isEmpty() ? archive.unread() : trouble;
  }
}
