// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.mammoth.console.jobs.JobSearch.Found;
import org.mammoth.console.live.JobUse;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.JobDigest;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.RunKind;
import org.mammoth.console.store.ArchivedJobs;

/** What is found is what a look at each job finds, and its order has one place for each. */
class JobSearchTest {

  private static final String[] STATES = {"SUCCEEDED", "FAILED", "KILLED"};

  private static <T> T any(Random random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  @Property(tries = 300)
  void aSearchIsALookAtEachJob(@ForAll Random random) {
    List<JobDigest> jobs = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      String state = STATES[random.nextInt(3)];
      String name = any(random, List.of("Nightly report", "nightly", "JOIN of x", "ıstanbul", ""));
      jobs.add(
          JobDigest.of(
              ArchivedJobs.job(i, name, state, RunKind.ENGINE, i, random.nextInt(300_000)), 0));
    }
    JobDigest one = any(random, jobs);
    String name = any(random, List.of("", "NIGHT", "of", "ISTAN", "none", one.id(), "_00"));
    String user = any(random, List.of("", "ada", "bob", "a"));
    String queue = any(random, List.of("", "etl", "et"));
    String state = any(random, List.of("", "FAILED", "RUNNING", "SUCCEEDED"));
    long from = any(random, List.of(0L, one.finishedMs(), one.finishedMs() + 1));
    long to = any(random, List.of(Long.MAX_VALUE, one.startedMs(), one.startedMs() - 1));
    JobSearch search = new JobSearch(name, user, queue, state, from, to);
    for (JobDigest job : jobs) {
      boolean expected = true;
      expected &= job.finishedMs() >= from;
      expected &= job.startedMs() <= to;
      expected &=
          (job.name() + "\n" + job.id())
              .toUpperCase(Locale.ROOT)
              .contains(name.toUpperCase(Locale.ROOT));
      expected &= user.isEmpty() || job.user().equals(user);
      expected &= queue.isEmpty() || job.queue().equals(queue);
      expected &= state.isEmpty() || job.state().equals(state);
      assertThat(search.matches(job)).as("%s in %s", search, job).isEqualTo(expected);
      assertThat(search.matches(job.sample())).as("as a sample").isEqualTo(expected);
    }
  }

  @Property(tries = 100)
  void anOrderIsTotalAndTheOtherWayRoundIsTheOther(@ForAll Random random) {
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      JobDigest job =
          JobDigest.of(
              ArchivedJobs.job(i, "n" + i % 3, STATES[i % 3], RunKind.ENGINE, i, 1000 * (i % 4)),
              0);
      found.add(new Found(job.sample(), i % 5 == 0 ? new long[0] : job.held().peaks()));
    }
    for (String sort : JobSearch.orders()) {
      List<Found> sorted = sorted(found, sort);
      Collections.shuffle(found, random);
      assertThat(sorted(found, sort)).as(sort).isEqualTo(sorted);
      assertThat(sorted(found, "-" + sort).stream().map(f -> key(f, sort)).toList())
          .as(sort)
          .isEqualTo(sorted.stream().map(f -> key(f, sort)).sorted(reversed()).toList());
    }
  }

  private static List<Found> sorted(List<Found> found, String sort) {
    return found.stream().sorted(JobSearch.order(sort, Long.MAX_VALUE)).toList();
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static java.util.Comparator<Comparable> reversed() {
    return java.util.Comparator.reverseOrder();
  }

  private static Comparable<?> key(Found found, String sort) {
    JobSample job = found.job();
    return switch (sort) {
      case "started" -> job.startedMs();
      case "id" -> job.id();
      case "name" -> job.name();
      case "user" -> job.user();
      case "queue" -> job.queue();
      case "state" -> job.finalStatus();
      case "took" -> job.finishedMs() - job.startedMs();
      case "maps" -> job.tasks().maps();
      case "reduces" -> job.tasks().reduces();
      default -> Figures.at(found.held(), JobUse.COLUMNS.indexOf(sort));
    };
  }

  /** As the list shows them: of a job that runs it is what it has now. */
  @Example
  void jobsThatRunHaveTheirPlaceAmongOthers() {
    JobSample ended = JobDigest.of(ArchivedJobs.job(1, "FAILED", RunKind.ENGINE), 0).sample();
    long now = ended.finishedMs() + 1000;
    JobSample runs =
        new JobSample(
            "job_1_99999",
            "application_1_99999",
            "a",
            "ada",
            "etl",
            "RUNNING",
            "UNDEFINED",
            10,
            now - 1000,
            0,
            0,
            0,
            0,
            "",
            null);
    long[] much = new long[JobUse.COLUMNS.size()];
    Arrays.fill(much, 1000);
    List<Found> both = List.of(new Found(runs, much), new Found(ended, new long[0]));
    for (String column : JobUse.COLUMNS) {
      assertThat(both.stream().max(JobSearch.order(column, now)).orElseThrow().job().id())
          .as(column)
          .isEqualTo(runs.id());
    }
    assertThat(both.stream().max(JobSearch.order("took", now)).orElseThrow().job().id())
        .as("it runs for a second only")
        .isEqualTo(ended.id());
    assertThat(both.stream().max(JobSearch.order("id", now)).orElseThrow().job().id())
        .as("of more digits")
        .isEqualTo(runs.id());
  }

  @Example
  void noSuchColumnIsRefusedByName() {
    assertThatThrownBy(() -> JobSearch.order("-colour", 0)).hasMessageContaining("started");
  }
}
