// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OldOutputsTest {

  @TempDir private Path logs;
  @TempDir private Path homes;

  private void file(String name, long ageMs) throws IOException {
    Path file = Files.writeString(logs.resolve(name), name);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L - ageMs));
  }

  @Test
  void theLatestOfEachKindStayAndThoseOfEnginesThatLive() throws IOException {
    for (int number = 0; number < 5; number++) {
      file("mammoth-engine-ann-7-" + number + ".out", number);
      file("mammoth-appmaster2-bob-7-" + number + ".out", number);
    }
    file("mammoth-engine-old-6-1.out", 1_000_000);
    Files.createDirectory(homes.resolve("engine-old-6-1"));
    file("mammoth-engine-ann-5-1.hs_err.log", 1_000_000);
    file("mammoth-console-host.out", 1_000_000);
    OldOutputs.remove(logs, List.of(homes), 2);
    try (Stream<Path> left = Files.list(logs)) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "mammoth-engine-ann-7-0.out",
              "mammoth-engine-ann-7-1.out",
              "mammoth-appmaster2-bob-7-0.out",
              "mammoth-appmaster2-bob-7-1.out",
              "mammoth-engine-old-6-1.out",
              "mammoth-engine-ann-5-1.hs_err.log",
              "mammoth-console-host.out");
    }
  }

  @Test
  void aFolderThatIsNotThereIsNoError() {
    OldOutputs.remove(logs.resolve("none"), List.of(), 2);
    assertThat(logs).isEmptyDirectory();
  }
}
