// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ANYONE;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.mammoth.console.live.JobUse;
import org.mammoth.console.live.Moment;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.live.TaskSightings;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.read.CounterAdapter;
import org.mammoth.console.read.JobReader;

/** Jobs, and one job's tasks over nodes. */
final class JobRoutes {

  private final Recorder recorder;
  private final JobReader reader;
  private final TaskSightings sightings;
  private final EarlierRuns earlier;
  private final JobPasts pasts;

  JobRoutes(Recorder recorder, JobReader reader, TaskSightings sightings, JobPasts pasts) {
    this.pasts = pasts;
    this.recorder = recorder;
    this.reader = reader;
    this.sightings = sightings;
    this.earlier = new EarlierRuns(reader);
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/jobs",
            ANYONE,
            "MapReduce jobs of the last day, the latest first",
            List.of(),
            Views.Jobs.class,
            this::jobs),
        new Route(
            "GET",
            "/jobs/{job}",
            ANYONE,
            "One job: its tasks over nodes, its memory, its counters, where its reduces' input came from",
            List.of(),
            Views.Job.class,
            this::job),
        new Route(
            "GET",
            "/jobs/{job}/earlier",
            ANYONE,
            "The job and its earlier runs of the last day: same name, same user, at most 10",
            List.of(),
            Views.Runs.class,
            this::runs));
  }

  private Views.Jobs jobs(Call call) {
    Moment moment = recorder.moment();
    return new Views.Jobs(
        moment.view().timeMs(),
        JobUse.COLUMNS,
        ClusterRoutes.jobs(moment, call.viewer(), pasts.reading()));
  }

  private Views.Runs runs(Call call) throws ApiException {
    Moment moment = recorder.moment();
    JobSample job = find(moment, call);
    return new Views.Runs(moment.view().timeMs(), earlier.of(job, moment.view().jobs()));
  }

  private static JobSample find(Moment moment, Call call) throws ApiException {
    String id = call.text("job");
    JobSample job =
        moment.view().jobs().stream()
            .filter(sample -> sample.id().equals(id))
            .findFirst()
            .orElseThrow(() -> new ApiException(404, "no job " + id + " within the last day"));
    if (!call.viewer().sees(job.user())) {
      throw new ApiException(403, "the job is another user's (mammoth.console.acl.view)");
    }
    return job;
  }

  private Views.Job job(Call call) throws ApiException {
    Moment moment = recorder.moment();
    JobSample job = find(moment, call);
    String id = job.id();
    List<Views.NodeUse> nodes = new ArrayList<>();
    for (Map.Entry<String, Map<String, JobUse>> node : moment.nodeUses().entrySet()) {
      JobUse use = node.getValue().get(id);
      if (use != null) {
        nodes.add(new Views.NodeUse(node.getKey(), use.values()));
      }
    }
    CompletableFuture<JsonNode> asked = reader.tasks(job);
    CompletableFuture<JsonNode> counted = reader.counters(job);
    JsonNode tasks = result(asked);
    JsonNode counters = result(counted);
    List<Views.Task> list = tasks == null ? seen(id) : listed(tasks, fallbacks(moment));
    return new Views.Job(
        moment.view().timeMs(),
        job,
        nodes,
        list,
        tasks == null ? "engines" : "job",
        counters == null ? List.of() : counters(counters),
        counters == null ? null : CounterAdapter.reduceInput(counters),
        pasts.of(job));
  }

  /** Null if there is no answer: a job without its ApplicationMaster still has a page. */
  private static JsonNode result(CompletableFuture<JsonNode> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Why tasks went to ordinary containers, as far as their nodes still tell. */
  private static Map<String, String> fallbacks(Moment moment) {
    Map<String, String> reasons = new HashMap<>();
    for (NodeState node : moment.view().nodes().values()) {
      if (node.sample() != null) {
        node.sample().lastFallbacks().forEach(last -> reasons.put(last.task(), last.reason()));
      }
    }
    return reasons;
  }

  private List<Views.Task> listed(JsonNode answer, Map<String, String> fallbacks) {
    List<Views.Task> tasks = new ArrayList<>();
    for (JsonNode task : answer.path("tasks").path("task")) {
      String id = task.path("id").asText();
      String attempt = task.path("successfulAttempt").asText("");
      TaskSightings.Sighting seen = sightings.latest(id, attempt);
      tasks.add(
          new Views.Task(
              id,
              task.path("type").asText(),
              task.path("state").asText(),
              task.path("startTime").asLong(),
              task.path("finishTime").asLong(),
              seen == null ? attempt : seen.attempt(),
              seen == null ? "" : seen.node(),
              seen != null ? "engine" : fallbacks.containsKey(id) ? "container" : "unknown",
              seen != null ? "" : fallbacks.getOrDefault(id, ""),
              seen == null ? "" : seen.merge()));
    }
    return tasks;
  }

  private List<Views.Task> seen(String job) {
    List<Views.Task> tasks = new ArrayList<>();
    for (TaskSightings.Sighting seen : sightings.of(job)) {
      tasks.add(
          new Views.Task(
              seen.attempt().replaceFirst("^attempt", "task").replaceFirst("_\\d+$", ""),
              seen.type(),
              "",
              seen.firstMs(),
              seen.running() ? 0 : seen.lastMs(),
              seen.attempt(),
              seen.node(),
              "engine",
              "",
              seen.merge()));
    }
    return tasks;
  }

  private static List<Views.Counter> counters(JsonNode answer) {
    List<Views.Counter> counters = new ArrayList<>();
    for (JsonNode group : answer.path("jobCounters").path("counterGroup")) {
      for (JsonNode counter : group.path("counter")) {
        counters.add(
            new Views.Counter(
                group.path("counterGroupName").asText().replaceFirst("^.*\\.", ""),
                counter.path("name").asText(),
                counter.path("mapCounterValue").asLong(),
                counter.path("reduceCounterValue").asLong(),
                counter.path("totalCounterValue").asLong()));
      }
    }
    return counters;
  }
}
