// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ANYONE;

import java.time.Clock;
import java.util.List;
import org.mammoth.config.names.KeyNames;
import org.mammoth.console.jobs.FallbackReport;
import org.mammoth.console.jobs.JobArchivist;
import org.mammoth.console.jobs.SavedReport;
import org.mammoth.console.model.JobDigest;
import org.mammoth.console.store.JobArchive;

/** What Mammoth saved, and what it could not. */
final class SavedRoutes {

  private static final int MOST_JOBS = 500;

  private final JobArchive archive;
  private final JobArchivist archivist;
  private final Clock clock;
  private final long days;

  SavedRoutes(JobParts parts, Clock clock) {
    this.archive = parts.archive();
    this.archivist = parts.archivist();
    this.days = parts.days();
    this.clock = clock;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/saved",
            ANYONE,
            "What Mammoth saved per job, queue and week against runs on stock, and why tasks went to"
                + " ordinary containers",
            List.of(
                new Route.Param(
                    "from", "integer", false, "jobs that ended then or later; all without it"),
                new Route.Param("to", "integer", false, "jobs that ended by then")),
            JobViews.Saved.class,
            this::saved));
  }

  private JobViews.Saved saved(Call call) throws ApiException {
    long now = clock.millis();
    long from = call.number("from", now - days * 86_400_000L, 0, Long.MAX_VALUE);
    long to = call.number("to", Long.MAX_VALUE, 0, Long.MAX_VALUE);
    Viewer viewer = call.viewer();
    List<JobDigest> known = List.copyOf(archive.digests());
    SavedReport report = SavedReport.of(known, job -> viewer.sees(job.user()), from, to);
    List<JobDigest> within =
        known.stream()
            .filter(job -> viewer.sees(job.user()))
            .filter(job -> job.finishedMs() >= from && job.finishedMs() <= to)
            .toList();
    return new JobViews.Saved(
        now,
        from,
        Math.min(to, now),
        report.first(MOST_JOBS),
        report.jobs().size(),
        todo(report),
        FallbackReport.of(within),
        archivist.trouble());
  }

  private static String todo(SavedReport report) {
    SavedReport.SavedSum all = report.all();
    if (all.jobs() == 0) {
      return "No job that ran in engines ended in this time, as far as is known.";
    }
    if (all.measured() == all.jobs()) {
      return "";
    }
    return (all.without() > 0
            ? all.without() + " jobs have no baseline. "
            : all.estimated() + " jobs have an estimate only. ")
        + "For a measured one run the job once with -D"
        + KeyNames.ENGINE_ENABLED
        + "=false, with an input of"
        + " about the same size.";
  }
}
