// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ANYONE;

import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.mammoth.console.jobs.JobArchivist;
import org.mammoth.console.jobs.JobSearch;
import org.mammoth.console.jobs.JobSearch.Found;
import org.mammoth.console.live.JobUse;
import org.mammoth.console.live.Moment;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.model.JobDigest;
import org.mammoth.console.model.JobSample;

/** The list of jobs: found, sorted, a page at a time. */
final class JobListRoutes {

  private static final long DAY = 86_400_000L;
  private static final int MOST = 1000;
  private static final int MOST_NAMES = 500;

  private final Recorder recorder;
  private final JobFinder finder;
  private final JobArchivist archivist;
  private final JobPasts pasts;
  private final Clock clock;
  private final long days;

  JobListRoutes(Recorder recorder, JobFinder finder, JobParts parts, JobPasts pasts, Clock clock) {
    this.recorder = recorder;
    this.finder = finder;
    this.archivist = parts.archivist();
    this.days = parts.days();
    this.pasts = pasts;
    this.clock = clock;
  }

  private static Route.Param text(String name, String description) {
    return new Route.Param(name, "string", false, description);
  }

  private static Route.Param number(String name, String description) {
    return new Route.Param(name, "integer", false, description);
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/jobs",
            ANYONE,
            "MapReduce jobs: of the last day, the latest first, if nothing else is asked for",
            List.of(
                text("name", "part of the name or of the id, in any case"),
                text("user", "whose jobs"),
                text("queue", "of which queue"),
                text("state", "RUNNING, SUCCEEDED, FAILED or KILLED"),
                number("from", "jobs that ran then or later; a day ago without it"),
                number("to", "jobs that started by then"),
                text("sort", "a column, with - before it for the largest first; -started"),
                number("offset", "how many to pass over"),
                number("limit", "how many at most, 1 to 1000; 500")),
            JobViews.Jobs.class,
            this::jobs));
  }

  private JobViews.Jobs jobs(Call call) throws ApiException {
    Moment moment = recorder.moment();
    long now = clock.millis();
    long from = call.number("from", now - DAY, 0, Long.MAX_VALUE);
    long to = call.number("to", Long.MAX_VALUE, 0, Long.MAX_VALUE);
    long offset = call.number("offset", 0, 0, 10_000_000);
    long limit = call.number("limit", MOST / 2, 1, MOST);
    List<Found> ever = finder.find(moment, call.viewer(), everything(0, Long.MAX_VALUE));
    JobSearch time = everything(from, to);
    List<Found> then = ever.stream().filter(found -> time.matches(found.job())).toList();
    JobSearch search =
        new JobSearch(
            optional(call, "name"),
            optional(call, "user"),
            optional(call, "queue"),
            optional(call, "state"),
            from,
            to);
    List<Found> matches =
        then.stream().filter(found -> search.matches(found.job())).sorted(order(call)).toList();
    JobPasts.Reading reading = pasts.reading();
    return new JobViews.Jobs(
        moment.view().timeMs(),
        JobUse.COLUMNS,
        matches.stream()
            .skip(offset)
            .limit(limit)
            .map(found -> row(moment, found.job(), reading))
            .toList(),
        matches.size(),
        offset,
        from,
        to == Long.MAX_VALUE ? now : to,
        names(then, JobSample::user),
        names(then, JobSample::queue),
        states(then),
        ever.size(),
        days,
        archivist.trouble());
  }

  private static JobSearch everything(long fromMs, long toMs) {
    return new JobSearch("", "", "", "", fromMs, toMs);
  }

  private static String optional(Call call, String name) throws ApiException {
    return call.query().getOrDefault(name, "").isEmpty() ? "" : call.text(name);
  }

  private static Comparator<Found> order(Call call) throws ApiException {
    String sort = optional(call, "sort");
    try {
      return JobSearch.order(sort.isEmpty() ? "-started" : sort);
    } catch (IllegalArgumentException e) {
      throw new ApiException(400, e.getMessage());
    }
  }

  private static List<String> names(List<Found> jobs, Function<JobSample, String> of) {
    return jobs.stream()
        .map(found -> of.apply(found.job()))
        .distinct()
        .sorted()
        .limit(MOST_NAMES)
        .toList();
  }

  private static Map<String, Long> states(List<Found> jobs) {
    Map<String, Long> states = new TreeMap<>();
    jobs.forEach(found -> states.merge(JobSearch.state(found.job()), 1L, Long::sum));
    return states;
  }

  private Views.JobRow row(Moment moment, JobSample job, JobPasts.Reading reading) {
    Views.JobPast past = null;
    if (!job.running()) {
      JobDigest digest = finder.archive().digest(job.id());
      past = digest == null ? reading.of(job) : JobPasts.past(digest.held());
    }
    return new Views.JobRow(job, ClusterRoutes.use(moment, job), past);
  }
}
