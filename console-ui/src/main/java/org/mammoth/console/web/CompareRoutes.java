// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ANYONE;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.mammoth.console.live.JobUse;
import org.mammoth.console.live.Moment;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.JobCounter;
import org.mammoth.console.model.JobPeaks;
import org.mammoth.console.model.JobRecord;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.RunKind;
import org.mammoth.console.read.FinishedJobs;
import org.mammoth.console.read.JobReader;

/** Two jobs side by side: times, tasks, memory, and every counter. */
final class CompareRoutes {

  private static final String JOB = "Job";
  private static final String PEAKS = "Peak in engines";

  private final Recorder recorder;
  private final JobFinder finder;
  private final JobReader reader;

  CompareRoutes(Recorder recorder, JobFinder finder, JobReader reader) {
    this.recorder = recorder;
    this.finder = finder;
    this.reader = reader;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/jobs/compare",
            ANYONE,
            "Two jobs' times, tasks, memory and counters side by side",
            List.of(
                new Route.Param("a", "string", true, "a job's id"),
                new Route.Param("b", "string", true, "another's")),
            JobViews.Comparison.class,
            this::compare));
  }

  /** One side, with its numbers by group and name. */
  private record Told(JobViews.ComparedJob side, Map<List<String>, Long> numbers) {}

  private JobViews.Comparison compare(Call call) throws ApiException {
    Moment moment = recorder.moment();
    Told a = told(moment, finder.one(moment, call.viewer(), call.text("a")));
    Told b = told(moment, finder.one(moment, call.viewer(), call.text("b")));
    Map<List<String>, Long> all = new LinkedHashMap<>(a.numbers());
    b.numbers().forEach(all::putIfAbsent);
    List<JobViews.ComparedNumber> pairs = new ArrayList<>();
    for (List<String> key : all.keySet()) {
      Long left = a.numbers().get(key);
      Long right = b.numbers().get(key);
      if (left != null || right != null) {
        Double ratio = left != null && right != null && left != 0 ? (double) right / left : null;
        pairs.add(new JobViews.ComparedNumber(key.get(0), key.get(1), left, right, ratio));
      }
    }
    return new JobViews.Comparison(a.side(), b.side(), pairs);
  }

  private Told told(Moment moment, JobSample job) {
    JobRecord kept = finder.archive().read(job.id());
    Map<List<String>, Long> numbers = new LinkedHashMap<>();
    long end = job.running() ? moment.view().timeMs() : job.finishedMs();
    numbers.put(List.of(JOB, "took ms"), end - job.startedMs());
    if (job.tasks() != null) {
      numbers.put(List.of(JOB, "maps"), job.tasks().maps());
      numbers.put(List.of(JOB, "reduces"), job.tasks().reduces());
    }
    String untold = "";
    List<JobCounter> counters = kept == null ? List.of() : kept.counters();
    if (kept != null) {
      kept(kept, numbers);
    }
    if (counters.isEmpty()) {
      try {
        counters = FinishedJobs.counters(reader.counters(job).get());
      } catch (ExecutionException e) {
        untold = "its counters are not known: " + FinishedJobs.why(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        untold = "the console is being stopped";
      }
    }
    for (JobCounter counter : counters) {
      numbers.put(List.of(counter.group(), counter.name()), counter.total());
    }
    RunKind run = kept == null ? RunKind.UNKNOWN : kept.run();
    String why = kept == null ? "it has not ended, or is not recorded yet" : kept.runWhy();
    return new Told(new JobViews.ComparedJob(job, run.word(), why, untold), numbers);
  }

  private static void kept(JobRecord kept, Map<List<String>, Long> numbers) {
    if (kept.attempts() != null) {
      numbers.put(List.of(JOB, "failed attempts"), kept.attempts().failed());
      numbers.put(
          List.of(JOB, "killed attempts"),
          kept.attempts().mapsKilled() + kept.attempts().reducesKilled());
    }
    numbers.put(List.of(JOB, "memory MB-seconds"), kept.memorySeconds());
    numbers.put(List.of(JOB, "vcore-seconds"), kept.vcoreSeconds());
    JobPeaks held = kept.held();
    for (int i = 0; held.told() && i < JobUse.COLUMNS.size(); i++) {
      long peak = Figures.at(held.peaks(), i);
      numbers.put(List.of(PEAKS, JobUse.COLUMNS.get(i)), Figures.known(peak) ? peak : null);
    }
  }
}
