// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFoldersTest {

  @TempDir private Path disks;

  private final JobFolders jobs = new JobFolders();

  private Path application(String disk) throws IOException {
    return Files.createDirectories(disks.resolve(disk).resolve("appcache").resolve("app"));
  }

  @Test
  void aJobIsOverWhenItsFoldersAreGoneFromAllDisks() throws IOException {
    Path one = application("1");
    Path two = application("2");
    jobs.started("job", List.of(one.toString(), two.toString()));
    assertThat(jobs.ended()).isEmpty();
    Files.delete(one);
    assertThat(jobs.ended()).as("one folder is left").isEmpty();
    Files.delete(two);
    assertThat(jobs.ended()).containsExactly("job");
    assertThat(jobs.forget("job")).isTrue();
    assertThat(jobs.forget("job")).isFalse();
    assertThat(jobs.ended()).isEmpty();
  }

  @Test
  void aDiskThatIsNotThereSaysNothing() throws IOException {
    Path one = application("1");
    Path two = application("2");
    jobs.started("job", List.of(one.toString(), two.toString()));
    Path unmounted = Files.move(disks.resolve("1"), disks.resolve("away"));
    assertThat(jobs.ended()).isEmpty();
    Files.move(disks.resolve("2"), disks.resolve("away too"));
    assertThat(jobs.ended()).as("all disks gone, and with them what could say so").isEmpty();
    Files.move(unmounted, disks.resolve("1"));
    Files.delete(one);
    assertThat(jobs.ended()).as("nothing is left on the disk that is there").containsExactly("job");
  }
}
