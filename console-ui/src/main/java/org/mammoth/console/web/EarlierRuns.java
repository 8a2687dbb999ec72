// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.ReduceInput;
import org.mammoth.console.read.CounterAdapter;
import org.mammoth.console.read.JobReader;

/**
 * A job beside its own earlier runs: those of the same name and user that the ResourceManager still
 * lists. Counters of a job that has ended do not change and are asked for once. Any thread.
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
  private final Map<String, Told> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Told> eldest) {
          return size() > REMEMBERED;
        }
      };

  EarlierRuns(JobReader reader) {
    this.reader = reader;
  }

  /** The job itself first, then those before it, the latest first. */
  List<Views.Run> of(JobSample job, List<JobSample> all) {
    List<JobSample> runs = new ArrayList<>();
    runs.add(job);
    all.stream()
        .filter(
            other ->
                other.name().equals(job.name())
                    && other.user().equals(job.user())
                    && other.startedMs() < job.startedMs())
        .limit(RUNS)
        .forEach(runs::add);
    List<CompletableFuture<JsonNode>> asked = new ArrayList<>();
    for (JobSample run : runs) {
      asked.add(
          remembered(run.id()) == null
              ? reader.counters(run)
              : CompletableFuture.completedFuture(null));
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
      JsonNode answer = asked.get();
      told = new Told(counters(answer), CounterAdapter.reduceInput(answer));
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

  private static Map<String, Long> counters(JsonNode answer) {
    Map<String, Long> counters = new LinkedHashMap<>();
    for (String name : COUNTERS) {
      for (JsonNode group : answer.path("jobCounters").path("counterGroup")) {
        for (JsonNode counter : group.path("counter")) {
          if (counter.path("name").asText().equals(name)) {
            counters.put(name, counter.path("totalCounterValue").asLong());
          }
        }
      }
    }
    return counters;
  }
}
