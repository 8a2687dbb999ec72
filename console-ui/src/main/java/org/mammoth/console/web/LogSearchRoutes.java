// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.console.live.Moment;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.read.ContainerLogs.LogTail;
import org.mammoth.console.read.FinishedJobs;
import org.mammoth.console.read.JobReader;

/**
 * Finds lines in the logs of a job: of its ApplicationMaster first, then of the tasks that failed,
 * of those that were tried again, and of the others. Bounded in attempts, bytes, lines and time;
 * the answer says what was not looked at.
 */
final class LogSearchRoutes {

  /** Of one file, its end. */
  static final int FILE_BYTES = 1 << 20;

  static final int MOST_ATTEMPTS = 200;
  private static final int MOST_LINES = 500;
  private static final int LINES_EACH = 50;
  private static final int LINE_LETTERS = 1000;
  private static final long MOST_MS = 20_000;
  private static final int AT_ONCE = 6;
  private static final Set<String> FILES = Set.of("syslog", "stderr", "stdout");

  private final Recorder recorder;
  private final JobFinder finder;
  private final JobReader reader;
  private final AttemptLogs logs;
  private final Clock clock;

  /**
   * What was found.
   *
   * @param attempts whose file was looked at
   * @param unread how many of these files, or lists of attempts, could not be read
   * @param unreadWhy why the first could not; else empty
   * @param tasks how many tasks the job has
   * @param searched of how many tasks attempts were looked at
   * @param cut why not all attempts were looked at; empty if all were
   * @param ends of how many files only the end was looked at, as they are longer
   * @param more how many files have more lines with the text than are told
   */
  record Found(
      String job,
      String file,
      List<Line> lines,
      long attempts,
      long unread,
      String unreadWhy,
      long tasks,
      long searched,
      String cut,
      long ends,
      long more) {}

  /**
   * A line.
   *
   * @param attempt or ApplicationMaster whose log it is in
   */
  record Line(String attempt, String node, String text) {}

  LogSearchRoutes(
      Recorder recorder,
      JobFinder finder,
      JobReader reader,
      JobParts parts,
      Configuration conf,
      Clock clock) {
    this.recorder = recorder;
    this.finder = finder;
    this.reader = reader;
    this.logs = new AttemptLogs(parts.logs(), conf);
    this.clock = clock;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/jobs/{job}/logs",
            Route.Right.ANYONE,
            "Lines of a job's logs that have a text in them, in any case: of its ApplicationMaster,"
                + " then of tasks, those that failed first",
            List.of(
                new Route.Param("find", "string", true, "the text"),
                new Route.Param("file", "string", false, "syslog, the default, stderr or stdout")),
            Found.class,
            this::search));
  }

  private Found search(Call call) throws ApiException {
    String text = call.text("find").toLowerCase(java.util.Locale.ROOT);
    String file = call.query().containsKey("file") ? call.text("file") : "syslog";
    if (!FILES.contains(file)) {
      throw new ApiException(400, "there is no file " + file + "; syslog, stderr and stdout are");
    }
    Moment moment = recorder.moment();
    JobSample job = finder.one(moment, call.viewer(), call.text("job"));
    Search search = new Search(moment, file, text, logs.access(call.viewer(), job));
    try {
      return search.of(job);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(503, "the console is being stopped");
    }
  }

  /** One search. */
  private final class Search {
    private final Moment moment;
    private final String file;
    private final String text;
    private final AttemptLogs.Access access;
    private final long endMs = clock.millis() + MOST_MS;
    private final List<Line> lines = new ArrayList<>();
    private long attempts;
    private long unread;
    private String unreadWhy = "";
    private String cut = "";
    private long ends;
    private long more;

    Search(Moment moment, String file, String text, AttemptLogs.Access access) {
      this.moment = moment;
      this.file = file;
      this.text = text;
      this.access = access;
    }

    Found of(JobSample job) throws InterruptedException {
      CompletableFuture<JsonNode> masters = reader.masters(job);
      CompletableFuture<JsonNode> tasks = reader.tasks(job);
      List<Log> own = new ArrayList<>();
      for (JsonNode master : told(masters).path("jobAttempts").path("jobAttempt")) {
        own.add(
            new Log(
                "ApplicationMaster " + master.path("id").asText(),
                master.path("nodeHttpAddress").asText(),
                master.path("containerId").asText()));
      }
      look(own);
      List<String> order = order(told(tasks));
      int searched = 0;
      while (searched < order.size() && goesOn()) {
        List<String> some = order.subList(searched, Math.min(order.size(), searched + AT_ONCE));
        look(logsOf(job, some));
        searched += some.size();
      }
      return new Found(
          job.id(),
          file,
          lines,
          attempts,
          unread,
          unreadWhy,
          order.size(),
          searched,
          cut,
          ends,
          more);
    }

    private boolean goesOn() {
      if (!cut.isEmpty()) {
        return false;
      }
      if (lines.size() >= MOST_LINES) {
        cut = MOST_LINES + " lines are found";
      } else if (attempts >= MOST_ATTEMPTS) {
        cut = MOST_ATTEMPTS + " attempts are looked at";
      } else if (clock.millis() >= endMs) {
        cut = MOST_MS / 1000 + " s are over";
      }
      return cut.isEmpty();
    }

    /** An answer, or an empty one with the reason noted. */
    private JsonNode told(CompletableFuture<JsonNode> asked) throws InterruptedException {
      try {
        return asked.get();
      } catch (ExecutionException e) {
        unread++;
        unreadWhy = unreadWhy.isEmpty() ? FinishedJobs.why(e.getCause()) : unreadWhy;
        return com.fasterxml.jackson.databind.node.MissingNode.getInstance();
      }
    }

    private List<String> order(JsonNode answer) {
      List<JsonNode> all = new ArrayList<>();
      answer.path("tasks").path("task").forEach(all::add);
      all.sort(
          Comparator.comparingInt(Search::rank).thenComparing(task -> task.path("id").asText()));
      return all.stream().map(task -> task.path("id").asText()).toList();
    }

    private static int rank(JsonNode task) {
      String good = task.path("successfulAttempt").asText("");
      if (task.path("state").asText().equals("FAILED")) {
        return 0;
      }
      return !good.isEmpty() && !good.endsWith("_0") ? 1 : 2;
    }

    private List<Log> logsOf(JobSample job, List<String> tasks) throws InterruptedException {
      List<CompletableFuture<JsonNode>> asked =
          tasks.stream().map(task -> reader.attempts(job, task)).toList();
      List<Log> found = new ArrayList<>();
      for (CompletableFuture<JsonNode> answer : asked) {
        for (JsonNode attempt : told(answer).path("taskAttempts").path("taskAttempt")) {
          found.add(
              new Log(
                  attempt.path("id").asText(),
                  attempt.path("nodeHttpAddress").asText(),
                  attempt.path("assignedContainerId").asText()));
        }
      }
      return found;
    }

    private void look(List<Log> some) {
      List<CompletableFuture<LogTail>> asked =
          some.stream()
              .map(log -> logs.last(moment, log.node, log.container, file, FILE_BYTES, access))
              .toList();
      for (int i = 0; i < some.size(); i++) {
        attempts++;
        LogTail tail = asked.get(i).join();
        if (!tail.untold().isEmpty()) {
          unread++;
          unreadWhy = unreadWhy.isEmpty() ? tail.untold() : unreadWhy;
        }
        ends += tail.longer() ? 1 : 0;
        take(some.get(i), tail.text());
      }
    }

    private void take(Log log, String content) {
      int own = 0;
      for (String line : content.split("\n")) {
        if (!line.toLowerCase(java.util.Locale.ROOT).contains(text)) {
          continue;
        }
        if (own >= LINES_EACH || lines.size() >= MOST_LINES) {
          more++;
          return;
        }
        own++;
        String shown = line.length() > LINE_LETTERS ? line.substring(0, LINE_LETTERS) : line;
        lines.add(new Line(log.name, log.node, shown));
      }
    }
  }

  private record Log(String name, String node, String container) {}
}
