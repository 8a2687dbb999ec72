// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.disks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.IoKeys;
import org.mammoth.engine.io.DiskDetector;
import org.mammoth.engine.io.SeekProbe;

/** Which local directories spin: timed once, told to engines. */
class SpinningDirsTest {

  @TempDir private Path folder;

  private final Configuration conf = new Configuration(false);
  private Path fast;
  private Path slow;

  @BeforeEach
  void makeDirs() throws IOException {
    fast = Files.createDirectory(folder.resolve("fast"));
    slow = Files.createDirectory(folder.resolve("slow"));
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, fast + "," + slow);
  }

  private String find(long micros) {
    AtomicLong now = new AtomicLong();
    SeekProbe probe = new SeekProbe(() -> now.getAndAdd(TimeUnit.MICROSECONDS.toNanos(micros)));
    return SpinningDirs.find(conf, probe, DiskDetector.byFileStore());
  }

  @Test
  void anAnswerThatIsThereIsNotAskedForAgain() throws IOException {
    Files.writeString(fast.resolve(".mammoth-seek-micros"), "90\n");
    Files.writeString(slow.resolve(".mammoth-seek-micros"), "8010\n");
    assertThat(find(1)).isEqualTo(slow.toString());
  }

  @Test
  void whatIsTimedIsKept() {
    assertThat(find(1)).isEqualTo(SpinningDirs.NONE);
    assertThat(fast.resolve(".mammoth-seek-micros")).exists();
    assertThat(find(9_000)).as("not timed again").isEqualTo(SpinningDirs.NONE);
  }

  @Test
  void whatCannotBeTimedDoesNotSpin() throws IOException {
    Files.delete(slow);
    Files.writeString(fast.resolve(".mammoth-seek-micros"), "what?");
    assertThat(find(9_000)).isEqualTo(SpinningDirs.NONE);
  }

  @Test
  void theAdministratorKnowsBetter() {
    conf.set(IoKeys.SPINNING_DIRS.name(), fast.toString());
    assertThat(find(1)).isEqualTo(fast.toString());
    assertThat(SpinningDirs.told(conf).test(fast)).isTrue();
    assertThat(SpinningDirs.told(conf).test(slow)).isFalse();
    conf.set(IoKeys.SPINNING_DIRS.name(), "all");
    assertThat(SpinningDirs.told(conf).test(slow)).isTrue();
    conf.set(IoKeys.SPINNING_DIRS.name(), "none");
    assertThat(SpinningDirs.told(conf).test(slow)).isFalse();
  }

  @Test
  void anEngineThatWasToldNothingTakesNoDiskForASpinningOne() {
    assertThat(SpinningDirs.told(new Configuration(false)).test(fast)).isFalse();
  }

  @Test
  void dataDirectoriesAreFoundInAllTheirForms() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    conf.set(
        "dfs.datanode.data.dir",
        "[DISK]file://" + data + "," + data + ",file://" + data + "/none,[SSD]" + data);
    assertThat(DataNodeDirs.of(conf)).containsExactly(data, data, data);
    conf.set("dfs.datanode.data.dir", "[PROVIDED]s3a://bucket/x");
    assertThat(DataNodeDirs.of(conf)).isEmpty();
    assertThatThrownBy(() -> DataNodeDirs.path("file:not a uri"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
