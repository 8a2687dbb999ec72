// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.disks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;

class LocalDirsTest {

  private final Configuration conf = new Configuration(false);

  @Test
  void urisAndPathsAreTheSameDirectories() {
    conf.set(
        YarnConfiguration.NM_LOCAL_DIRS,
        " file:///disk1/local , file:/disk2/local,/disk3/../disk4");
    assertThat(LocalDirs.of(conf).all())
        .containsExactly(Path.of("/disk1/local"), Path.of("/disk2/local"), Path.of("/disk4"));
  }

  @Test
  void enginesLiveOnEveryDiskThatIsNotLent() {
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, "/disk1,file:///ssd/localized,/disk2");
    conf.set("mammoth.io.ssd-dirs", "/ssd/localized");
    assertThat(LocalDirs.of(conf).homes())
        .containsExactly(Path.of("/disk1/mammoth"), Path.of("/disk2/mammoth"));
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, "/ssd/localized");
    assertThat(LocalDirs.of(conf).homes()).as("none else").hasSize(1);
  }

  @Test
  void spinningDisksAreFoundAmongUris() {
    conf.set("mammoth.io.spinning-dirs", "file:///disk1/local");
    assertThat(SpinningDirs.told(conf)).accepts(Path.of("/disk1/local"));
  }
}
