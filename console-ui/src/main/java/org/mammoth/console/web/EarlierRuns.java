// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mammoth.api.collections.LatestMap;
import org.mammoth.console.model.JobCounter;
import org.mammoth.console.model.JobDigest;
import org.mammoth.console.model.JobNames;
import org.mammoth.console.model.JobRecord;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.ReduceInput;
import org.mammoth.console.read.CounterAdapter;
import org.mammoth.console.read.FinishedJobs;
import org.mammoth.console.read.JobReader;
import org.mammoth.console.store.JobArchive;

/**
 * A job beside its own earlier runs: those of the same user whose names differ in numbers only.
 * Counters of a job that has ended do not change and are asked for once. Any thread.
 */
final class EarlierRuns {

  /** Most earlier runs. */
  static final int RUNS = 10;

  private static final int REMEMBERED = 500;

  /** Counters that say where time and bytes went; others are on the job's own page. */
  private static final List<String> COUNTERS =
      List.of(
          "FILE_BYTES_READ",
          "FILE_BYTES_WRITTEN",
          "HDFS_BYTES_READ",
          "HDFS_BYTES_WRITTEN",
          "MAP_OUTPUT_MATERIALIZED_BYTES",
          "REDUCE_SHUFFLE_BYTES",
          "SPILLED_RECORDS",
          "CPU_MILLISECONDS",
          "GC_TIME_MILLIS");

  /** What a run's counters say; empty and null if nobody tells. */
  private record Told(Map<String, Long> counters, ReduceInput input) {

    static final Told NOTHING = new Told(Map.of(), null);
  }

  private final JobReader reader;
  private final JobArchive archive;
  private final Map<String, Told> known = LatestMap.byUse(REMEMBERED);

  EarlierRuns(JobReader reader, JobArchive archive) {
    this.reader = reader;
    this.archive = archive;
  }

  /** The job itself first, then those before it, the latest first. */
  List<Views.Run> of(JobSample job, List<JobSample> all) {
    List<JobSample> runs = new ArrayList<>();
    runs.add(job);
    earlier(job, all).limit(RUNS).forEach(runs::add);
    List<CompletableFuture<JsonNode>> asked = new ArrayList<>();
    for (JobSample run : runs) {
      asked.add(kept(run) == null ? reader.counters(run) : CompletableFuture.completedFuture(null));
    }
    List<Views.Run> answer = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      JobSample run = runs.get(i);
      Told told = told(run, asked.get(i));
      answer.add(
          new Views.Run(
              run.id(),
              run.running() ? run.state() : run.finalStatus(),
              run.startedMs(),
              run.finishedMs(),
              told.counters(),
              told.input()));
    }
    return answer;
  }

  /** Of the ResourceManager's list and of the archive, the latest first. */
  private Stream<JobSample> earlier(JobSample job, List<JobSample> all) {
    Set<String> listed = all.stream().map(JobSample::id).collect(Collectors.toSet());
    String name = JobNames.masked(job.name());
    return Stream.concat(
            all.stream(),
            archive.digests().stream()
                .filter(other -> other.user().equals(job.user()) && !listed.contains(other.id()))
                .map(JobDigest::sample))
        .filter(
            other ->
                other.user().equals(job.user())
                    && other.startedMs() < job.startedMs()
                    && JobNames.masked(other.name()).equals(name))
        .sorted(Comparator.comparingLong(JobSample::startedMs).reversed());
  }

  /** What is known of a run's counters without asking; null if nothing is. */
  private Told kept(JobSample run) {
    Told before = remembered(run.id());
    if (before != null || run.running()) {
      return before;
    }
    JobRecord record = archive.read(run.id());
    if (record == null || record.counters().isEmpty()) {
      return null;
    }
    Told told = told(record.counters());
    synchronized (known) {
      known.put(run.id(), told);
    }
    return told;
  }

  private Told remembered(String job) {
    synchronized (known) {
      return known.get(job);
    }
  }

  private Told told(JobSample run, CompletableFuture<JsonNode> asked) {
    Told before = remembered(run.id());
    if (before != null) {
      return before;
    }
    Told told;
    try {
      told = told(FinishedJobs.counters(asked.get()));
    } catch (ExecutionException e) {
      return Told.NOTHING;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Told.NOTHING;
    }
    if (!run.running() && !told.counters().isEmpty()) {
      synchronized (known) {
        known.put(run.id(), told);
      }
    }
    return told;
  }

  private static Told told(List<JobCounter> counters) {
    Map<String, Long> totals = new LinkedHashMap<>();
    for (String name : COUNTERS) {
      for (JobCounter counter : counters) {
        if (counter.name().equals(name)) {
          totals.put(name, counter.total());
        }
      }
    }
    return new Told(totals, CounterAdapter.reduceInput(counters));
  }
}
