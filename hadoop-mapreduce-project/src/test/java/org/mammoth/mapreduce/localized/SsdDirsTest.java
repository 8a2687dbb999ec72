// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.localized;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class SsdDirsTest {

  private static List<Path> of(String locals, String ssds) {
    Configuration conf = new Configuration(false);
    conf.set("yarn.nodemanager.local-dirs", locals);
    conf.set("mammoth.io.ssd-dirs", ssds);
    return SsdDirs.of(conf);
  }

  @Test
  void areThoseOfTheLocalDirectoriesThatAreNamed() {
    assertThat(of("/disk1, /ssd/localized ,/disk2", " /ssd/localized/ "))
        .containsExactly(Path.of("/ssd/localized"));
    assertThat(of("/disk1,/disk2", "")).isEmpty();
  }

  @Test
  void areNoneThatNobodyWouldServeFrom() {
    assertThat(of("/disk1,/disk2", "/ssd/localized")).isEmpty();
    assertThat(of("/ssd/localized,/disk1", "/ssd/localized")).isEmpty();
  }

  @Test
  void areNotForOrdinaryContainers() {
    Map<String, String> environment =
        new HashMap<>(Map.of("LOCAL_DIRS", "/disk1/a,/ssd/localized/a,/disk2/a", "OTHER", "x"));
    SsdDirs.leaveOut(environment, List.of(Path.of("/ssd/localized")));
    assertThat(environment).containsEntry("LOCAL_DIRS", "/disk1/a,/disk2/a");
    environment.put("LOCAL_DIRS", "/ssd/localized/a");
    SsdDirs.leaveOut(environment, List.of(Path.of("/ssd/localized")));
    assertThat(environment)
        .as("rather there than nowhere")
        .containsEntry("LOCAL_DIRS", "/ssd/localized/a");
    SsdDirs.leaveOut(new HashMap<>(), List.of(Path.of("/ssd/localized")));
  }
}
