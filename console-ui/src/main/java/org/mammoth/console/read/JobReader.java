// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.mammoth.console.model.JobSample;

/** Reads which MapReduce jobs there are, and one job's tasks. */
public final class JobReader {

  private static final int MAX_BYTES = 32 << 20;

  private static final String LISTED =
      "/ws/v1/cluster/apps?applicationTypes=MAPREDUCE&deSelects=resourceRequests&states=";

  private final ClusterHttp http;
  private final Addresses addresses;
  private final Supplier<String> active;
  private final long deadlineMs;
  private final RecentJobs recent = new RecentJobs();
  private final Map<String, CompletableFuture<JsonNode>> going = new ConcurrentHashMap<>();

  JobReader(ClusterHttp http, Addresses addresses, Supplier<String> active, long deadlineMs) {
    this.active = active;
    this.http = http;
    this.addresses = addresses;
    this.deadlineMs = deadlineMs;
  }

  /** The jobs that run, and the latest of those that ended within a day, the latest first. */
  CompletableFuture<List<JobSample>> jobs(String resourceManager, long nowMs) {
    String since = "&finishedTimeBegin=" + recent.sinceMs(nowMs);
    return listed(resourceManager, "NEW,NEW_SAVING,SUBMITTED,ACCEPTED,RUNNING")
        .thenCompose(
            running ->
                listed(resourceManager, "FINISHED,FAILED,KILLED" + since)
                    .thenApply(ended -> recent.with(running, ended, nowMs)));
  }

  private CompletableFuture<List<JobSample>> listed(String resourceManager, String which) {
    return http.getJson(resourceManager, LISTED + which, deadlineMs, MAX_BYTES)
        .thenApply(JobReader::parse);
  }

  /** Jobs that have ended and started since then, as the history server lists them. */
  CompletableFuture<JsonNode> ended(long sinceMs) {
    return http.getJson(
        addresses.historyServer(),
        "/ws/v1/history/mapreduce/jobs?startedTimeBegin=" + sinceMs,
        deadlineMs,
        MAX_BYTES);
  }

  static List<JobSample> parse(JsonNode answer) {
    List<JobSample> jobs = new ArrayList<>();
    for (JsonNode app : answer.path("apps").path("app")) {
      String application = app.path("id").asText();
      jobs.add(
          new JobSample(
              application.replaceFirst("^application_", "job_"),
              application,
              app.path("name").asText(),
              app.path("user").asText(),
              app.path("queue").asText(),
              app.path("state").asText(),
              app.path("finalStatus").asText(),
              app.path("progress").asDouble(),
              app.path("startedTime").asLong(),
              app.path("finishedTime").asLong(),
              app.path("finishedTime").asLong(),
              Math.max(0, app.path("allocatedMB").asLong()),
              Math.max(0, app.path("runningContainers").asLong()),
              app.path("trackingUrl").asText(),
              null));
    }
    return jobs;
  }

  /**
   * The tasks of a job, from its ApplicationMaster by way of the ResourceManager's proxy while it
   * runs, from the history server after.
   */
  public CompletableFuture<JsonNode> tasks(JobSample job) {
    return of(job, "/tasks");
  }

  /**
   * The attempts of one of a job's tasks, from where its tasks are.
   *
   * @param task as the job's own ApplicationMaster has named it, which is a user's program
   */
  public CompletableFuture<JsonNode> attempts(JobSample job, String task) {
    return JobIds.isTask(job, task)
        ? of(job, "/tasks/" + task + "/attempts")
        : CompletableFuture.failedFuture(new IOException("the job names a task that is not its"));
  }

  /** The attempts of a job's ApplicationMaster, from where its tasks are. */
  public CompletableFuture<JsonNode> masters(JobSample job) {
    return of(job, "/jobattempts");
  }

  /** The counters of a job, from where its tasks are. */
  public CompletableFuture<JsonNode> counters(JobSample job) {
    return of(job, "/counters");
  }

  private CompletableFuture<JsonNode> of(JobSample job, String part) {
    String path = "/jobs/" + job.id() + part;
    return job.running()
        ? once(active.get(), "/proxy/" + job.application() + "/ws/v1/mapreduce" + path)
        : once(addresses.historyServer(), "/ws/v1/history/mapreduce" + path);
  }

  /** Answers may be tens of megabytes: who asks while another does gets the other's answer. */
  private CompletableFuture<JsonNode> once(String origin, String path) {
    CompletableFuture<JsonNode> mine = new CompletableFuture<>();
    CompletableFuture<JsonNode> others = going.putIfAbsent(origin + path, mine);
    if (others != null) {
      return others;
    }
    Answers.hear(
        asked(origin, path),
        path,
        (answer, failure) -> {
          going.remove(origin + path, mine);
          if (failure == null) {
            mine.complete(answer);
          } else {
            mine.completeExceptionally(failure);
          }
        });
    return mine;
  }

  private CompletableFuture<JsonNode> asked(String origin, String path) {
    try {
      return http.getJson(origin, path, deadlineMs, MAX_BYTES);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
