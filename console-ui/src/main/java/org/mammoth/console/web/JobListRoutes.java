// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ANYONE;

import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
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
  private static final long NO_END = Long.MAX_VALUE;
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
                text("cause", "those of which a line of what needs attention is said, at any time"),
                text("sort", "a column, with - before it for the largest first; -started"),
                number("offset", "how many to pass over"),
                number("limit", "how many at most, 1 to 1000; 500")),
            JobViews.Jobs.class,
            this::jobs));
  }

  private JobViews.Jobs jobs(Call call) throws ApiException {
    Moment moment = recorder.moment();
    long now = clock.millis();
    String cause = optional(call, "cause");
    long from = cause.isEmpty() ? call.number("from", now - DAY, 0, Long.MAX_VALUE) : 0;
    long to = cause.isEmpty() ? call.number("to", NO_END, 0, NO_END) : NO_END;
    long offset = call.number("offset", 0, 0, 10_000_000);
    long limit = call.number("limit", MOST / 2, 1, MOST);
    List<Found> ever = finder.find(moment, call.viewer(), everything(0, NO_END));
    JobSearch time = everything(from, to);
    Predicate<Found> concerned = concerned(moment, cause);
    List<Found> then =
        ever.stream().filter(concerned).filter(found -> time.matches(found.job())).toList();
    JobSearch search =
        new JobSearch(
            optional(call, "name"),
            optional(call, "user"),
            optional(call, "queue"),
            optional(call, "state"),
            from,
            to);
    List<Found> matches =
        then.stream()
            .filter(found -> search.matches(found.job()))
            .sorted(order(call, now))
            .toList();
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
        to == NO_END ? now : to,
        names(then, JobSample::user),
        names(then, JobSample::queue),
        states(then),
        ever.size(),
        days,
        archivist.trouble());
  }

  /** Of a cause that is no more there are no jobs. */
  private static Predicate<Found> concerned(Moment moment, String cause) {
    if (cause.isEmpty()) {
      return found -> true;
    }
    Set<String> ids = Set.copyOf(moment.concerned().getOrDefault(cause, List.of()));
    return found -> ids.contains(found.job().id());
  }

  private static JobSearch everything(long fromMs, long toMs) {
    return new JobSearch("", "", "", "", fromMs, toMs);
  }

  private static String optional(Call call, String name) throws ApiException {
    return call.query().getOrDefault(name, "").isEmpty() ? "" : call.text(name);
  }

  private static Comparator<Found> order(Call call, long nowMs) throws ApiException {
    String sort = optional(call, "sort");
    try {
      return JobSearch.order(sort.isEmpty() ? "-started" : sort, nowMs);
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
