// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.mammoth.console.model.AttemptCounts;
import org.mammoth.console.model.JobCounter;
import org.mammoth.console.model.TaskCounts;

/**
 * Reads what ResourceManager and history server tell of jobs that have ended. Any thread; answers
 * come on the client's threads.
 */
public final class FinishedJobs implements EndedJobSource {

  private static final int MAX_BYTES = 32 << 20;
  private static final int MOST_COUNTERS = 250;
  private static final int MOST_DIAGNOSTICS = 4096;

  private final ClusterHttp http;
  private final String historyServer;
  private final Supplier<String> resourceManager;
  private final long deadlineMs;

  /**
   * @param deadlineMs of one request
   */
  public FinishedJobs(
      ClusterHttp http, Addresses addresses, Supplier<String> resourceManager, long deadlineMs) {
    this.http = http;
    this.historyServer = addresses.historyServer();
    this.resourceManager = resourceManager;
    this.deadlineMs = deadlineMs;
  }

  private static String span(long fromMs, long toMs) {
    return "finishedTimeBegin=" + fromMs + "&finishedTimeEnd=" + toMs;
  }

  @Override
  public CompletableFuture<List<Listed>> byResourceManager(long fromMs, long toMs) {
    String path =
        "/ws/v1/cluster/apps?applicationTypes=MAPREDUCE&states=FINISHED,FAILED,KILLED"
            + "&deSelects=resourceRequests&"
            + span(fromMs, toMs);
    return http.getJson(resourceManager.get(), path, deadlineMs, MAX_BYTES)
        .thenApply(answer -> list(answer.path("apps").path("app"), FinishedJobs::application));
  }

  @Override
  public CompletableFuture<List<Listed>> byHistoryServer(long fromMs, long toMs) {
    return http.getJson(
            historyServer,
            "/ws/v1/history/mapreduce/jobs?" + span(fromMs, toMs),
            deadlineMs,
            MAX_BYTES)
        .thenApply(answer -> list(answer.path("jobs").path("job"), FinishedJobs::job));
  }

  /** One job, as the ResourceManager lists it; fails if it does not know it. */
  public CompletableFuture<Listed> byResourceManager(String application) {
    return http.getJson(
            resourceManager.get(), "/ws/v1/cluster/apps/" + application, deadlineMs, MAX_BYTES)
        .thenApply(answer -> application(answer.path("app")));
  }

  private static List<Listed> list(JsonNode nodes, Function<JsonNode, Listed> parse) {
    List<Listed> list = new ArrayList<>();
    for (JsonNode node : nodes) {
      Listed listed = parse.apply(node);
      // A job that was killed before it began has no start of its own.
      if (listed.finishedMs() > 0 && listed.startedMs() > 0) {
        list.add(listed);
      }
    }
    return list;
  }

  private static Listed application(JsonNode app) {
    String last = app.path("finalStatus").asText();
    return new Listed(
        app.path("id").asText().replaceFirst("^application_", "job_"),
        app.path("name").asText(),
        app.path("user").asText(),
        app.path("queue").asText(),
        last.equals("UNDEFINED") || last.isEmpty() ? app.path("state").asText() : last,
        app.path("startedTime").asLong(),
        app.path("finishedTime").asLong(),
        cut(app.path("diagnostics").asText("")),
        number(app.path("memorySeconds")),
        number(app.path("vcoreSeconds")),
        null);
  }

  private static Listed job(JsonNode job) {
    long submitted = job.path("submitTime").asLong();
    return new Listed(
        job.path("id").asText(),
        job.path("name").asText(),
        job.path("user").asText(),
        job.path("queue").asText(),
        job.path("state").asText(),
        // The ResourceManager's start is the submission; before 2.8 there is none here.
        submitted > 0 ? submitted : job.path("startTime").asLong(),
        job.path("finishTime").asLong(),
        cut(job.path("diagnostics").asText("")),
        null,
        null,
        new TaskCounts(
            job.path("mapsTotal").asLong(),
            job.path("mapsCompleted").asLong(),
            job.path("reducesTotal").asLong(),
            job.path("reducesCompleted").asLong()));
  }

  private static Long number(JsonNode node) {
    return node.isNumber() && node.asLong() >= 0 ? node.asLong() : null;
  }

  static String cut(String text) {
    String one = text.equals("null") ? "" : text.strip();
    return one.length() > MOST_DIAGNOSTICS ? one.substring(0, MOST_DIAGNOSTICS) + " …" : one;
  }

  /** Three requests one after another: the history server keeps what it has read for the first. */
  @Override
  public CompletableFuture<Details> details(String id) {
    String job = "/ws/v1/history/mapreduce/jobs/" + id;
    return ask(job)
        .thenCompose(
            info ->
                info == null
                    ? CompletableFuture.completedFuture(
                        new Details(false, "", null, List.of(), null))
                    : ask(job + "/counters")
                        .thenCompose(
                            counters ->
                                ask(job + "/conf")
                                    .thenApply(conf -> details(info.path("job"), counters, conf))));
  }

  /** Null if the history server has no such thing. */
  private CompletableFuture<JsonNode> ask(String path) {
    return http.getJson(historyServer, path, deadlineMs, MAX_BYTES)
        .exceptionally(
            failure -> {
              Throwable cause =
                  failure instanceof CompletionException ? failure.getCause() : failure;
              if (cause instanceof ClusterHttp.StatusException status && status.status() == 404) {
                return null;
              }
              throw new CompletionException(cause);
            });
  }

  private static Details details(JsonNode info, JsonNode counters, JsonNode conf) {
    AttemptCounts attempts =
        info.path("failedMapAttempts").isNumber()
            ? new AttemptCounts(
                info.path("failedMapAttempts").asLong(),
                info.path("killedMapAttempts").asLong(),
                info.path("failedReduceAttempts").asLong(),
                info.path("killedReduceAttempts").asLong())
            : null;
    return new Details(
        true,
        cut(info.path("diagnostics").asText("")),
        attempts,
        counters == null ? List.of() : counters(counters),
        conf == null ? null : settings(conf));
  }

  /**
   * A job's counters from what {@link JobReader#counters} answered too. Of more than are kept it is
   * the user's own that are left out, not those that the console goes by.
   */
  public static List<JobCounter> counters(JsonNode answer) {
    List<JobCounter> counters = new ArrayList<>();
    Set<JobCounter> others = new HashSet<>();
    for (JsonNode group : answer.path("jobCounters").path("counterGroup")) {
      String whole = group.path("counterGroupName").asText();
      String name = whole.replaceFirst("^.*\\.", "");
      for (JsonNode counter : group.path("counter")) {
        JobCounter one =
            new JobCounter(
                name,
                counter.path("name").asText(),
                counter.path("mapCounterValue").asLong(),
                counter.path("reduceCounterValue").asLong(),
                counter.path("totalCounterValue").asLong());
        counters.add(one);
        if (!whole.startsWith("org.apache.hadoop.") && !whole.startsWith("org.mammoth.")) {
          others.add(one);
        }
      }
    }
    if (counters.size() > MOST_COUNTERS) {
      counters.sort(Comparator.comparing(others::contains));
      return List.copyOf(counters.subList(0, MOST_COUNTERS));
    }
    return counters;
  }

  private static Map<String, String> settings(JsonNode conf) {
    Map<String, String> settings = new LinkedHashMap<>();
    for (JsonNode property : conf.path("conf").path("property")) {
      String name = property.path("name").asText();
      String value = property.path("value").asText();
      if (name.contains("mammoth") || value.contains("mammoth")) {
        settings.put(name, value);
      }
    }
    return settings;
  }

  /** Why there is no answer, for people. */
  public static String why(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof java.util.concurrent.TimeoutException) {
      return "no answer within the deadline";
    }
    return cause instanceof IOException || cause instanceof IllegalArgumentException
        ? String.valueOf(cause.getMessage())
        : String.valueOf(cause);
  }
}
