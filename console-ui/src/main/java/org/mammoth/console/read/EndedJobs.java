// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.TaskCounts;

/**
 * How many tasks jobs had that have ended. The ResourceManager does not know, the history server
 * does, a moment after the end; a job that it never tells of is asked for so many times only. Any
 * thread.
 */
final class EndedJobs {

  private static final int TRIES = 40;

  private final Map<String, TaskCounts> told = new HashMap<>();
  private final Map<String, Integer> tries = new HashMap<>();

  private boolean wanted(JobSample job) {
    return !job.running() && !told.containsKey(job.id()) && tries.getOrDefault(job.id(), 0) < TRIES;
  }

  /** When the earliest of these jobs started that is to be asked for; -1 if none is. */
  synchronized long since(List<JobSample> jobs) {
    return jobs.stream().filter(this::wanted).mapToLong(JobSample::startedMs).min().orElse(-1);
  }

  /** Takes the history server's list of jobs, asked for these. */
  synchronized void take(JsonNode answer, List<JobSample> jobs) {
    for (JsonNode job : answer.path("jobs").path("job")) {
      told.put(
          job.path("id").asText(),
          new TaskCounts(
              job.path("mapsTotal").asLong(),
              job.path("mapsCompleted").asLong(),
              job.path("reducesTotal").asLong(),
              job.path("reducesCompleted").asLong()));
    }
    Set<String> listed = jobs.stream().map(JobSample::id).collect(Collectors.toSet());
    told.keySet().retainAll(listed);
    tries.keySet().retainAll(listed);
    jobs.stream().filter(this::wanted).forEach(job -> tries.merge(job.id(), 1, Integer::sum));
  }

  /** The jobs with what is known of their tasks. */
  synchronized List<JobSample> with(List<JobSample> jobs) {
    return jobs.stream().map(job -> job.with(told.get(job.id()))).toList();
  }
}
