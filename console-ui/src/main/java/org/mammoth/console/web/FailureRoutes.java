// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ANYONE;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.console.live.Moment;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.model.JobRecord;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.read.ContainerLogs;
import org.mammoth.console.read.FinishedJobs;
import org.mammoth.console.read.JobReader;

/** Why a job failed: what it says itself, the attempts that failed, the ends of their logs. */
final class FailureRoutes {

  /** How many attempts are shown, and of how many tasks they are looked for. */
  private static final int MOST = 4;

  private static final List<String> FILES = List.of("syslog", "stderr");

  private final Recorder recorder;
  private final JobFinder finder;
  private final JobReader reader;
  private final FinishedJobs finished;
  private final AttemptLogs logs;

  FailureRoutes(
      Recorder recorder, JobFinder finder, JobReader reader, JobParts parts, Configuration conf) {
    this.recorder = recorder;
    this.finder = finder;
    this.reader = reader;
    this.finished = parts.finished();
    this.logs = new AttemptLogs(parts.logs(), conf);
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/jobs/{job}/failure",
            ANYONE,
            "Why a job failed: its diagnostics, up to four attempts that failed, the ends of their"
                + " logs",
            List.of(),
            JobViews.Failure.class,
            this::failure));
  }

  private JobViews.Failure failure(Call call) throws ApiException {
    Moment moment = recorder.moment();
    JobSample job = finder.one(moment, call.viewer(), call.text("job"));
    JobRecord kept = finder.archive().read(job.id());
    CompletableFuture<JsonNode> tasks = reader.tasks(job);
    String diagnostics =
        kept == null || kept.diagnostics().isEmpty()
            ? or(finished.byResourceManager(job.application()).thenApply(l -> l.diagnostics()), "")
            : kept.diagnostics();
    List<JobViews.FailedAttempt> failed = List.of();
    String untold = "";
    try {
      failed = attempts(moment, job, suspects(tasks.get()), logs.access(call.viewer(), job));
    } catch (ExecutionException e) {
      untold =
          (job.running() ? "the job" : "the history server")
              + " does not tell of its attempts: "
              + FinishedJobs.why(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(503, "the console is being stopped");
    }
    return new JobViews.Failure(
        job.id(),
        job.running() ? job.state() : job.finalStatus(),
        diagnostics,
        failed,
        kept == null || kept.attempts() == null ? null : kept.attempts().failed(),
        untold);
  }

  /** A future's value, or another if it has none. */
  private static <T> T or(CompletableFuture<T> future, T other) {
    return future.exceptionally(failure -> other).join();
  }

  /** Tasks that failed first, then those of which not the first attempt succeeded. */
  private static List<String> suspects(JsonNode answer) {
    List<String> failed = new ArrayList<>();
    List<String> retried = new ArrayList<>();
    for (JsonNode task : answer.path("tasks").path("task")) {
      String good = task.path("successfulAttempt").asText("");
      if (task.path("state").asText().equals("FAILED")) {
        failed.add(task.path("id").asText());
      } else if (!good.isEmpty() && !good.endsWith("_0")) {
        retried.add(task.path("id").asText());
      }
    }
    failed.addAll(retried);
    return failed.size() > MOST ? failed.subList(0, MOST) : failed;
  }

  private List<JobViews.FailedAttempt> attempts(
      Moment moment, JobSample job, List<String> tasks, AttemptLogs.Access access) {
    List<CompletableFuture<JsonNode>> asked =
        tasks.stream().map(task -> reader.attempts(job, task)).toList();
    List<List<JsonNode>> failed = new ArrayList<>();
    for (CompletableFuture<JsonNode> answer : asked) {
      List<JsonNode> own = new ArrayList<>();
      for (JsonNode attempt : or(answer, missing()).path("taskAttempts").path("taskAttempt")) {
        if (attempt.path("state").asText().equals("FAILED")) {
          own.add(attempt);
        }
      }
      own.sort(Comparator.comparingLong((JsonNode a) -> a.path("finishTime").asLong()).reversed());
      failed.add(own);
    }
    List<JsonNode> picked = pick(failed);
    List<List<CompletableFuture<ContainerLogs.LogTail>>> tails = new ArrayList<>();
    for (JsonNode attempt : picked) {
      tails.add(FILES.stream().map(file -> tail(moment, attempt, file, access)).toList());
    }
    List<JobViews.FailedAttempt> attempts = new ArrayList<>();
    for (int i = 0; i < picked.size(); i++) {
      attempts.add(attempt(picked.get(i), tails.get(i)));
    }
    return attempts;
  }

  private static JsonNode missing() {
    return com.fasterxml.jackson.databind.node.MissingNode.getInstance();
  }

  /** The last of each task before the one before it. */
  private static List<JsonNode> pick(List<List<JsonNode>> failed) {
    List<JsonNode> picked = new ArrayList<>();
    for (int round = 0; round < MOST; round++) {
      for (List<JsonNode> own : failed) {
        if (round < own.size() && picked.size() < MOST) {
          picked.add(own.get(round));
        }
      }
    }
    return picked;
  }

  private CompletableFuture<ContainerLogs.LogTail> tail(
      Moment moment, JsonNode attempt, String file, AttemptLogs.Access access) {
    return logs.last(
        moment,
        attempt.path("nodeHttpAddress").asText(),
        attempt.path("assignedContainerId").asText(""),
        file,
        ContainerLogs.TAIL_BYTES,
        access);
  }

  private static JobViews.FailedAttempt attempt(
      JsonNode attempt, List<CompletableFuture<ContainerLogs.LogTail>> asked) {
    String id = attempt.path("id").asText();
    List<ContainerLogs.LogTail> tails =
        asked.stream()
            .map(CompletableFuture::join)
            .filter(tail -> !tail.text().isEmpty() || !tail.untold().isEmpty())
            .toList();
    return new JobViews.FailedAttempt(
        id,
        id.replaceFirst("^attempt", "task").replaceFirst("_\\d+$", ""),
        attempt.path("type").asText(),
        attempt.path("nodeHttpAddress").asText(),
        attempt.path("assignedContainerId").asText(),
        attempt.path("startTime").asLong(),
        attempt.path("finishTime").asLong(),
        attempt.path("diagnostics").asText(""),
        tails);
  }
}
