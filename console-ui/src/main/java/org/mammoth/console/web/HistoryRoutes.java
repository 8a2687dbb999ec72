// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ANYONE;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.live.JobUse;
import org.mammoth.console.live.Moment;
import org.mammoth.console.live.NodeRow;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.model.JobDigest;
import org.mammoth.console.store.DecisionStore;
import org.mammoth.console.store.History;
import org.mammoth.console.store.JobArchive;

/** What the cluster was like. */
final class HistoryRoutes {

  private static final long MAX_TIME = 1L << 52;
  private static final List<Route.Param> SPAN =
      List.of(
          new Route.Param("from", "integer", true, "first moment, milliseconds since 1970"),
          new Route.Param("to", "integer", true, "last moment, milliseconds since 1970"));

  private final Recorder recorder;
  private final History history;
  private final DecisionStore decisions;
  private final JobArchive jobs;
  private final Clock clock;

  HistoryRoutes(
      Recorder recorder, History history, DecisionStore decisions, JobArchive jobs, Clock clock) {
    this.recorder = recorder;
    this.jobs = jobs;
    this.history = history;
    this.decisions = decisions;
    this.clock = clock;
  }

  List<Route> routes() {
    List<Route.Param> series = new ArrayList<>();
    series.add(
        new Route.Param(
            "key",
            "string",
            true,
            "cluster, node|NODE, job|JOB, nodejob|NODE|JOB or disk|NODE|DISK"));
    series.addAll(SPAN);
    series.add(
        new Route.Param(
            "points", "integer", false, "at most so many, 2 to 10000; the default is 1200"));
    List<Route.Param> log = new ArrayList<>(SPAN);
    log.add(0, new Route.Param("node", "string", true, "the node's id"));
    log.add(new Route.Param("limit", "integer", false, "at most so many; the default is 500"));
    return List.of(
        new Route(
            "GET",
            "/series",
            ANYONE,
            "Numbers over a span of time, at the finest grain kept of it",
            series,
            Views.Series.class,
            this::series),
        new Route(
            "GET",
            "/decisions",
            ANYONE,
            "What a node's cache scheduler decided, newest first",
            log,
            Views.Decisions.class,
            this::decisions));
  }

  private Views.Series series(Call call) throws ApiException {
    String key = call.text("key");
    List<String> columns = columns(key);
    if (columns == null) {
      throw new ApiException(
          400, "the parameter key is none of cluster, node|, job|, nodejob|, disk|");
    }
    String[] part = key.split("\\|");
    boolean ofJob = part[0].equals("job") || part[0].equals("nodejob");
    if (ofJob && !sees(call.viewer(), part[part.length - 1])) {
      throw new ApiException(403, "the job is another user's (" + ConsoleKeys.ACL_VIEW + ")");
    }
    long from = required(call, "from");
    long to = required(call, "to");
    int points = (int) call.number("points", 1200, 2, 10_000);
    History.Series series = history.read(key, from, to, clock.millis());
    return Thinning.thin(key, from, to, columns, series, points);
  }

  private boolean sees(Viewer viewer, String job) {
    JobDigest ended = jobs.digest(job);
    return ended == null
        ? new Masks(recorder.moment(), viewer).job(job)
        : viewer.sees(ended.user());
  }

  private static long required(Call call, String name) throws ApiException {
    call.text(name);
    return call.number(name, 0, 0, MAX_TIME);
  }

  private static List<String> columns(String key) {
    String[] part = key.split("\\|", -1);
    return switch (part[0] + part.length) {
      case "cluster1", "node2" -> NodeRow.COLUMNS;
      case "job2", "nodejob3" -> JobUse.COLUMNS;
      case "disk3" -> Moment.DISK_COLUMNS;
      default -> null;
    };
  }

  private Views.Decisions decisions(Call call) throws ApiException {
    String node = call.text("node");
    long from = required(call, "from");
    long to = required(call, "to");
    int limit = (int) call.number("limit", 500, 1, 5000);
    Masks masks = new Masks(recorder.moment(), call.viewer());
    return new Views.Decisions(
        node,
        from,
        to,
        decisions.read(node, from, to, limit).stream().map(masks::decision).toList());
  }
}
