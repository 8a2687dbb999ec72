// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.jobs.FallbackNotes;
import org.mammoth.console.jobs.JobArchivist;
import org.mammoth.console.jobs.JobPeaksReader;
import org.mammoth.console.live.TaskSightings;
import org.mammoth.console.model.AttemptCounts;
import org.mammoth.console.model.JobCounter;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.RunKind;
import org.mammoth.console.model.TaskCounts;
import org.mammoth.console.read.EndedJobSource;

/** Each job is recorded once, in its time, whatever daemons and disk do meanwhile. */
class JobArchivistTest {

  private static final long DAY = 86_400_000L;

  @TempDir Path dir;

  private final Ticking clock = new Ticking();
  private final Daemons daemons = new Daemons();
  private final FullDisk disk = new FullDisk();
  private History history;
  private JobArchive archive;
  private JobArchivist archivist;

  /** A clock that goes when it is told to. */
  private static final class Ticking extends Clock {
    private long now = 1_700_000_000_000L;

    @Override
    public long millis() {
      return now;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(now);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  /** ResourceManager and history server, which answer at once or not at all. */
  private static final class Daemons implements EndedJobSource {
    private final List<Listed> manager = new ArrayList<>();
    private final List<Listed> history = new ArrayList<>();
    private final Set<String> detailed = new HashSet<>();
    private long widest;
    private int most = Integer.MAX_VALUE;
    private boolean historyDown;

    @Override
    public CompletableFuture<List<Listed>> byResourceManager(long fromMs, long toMs) {
      return CompletableFuture.completedFuture(within(manager, fromMs, toMs));
    }

    @Override
    public CompletableFuture<List<Listed>> byHistoryServer(long fromMs, long toMs) {
      List<Listed> found = within(history, fromMs, toMs);
      widest = Math.max(widest, Math.min(toMs, 1_700_000_000_000L) - fromMs);
      return historyDown || found.size() > most
          ? CompletableFuture.failedFuture(new IOException("no answer"))
          : CompletableFuture.completedFuture(found);
    }

    private static List<Listed> within(List<Listed> list, long fromMs, long toMs) {
      return list.stream()
          .filter(job -> job.finishedMs() >= fromMs && job.finishedMs() <= toMs)
          .toList();
    }

    @Override
    public CompletableFuture<Details> details(String id) {
      if (historyDown) {
        return CompletableFuture.failedFuture(new IOException("no answer"));
      }
      detailed.add(id);
      return CompletableFuture.completedFuture(
          new Details(
              true,
              "of the history server, and longer",
              new AttemptCounts(1, 0, 0, 0),
              List.of(new JobCounter("TaskCounter", "CPU_MILLISECONDS", 5, 0, 5)),
              Map.of("mammoth.engine.enabled", "false")));
    }

    void ended(int number, long endedMs, boolean inManager, boolean inHistory) {
      String id = "job_1_" + String.format("%05d", number);
      if (inManager) {
        manager.add(
            new Listed(
                id, "n", "ada", "q", "FAILED", endedMs - 5000, endedMs, "short", 8L, 2L, null));
      }
      if (inHistory) {
        TaskCounts tasks = new TaskCounts(4, 4, 0, 0);
        history.add(
            new Listed(
                id, "n", "ada", "q", "FAILED", endedMs - 4000, endedMs, "", null, null, tasks));
      }
    }
  }

  @BeforeEach
  void open() throws IOException {
    history = new History(dir.resolve("history"), limits(), clock.millis());
    archive = new JobArchive(dir.resolve("jobs"), 31 * DAY, 1L << 30, disk);
    archivist = archivist();
  }

  private static History.Limits limits() {
    return new History.Limits(3_600_000, DAY, 1L << 30);
  }

  private JobArchivist archivist() {
    return new JobArchivist(
        daemons,
        archive,
        new JobArchivist.Sources(
            new TaskSightings(10), new FallbackNotes(), new JobPeaksReader(history)),
        7,
        clock);
  }

  @AfterEach
  void close() throws IOException {
    archive.close();
    history.close();
  }

  private void seconds(int count) {
    for (int i = 0; i < count; i++) {
      clock.now += 1000;
      archivist.step(List.of());
    }
  }

  @Test
  void aJobThatEndsIsRecordedWithWhatBothTellOfIt() {
    seconds(3);
    daemons.ended(1, clock.now, true, true);
    seconds(12);
    var job = archive.read("job_1_00001");
    assertThat(job.memorySeconds()).isEqualTo(8);
    assertThat(job.tasks().maps()).isEqualTo(4);
    assertThat(job.attempts().failed()).isEqualTo(1);
    assertThat(job.startedMs()).as("the ResourceManager's").isEqualTo(job.finishedMs() - 5000);
    assertThat(job.diagnostics()).isEqualTo("of the history server, and longer");
    assertThat(job.run()).isEqualTo(RunKind.STOCK);
    assertThat(archive.digest("job_1_00001").cpuMs()).isEqualTo(5);
  }

  @Test
  void aJobThatEndsByAClockThatIsBehindIsRecordedWithItsCounters() {
    seconds(30);
    long theirs = clock.now - 2 * 3_600_000L;
    daemons.ended(1, theirs, true, true);
    JobSample listed =
        new JobSample(
            "job_1_00001",
            "application_1_00001",
            "n",
            "ada",
            "q",
            "FINISHED",
            "FAILED",
            100,
            theirs - 5000,
            theirs,
            clock.now,
            0,
            0,
            "",
            null);
    for (int i = 0; i < 30; i++) {
      clock.now += 1000;
      archivist.step(List.of(listed));
    }
    assertThat(archive.read("job_1_00001").counters()).hasSize(1);
    assertThat(archive.read("job_1_00001").memorySeconds()).isEqualTo(8);
  }

  @Test
  void aJobWithoutHistoryIsRecordedOnceItIsSureThatItHasNone() throws IOException {
    daemons.ended(1, clock.now, true, false);
    seconds(170);
    assertThat(archive.has("job_1_00001")).isFalse();
    seconds(30);
    assertThat(archive.read("job_1_00001").tasks()).isNull();
    long bytes = archive.bytes();
    seconds(60);
    assertThat(archive.bytes()).as("once").isEqualTo(bytes);
  }

  @Test
  void whileTheHistoryServerIsDownJobsWaitForIt() {
    daemons.historyDown = true;
    daemons.ended(1, clock.now, true, true);
    seconds(1200);
    assertThat(archive.has("job_1_00001")).isFalse();
    daemons.historyDown = false;
    seconds(70);
    assertThat(archive.read("job_1_00001").counters()).hasSize(1);
    daemons.historyDown = true;
    daemons.ended(2, clock.now, true, true);
    seconds(3700);
    assertThat(archive.read("job_1_00002").tasks()).as("but not for ever").isNull();
  }

  @Test
  void twentyThousandOldJobsAreTakenInAPieceAtATime() {
    long begun = clock.now;
    for (int i = 0; i < 20_000; i++) {
      daemons.ended(i, begun - 1_000_000 - i * 29_000L, false, true);
    }
    // More than 600 at a time are too much for one answer.
    daemons.most = 600;
    seconds(60);
    assertThat(archive.digests()).as("not all at once").hasSizeLessThan(8_000);
    seconds(900);
    assertThat(archive.digests()).hasSize(20_000);
    assertThat(daemons.detailed).hasSize(300).contains("job_1_00000").doesNotContain("job_1_01000");
    assertThat(daemons.widest).isLessThanOrEqualTo(6 * 3_600_000L + 600_000);
    assertThat(archive.digest("job_1_15000").counted()).as("unknown, not 0").isFalse();
  }

  @Test
  void whatAFullDiskRefusesIsRecordedLater() throws IOException {
    disk.room = 0;
    for (int i = 0; i < 20; i++) {
      daemons.ended(i, clock.now - i, true, true);
    }
    seconds(30);
    assertThat(archive.digests()).isEmpty();
    assertThat(archivist.trouble()).contains("are not recorded since").contains("No space left");
    // So long that nobody is asked for the first of them again.
    clock.now += 3_600_000;
    daemons.ended(20, clock.now, true, true);
    seconds(30);
    clock.now += 3_600_000;
    daemons.manager.clear();
    daemons.history.clear();
    disk.room = 1000;
    seconds(30);
    assertThat(archive.digests()).hasSizeBetween(1, 19);
    disk.room = Long.MAX_VALUE;
    seconds(30);
    assertThat(archive.digests()).hasSize(21);
    assertThat(archivist.trouble()).isEmpty();
  }

  @Test
  void whatAKilledConsoleHadNotRecordedTheNextOneRecords() {
    daemons.ended(1, clock.now - 3600_000, true, true);
    archivist = archivist();
    seconds(30);
    assertThat(archive.digests()).hasSize(1);
  }
}
