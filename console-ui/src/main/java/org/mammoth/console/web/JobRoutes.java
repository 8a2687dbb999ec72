// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ANYONE;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.mammoth.console.live.JobUse;
import org.mammoth.console.live.Moment;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.live.TaskSightings;
import org.mammoth.console.model.JobCounter;
import org.mammoth.console.model.JobRecord;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.read.CounterAdapter;
import org.mammoth.console.read.FinishedJobs;
import org.mammoth.console.read.JobReader;

/** Jobs, and one job's tasks over nodes. */
final class JobRoutes {

  private final Recorder recorder;
  private final JobReader reader;
  private final TaskSightings sightings;
  private final EarlierRuns earlier;
  private final JobPasts pasts;
  private final JobFinder finder;

  JobRoutes(Recorder recorder, JobReader reader, JobParts parts, JobPasts pasts, JobFinder finder) {
    this.pasts = pasts;
    this.recorder = recorder;
    this.reader = reader;
    this.sightings = parts.sightings();
    this.finder = finder;
    this.earlier = new EarlierRuns(reader, finder.archive());
  }

  List<Route> routes() {
    return List.of(
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
            "The job and its earlier runs: same name but for numbers, same user, at most 10",
            List.of(),
            Views.Runs.class,
            this::runs));
  }

  private Views.Runs runs(Call call) throws ApiException {
    Moment moment = recorder.moment();
    JobSample job = finder.one(moment, call.viewer(), call.text("job"));
    return new Views.Runs(moment.view().timeMs(), earlier.of(job, moment.view().jobs()));
  }

  private Views.Job job(Call call) throws ApiException {
    Moment moment = recorder.moment();
    JobSample job = finder.one(moment, call.viewer(), call.text("job"));
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
    JobRecord kept = job.running() ? null : finder.archive().read(id);
    List<JobCounter> told =
        counters != null
            ? FinishedJobs.counters(counters)
            : kept == null ? List.of() : kept.counters();
    return new Views.Job(
        moment.view().timeMs(),
        job,
        nodes,
        list,
        tasks == null ? "engines" : "job",
        told.stream().map(JobRoutes::counter).toList(),
        CounterAdapter.reduceInput(told),
        kept == null ? pasts.of(job) : JobPasts.past(kept.held()),
        others(id, list),
        kept == null ? null : kept(kept));
  }

  private static Views.Counter counter(JobCounter counter) {
    return new Views.Counter(
        counter.group(), counter.name(), counter.map(), counter.reduce(), counter.total());
  }

  private static JobViews.Kept kept(JobRecord job) {
    return new JobViews.Kept(
        job.run().word(),
        job.runWhy(),
        job.diagnostics(),
        job.memorySeconds(),
        job.vcoreSeconds(),
        job.attempts(),
        job.seenInEngine(),
        job.fallbacks(),
        job.merges());
  }

  /** Attempts that were seen and are not the one that a task is listed with. */
  private List<Views.Task> others(String job, List<Views.Task> listed) {
    Set<String> shown = listed.stream().map(Views.Task::attempt).collect(Collectors.toSet());
    return seen(job).stream().filter(task -> !shown.contains(task.attempt())).toList();
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
}
