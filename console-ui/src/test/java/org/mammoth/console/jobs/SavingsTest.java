// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.mammoth.console.model.JobDigest;
import org.mammoth.console.model.JobNames;
import org.mammoth.console.model.RunKind;
import org.mammoth.console.store.ArchivedJobs;

/** Baselines are of runs that can be compared, and sums are those of their jobs. */
class SavingsTest {

  private static final long GIB = 1L << 30;

  /** Numbers of one parity are of one user. */
  private static JobDigest run(int number, String name, RunKind kind, long input, long tookMs) {
    return JobDigest.of(ArchivedJobs.job(2 * number, name, "SUCCEEDED", kind, input, tookMs), 0);
  }

  private static SavedReport report(List<JobDigest> jobs) {
    return SavedReport.of(jobs, job -> true, 0, Long.MAX_VALUE);
  }

  @Example
  void theMedianOfStockRunsScaledByInputIsTheBaseline() {
    List<JobDigest> jobs =
        List.of(
            run(1, "nightly 2026-01-01", RunKind.STOCK, 10 * GIB, 1000),
            run(2, "nightly 2026-01-02", RunKind.STOCK, 10 * GIB, 5000),
            run(3, "nightly 2026-01-03", RunKind.STOCK, 5 * GIB, 600),
            // More than half as much again: no runs to go by.
            run(4, "nightly 2026-01-04", RunKind.STOCK, 20 * GIB, 90_000),
            run(5, "nightly", RunKind.STOCK, 10 * GIB, 90_000),
            run(6, "nightly 2026-01-05", RunKind.ENGINE, 7 * GIB, 500));
    SavedReport.SavedJob saved = report(jobs).jobs().get(0);
    assertThat(saved.basis()).isEqualTo("measured");
    // 700, 3500 and 840 ms.
    assertThat(saved.runs()).isEqualTo(3);
    assertThat(saved.baselineMs()).isEqualTo(840);
    assertThat(saved.savedMs()).isEqualTo(340);
    assertThat(saved.savedCpuMs()).isEqualTo(680);
  }

  @Example
  void aJobThatIsSlowerLoses() {
    List<JobDigest> jobs =
        List.of(run(1, "a", RunKind.STOCK, GIB, 1000), run(2, "a", RunKind.ENGINE, GIB, 1500));
    assertThat(report(jobs).all().measuredMs()).isEqualTo(-500);
  }

  @Example
  void withoutOwnRunsItIsAnEstimateThatSaysOfHowMany() {
    List<JobDigest> jobs = new ArrayList<>();
    jobs.add(run(1, "a", RunKind.STOCK, GIB, 2000));
    // Runs often, and counts once.
    for (int i = 2; i < 10; i++) {
      jobs.add(run(i, "a", RunKind.ENGINE, GIB, 1000));
    }
    jobs.add(run(11, "b", RunKind.STOCK, GIB, 4000));
    jobs.add(run(12, "b", RunKind.ENGINE, GIB, 1000));
    jobs.add(run(13, "c", RunKind.ENGINE, 9 * GIB, 700));
    SavedReport report = report(jobs);
    SavedReport.SavedJob saved =
        report.jobs().stream().filter(j -> j.name().equals("c")).findAny().get();
    assertThat(saved.basis()).isEqualTo("estimated");
    assertThat(saved.runs()).isEqualTo(2);
    assertThat(report.time().ratio()).isEqualTo(3);
    assertThat(saved.baselineMs()).isEqualTo(2100);
    assertThat(report.all().estimatedMs()).isEqualTo(1400);
  }

  @Example
  void oneJobThatRanBothWaysSaysNothingOfOthers() {
    SavedReport report =
        report(
            List.of(
                run(1, "a", RunKind.STOCK, GIB, 9000),
                run(2, "a", RunKind.ENGINE, GIB, 1000),
                run(3, "b", RunKind.ENGINE, GIB, 1000)));
    assertThat(report.all().measured()).isEqualTo(1);
    assertThat(report.all().estimated()).isZero();
    assertThat(report.all().without()).isEqualTo(1);
    assertThat(report.time().ratio()).isNull();
  }

  @Example
  void withNothingToGoByThereIsNoNumber() {
    SavedReport report =
        report(
            List.of(
                run(1, "a", RunKind.ENGINE, GIB, 1000),
                run(2, "b", RunKind.STOCK, GIB, 9000),
                run(3, "b", RunKind.UNKNOWN, GIB, 1000),
                // Another user's job of that name.
                JobDigest.of(ArchivedJobs.job(7, "a", "SUCCEEDED", RunKind.STOCK, GIB, 5000), 0)));
    assertThat(report.jobs()).hasSize(1);
    assertThat(report.jobs().get(0).savedMs()).isNull();
    assertThat(report.all().measuredMs()).isNull();
    assertThat(report.all().estimatedMs()).isNull();
    assertThat(report.all().without()).isEqualTo(1);
    assertThat(report.time().ratio()).isNull();
    assertThat(report.unknownRuns()).isEqualTo(1);
    assertThat(report.stockRuns()).isEqualTo(2);
  }

  @Example
  void weeksBeginOnMonday() {
    assertThat(SavedReport.week(0)).isEqualTo("1969-12-29");
    assertThat(SavedReport.week(java.time.Instant.parse("2026-11-29T23:59:59Z").toEpochMilli()))
        .isEqualTo("2026-11-23");
    assertThat(SavedReport.week(java.time.Instant.parse("2026-11-30T00:00:00Z").toEpochMilli()))
        .isEqualTo("2026-11-30");
  }

  @Example
  void namesDifferInNumbersOnly() {
    assertThat(JobNames.masked("report 2026-01-31T04:00 part-00007"))
        .isEqualTo(JobNames.masked("report 2025-12-01T23:59 part-1"));
    assertThat(JobNames.masked("q 3f2504e0-4f89-41d3-9a0c-0305e82c3301 (Stage-1)"))
        .isEqualTo(JobNames.masked("q 00000000-0000-0000-0000-000000000000 (Stage-2)"));
    assertThat(JobNames.masked("q 7deadbeef01")).isEqualTo(JobNames.masked("q 12345678abc"));
    assertThat(JobNames.masked("feedface")).isEqualTo("feedface");
    assertThat(JobNames.masked("terasort")).isNotEqualTo(JobNames.masked("teragen"));
  }

  @Property(tries = 100)
  void sumsAreThoseOfTheirJobs(@ForAll Random random) {
    List<JobDigest> jobs = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      RunKind kind = RunKind.values()[random.nextInt(3)];
      String name = "job " + (char) ('a' + random.nextInt(12)) + " " + i;
      long input = (1 + random.nextInt(4)) * GIB;
      String state = random.nextInt(8) == 0 ? "FAILED" : "SUCCEEDED";
      jobs.add(
          JobDigest.of(
              ArchivedJobs.job(i * 300, name, state, kind, input, 1 + random.nextInt(9_999)), 0));
    }
    SavedReport report = report(jobs);
    assertThat(report.jobs())
        .hasSize(
            (int) jobs.stream().filter(j -> j.run() == RunKind.ENGINE && j.succeeded()).count());
    check(report, List.of(report.all()), job -> "");
    check(report, report.queues(), SavedReport.SavedJob::queue);
    check(report, report.names(), job -> JobNames.masked(job.name()));
    check(report, report.weeks(), job -> SavedReport.week(job.startedMs() + job.tookMs()));
  }

  private static void check(
      SavedReport report,
      List<SavedReport.SavedSum> sums,
      Function<SavedReport.SavedJob, String> by) {
    assertThat(sums.stream().mapToLong(SavedReport.SavedSum::jobs).sum())
        .isEqualTo(report.jobs().size());
    for (SavedReport.SavedSum sum : sums) {
      List<SavedReport.SavedJob> own =
          report.jobs().stream().filter(job -> by.apply(job).equals(sum.name())).toList();
      assertThat(sum.measured() + sum.estimated() + sum.without()).isEqualTo(own.size());
      assertThat(sum.measuredMs()).isEqualTo(total(own, "measured", SavedReport.SavedJob::savedMs));
      assertThat(sum.estimatedMs())
          .isEqualTo(total(own, "estimated", SavedReport.SavedJob::savedMs));
      assertThat(sum.measuredCpuMs())
          .isEqualTo(total(own, "measured", SavedReport.SavedJob::savedCpuMs));
      assertThat(sum.estimatedCpuMs())
          .isEqualTo(total(own, "estimated", SavedReport.SavedJob::savedCpuMs));
    }
  }

  private static Long total(
      List<SavedReport.SavedJob> jobs, String basis, Function<SavedReport.SavedJob, Long> of) {
    List<Long> told =
        jobs.stream()
            .filter(job -> job.basis().equals(basis))
            .map(of)
            .filter(Objects::nonNull)
            .toList();
    return told.isEmpty() ? null : told.stream().mapToLong(Long::longValue).sum();
  }
}
