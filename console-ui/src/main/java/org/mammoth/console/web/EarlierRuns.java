package org.mammoth.console.web;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.mammoth.console.model.JobSample;
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

  private final JobReader reader;
  private final Map<String, Map<String, Long>> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Map<String, Long>> eldest) {
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
      answer.add(
          new Views.Run(
              run.id(),
              run.running() ? run.state() : run.finalStatus(),
              run.startedMs(),
              run.finishedMs(),
              counters(run, asked.get(i))));
    }
    return answer;
  }

  private Map<String, Long> remembered(String job) {
    synchronized (known) {
      return known.get(job);
    }
  }

  /** Empty if nobody tells. */
  private Map<String, Long> counters(JobSample run, CompletableFuture<JsonNode> asked) {
    Map<String, Long> before = remembered(run.id());
    if (before != null) {
      return before;
    }
    Map<String, Long> counters = new LinkedHashMap<>();
    try {
      JsonNode answer = asked.get();
      COUNTERS.forEach(
          name -> {
            for (JsonNode group : answer.path("jobCounters").path("counterGroup")) {
              for (JsonNode counter : group.path("counter")) {
                if (counter.path("name").asText().equals(name)) {
                  counters.put(name, counter.path("totalCounterValue").asLong());
                }
              }
            }
          });
    } catch (ExecutionException e) {
      return counters;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return counters;
    }
    if (!run.running() && !counters.isEmpty()) {
      synchronized (known) {
        known.put(run.id(), counters);
      }
    }
    return counters;
  }
}
