// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.mammoth.console.model.JobDigest;
import org.mammoth.console.model.JobRecord;
import org.mammoth.console.model.RunKind;

/** What was recorded is there after a kill, and after a disk that was full for a while. */
class JobArchiveTest {

  private static final long DAY = 86_400_000L;
  private static final long T0 = 1_700_000_000_000L / DAY * DAY;

  private final ObjectMapper json = new ObjectMapper();

  private static Path folder() throws IOException {
    return Files.createTempDirectory("job-archive");
  }

  private static void delete(Path dir) throws IOException {
    try (Stream<Path> files = Files.walk(dir)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static JobArchive open(Path dir, AppendFile.Disk disk) throws IOException {
    JobArchive archive = new JobArchive(dir, 31 * DAY, 1L << 30, disk);
    archive.load();
    return archive;
  }

  /** Records have arrays, which are equal only as JSON. */
  private String text(JobRecord job) throws IOException {
    return job == null ? "none" : json.writeValueAsString(job);
  }

  private void same(JobArchive archive, Map<String, JobRecord> expected) throws IOException {
    assertThat(archive.digests().stream().map(JobDigest::id))
        .containsExactlyInAnyOrderElementsOf(expected.keySet());
    for (JobRecord job : expected.values()) {
      assertThat(text(archive.read(job.id()))).isEqualTo(text(job));
      assertThat(archive.digest(job.id()).state()).isEqualTo(job.state());
    }
  }

  @Property(tries = 60)
  void afterAKillAtAnyByteAllBeforeItIsThere(
      @ForAll @Size(min = 1, max = 40) List<@IntRange(min = 0, max = 25) Integer> numbers,
      @ForAll @IntRange(min = 0, max = 20_000) int lost)
      throws IOException {
    Path dir = folder();
    // By day, with the length of its file after each job: what a kill leaves is known from that.
    List<JobRecord> written = new ArrayList<>();
    List<Long> lengths = new ArrayList<>();
    JobArchive killed = open(dir, AppendFile.Disk.REAL);
    for (int i = 0; i < numbers.size(); i++) {
      JobRecord job =
          ArchivedJobs.job(numbers.get(i), i % 2 == 0 ? "FAILED" : "SUCCEEDED", RunKind.ENGINE);
      killed.append(T0 + i * (DAY / 10), job);
      written.add(job);
      lengths.add(killed.bytes());
    }
    // Not closed: the process is gone. The last file loses its last bytes, as after a torn write.
    Path last;
    try (Stream<Path> files = Files.list(dir)) {
      last = files.max(Comparator.naturalOrder()).orElseThrow();
    }
    long before = lengths.get(lengths.size() - 1) - Files.size(last);
    long left = Math.max(0, Files.size(last) - lost);
    try (FileChannel file = FileChannel.open(last, StandardOpenOption.WRITE)) {
      file.truncate(left);
    }
    Map<String, JobRecord> expected = new LinkedHashMap<>();
    Map<String, Long> days = new HashMap<>();
    for (int i = 0; i < written.size(); i++) {
      long day = (T0 + i * (DAY / 10)) / DAY;
      String id = written.get(i).id();
      // The last of its first day counts.
      if (lengths.get(i) <= before + left && days.computeIfAbsent(id, first -> day) == day) {
        expected.put(id, written.get(i));
      }
    }
    try (JobArchive next = open(dir, AppendFile.Disk.REAL)) {
      same(next, expected);
      // What was lost is recorded again, and stays.
      for (JobRecord job : written) {
        if (!next.has(job.id())) {
          next.append(T0 + 5 * DAY, job);
          expected.put(job.id(), job);
        }
      }
      same(next, expected);
    }
    try (JobArchive again = open(dir, AppendFile.Disk.REAL)) {
      same(again, expected);
    }
    killed.close();
    delete(dir);
  }

  /** A folder in place of the file: what opens, and cannot be read, as on a bad sector. */
  @Test
  void aDayThatCannotBeReadHidesNoOther() throws IOException {
    Path dir = folder();
    JobArchive before = open(dir, AppendFile.Disk.REAL);
    Map<String, JobRecord> all = new LinkedHashMap<>();
    for (int day = 0; day < 3; day++) {
      JobRecord job = ArchivedJobs.job(day, "SUCCEEDED", RunKind.ENGINE);
      before.append(T0 + day * DAY, job);
      all.put(job.id(), job);
    }
    before.close();
    Path file;
    try (Stream<Path> files = Files.list(dir)) {
      file = files.min(Comparator.naturalOrder()).orElseThrow();
    }
    Path aside = Files.move(file, dir.resolve("aside"));
    Files.createDirectory(file);
    try (JobArchive archive = open(dir, AppendFile.Disk.REAL)) {
      assertThat(archive.loaded()).isTrue();
      assertThat(archive.unread()).startsWith("Jobs of 1 file are missing").contains(".seg");
      assertThat(archive.digests()).hasSize(2);
      JobRecord more = ArchivedJobs.job(7, "FAILED", RunKind.ENGINE);
      archive.append(T0 + 4 * DAY, more);
      all.put(more.id(), more);
      // Seen again long after its end, as it seems not to have been recorded.
      archive.append(T0 + 4 * DAY, ArchivedJobs.job(0, "KILLED", RunKind.ENGINE));
      Files.delete(file);
      Files.move(aside, file);
      archive.load();
      assertThat(archive.unread()).isEmpty();
      same(archive, all);
    }
    delete(dir);
  }

  @Property(tries = 60)
  void afterAFullDiskAllThatWasTakenIsThereAndTheRestCanBeWritten(
      @ForAll @IntRange(min = 0, max = 30) int full,
      @ForAll @IntRange(min = 1, max = 10) int seconds,
      @ForAll @IntRange(min = 0, max = 900) int room,
      @ForAll boolean works)
      throws IOException {
    Path dir = folder();
    FullDisk disk = new FullDisk();
    Map<String, JobRecord> expected = new LinkedHashMap<>();
    List<JobRecord> refused = new ArrayList<>();
    try (JobArchive archive = open(dir, disk)) {
      for (int i = 0; i < 45; i++) {
        if (i == full) {
          disk.room = room;
          disk.works = works;
        } else if (i == full + seconds) {
          disk.room = Long.MAX_VALUE;
          disk.works = true;
        }
        JobRecord job = ArchivedJobs.job(i, "SUCCEEDED", RunKind.STOCK);
        try {
          archive.append(T0 + i * (DAY / 10), job);
          expected.put(job.id(), job);
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("No space left");
          assertThat(archive.has(job.id())).as("it is not said to be there").isFalse();
          refused.add(job);
        }
      }
      same(archive, expected);
      for (JobRecord job : refused) {
        archive.append(T0 + 5 * DAY, job);
        expected.put(job.id(), job);
      }
    }
    assertThat(expected).hasSize(45);
    try (JobArchive next = open(dir, AppendFile.Disk.REAL)) {
      same(next, expected);
    }
    delete(dir);
  }

  @Test
  void whatIsTooOldGoesFromDiskAndFromMemory() throws IOException {
    Path dir = folder();
    try (JobArchive archive = new JobArchive(dir, 2 * DAY, 1L << 30)) {
      for (int day = 0; day < 6; day++) {
        archive.append(T0 + day * DAY, ArchivedJobs.job(day, "SUCCEEDED", RunKind.ENGINE));
      }
      archive.append(T0 + 5 * DAY + 3_600_000, ArchivedJobs.job(9, "FAILED", RunKind.ENGINE));
      assertThat(archive.digests().stream().map(JobDigest::id))
          .containsExactlyInAnyOrder("job_1_0003", "job_1_0004", "job_1_0005", "job_1_0009");
      assertThat(archive.read("job_1_0001")).isNull();
      assertThat(archive.read("job_1_0004")).isNotNull();
    }
    try (JobArchive small = new JobArchive(dir, 400 * DAY, 1)) {
      small.load();
      small.append(T0 + 6 * DAY, ArchivedJobs.job(10, "SUCCEEDED", RunKind.ENGINE));
      assertThat(small.digests()).as("the bound in bytes").hasSize(1);
    }
    delete(dir);
  }
}
