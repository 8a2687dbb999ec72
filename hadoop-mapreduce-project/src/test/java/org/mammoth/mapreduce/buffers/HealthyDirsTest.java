// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.buffers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.io.FileTarget;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.IoSettings;
import org.mammoth.engine.send.WriteBehindFile;

/** Starting tasks keep out of directories that the I/O scheduler left out. */
class HealthyDirsTest {

  private static final String APP = "usercache/ann/appcache/application_1_1";

  @TempDir Path folder;

  private Path good;
  private Path bad;
  private IoScheduler io;

  @BeforeEach
  void open() throws IOException {
    good = Files.createDirectories(folder.resolve("disk1"));
    bad = Files.createDirectories(folder.resolve("disk10"));
    io =
        IoScheduler.builder(IoSettings.of(new Configuration(false), 1 << 16), List.of(bad, good))
            .threads(
                work -> {
                  Thread thread = new Thread(work, "disk");
                  thread.setDaemon(true);
                  return thread;
                })
            .build();
  }

  @AfterEach
  void close() {
    io.close();
  }

  private List<String> appDirs() {
    return List.of(bad.resolve(APP).toString(), good.resolve(APP).toString());
  }

  private List<String> usable() {
    return HealthyDirs.of(appDirs(), io.healthyDirs());
  }

  @Test
  void aQuarantinedDirectoryIsLeftOut() throws Exception {
    assertThat(usable()).isEqualTo(appDirs());
    // The disk is gone, a file stands where its directory was: whoever is root cannot write there.
    AttemptFiles files = new AttemptFiles(io, "attempt_1");
    Path file = bad.resolve(APP).resolve("spill.out");
    WriteBehindFile spill = files.create(file.toString(), IoClass.SORT, null);
    deleteAll(bad);
    Files.writeString(bad, "no directory");
    spill.write(new byte[1 << 10], 0, 1 << 10);
    assertThatThrownBy(spill::finish).isInstanceOf(IOException.class);
    await().atMost(Duration.ofSeconds(20)).until(() -> io.healthyDirs().equals(List.of(good)));
    assertThat(usable()).containsExactly(good.resolve(APP).toString());
    assertThatThrownBy(() -> io.openWrite(new FileTarget(file), IoClass.SORT, "a"))
        .hasMessageContaining("quarantined");
  }

  @Test
  void aTaskIsNotLeftWithoutAnyDirectory() {
    assertThat(HealthyDirs.of(appDirs(), List.of())).isEqualTo(appDirs());
  }

  @Test
  void namesThatOnlyBeginAlikeAreOthers() {
    assertThat(HealthyDirs.of(appDirs(), List.of(good)))
        .containsExactly(good.resolve(APP).toString());
  }

  private static void deleteAll(Path root) throws IOException {
    try (var all = Files.walk(root)) {
      for (Path one : all.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(one);
      }
    }
  }
}
