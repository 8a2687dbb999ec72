// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.mapreduce.disks.SpinningDirs;
import org.mammoth.mapreduce.lifecycle.LeftSession;
import org.mammoth.mapreduce.protocol.EngineHome;

/** What a NodeManager finds of engines that ended while it was down. */
@Timeout(120)
class ProcessSitesTest {

  @TempDir private Path node;

  private final Configuration conf = new Configuration();
  private ProcessSites sites;
  private EngineHome home;
  private ProcessHandle child;

  @BeforeEach
  void make() throws Exception {
    Path homes = Files.createDirectories(node.resolve("homes"));
    sites =
        new ProcessSites(
            "engine",
            EngineHome.TASKS,
            conf,
            new EngineLauncher(conf, () -> SpinningDirs.NONE),
            List.of(homes));
    home = EngineHome.create(homes, "engine-ann-1", "ann");
  }

  @AfterEach
  void end() {
    if (child != null) {
      child.destroyForcibly();
    }
  }

  /** An engine that has died with a program of a task in its session. */
  private void dead(String environment) throws Exception {
    Path noted = node.resolve("child");
    Process leader =
        new ProcessBuilder(
                "setsid",
                "env",
                environment,
                "sh",
                "-c",
                "sleep 300 </dev/null >/dev/null 2>&1 & echo $! >" + noted)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(leader.waitFor(60, TimeUnit.SECONDS)).isTrue();
    child = ProcessHandle.of(Long.parseLong(Files.readString(noted).trim())).orElseThrow();
    home.keepBoot(LeftSession.ofMachine().boot().orElseThrow());
    home.publish(new EngineHome.Address(leader.pid(), 1, 1));
  }

  private void takeUp() {
    assertThat(sites.left(EngineSizing.of(conf))).isEmpty();
    assertThat(home.folder()).doesNotExist();
  }

  @Test
  void whatTasksOfADeadEngineHaveStartedEnds() throws Exception {
    dead("CONTAINER_ID=container_1_0001_01_000002");
    takeUp();
    await().atMost(Duration.ofSeconds(60)).until(() -> !child.isAlive());
  }

  @Test
  void aSessionInWhichNothingIsAContainersIsLeftAlone() throws Exception {
    dead("OTHER=value");
    takeUp();
    assertThat(child.isAlive()).isTrue();
  }

  @Test
  void anEngineOfWhichTooLittleIsKnownIsForgotten() throws Exception {
    // Nothing can be read there.
    Files.createDirectory(home.folder().resolve("boot"));
    home.publish(new EngineHome.Address(Integer.MAX_VALUE, 1, 1));
    takeUp();
  }

  @Test
  void aNumberFromBeforeTheMachineBeganIsNoEngines() throws Exception {
    dead("CONTAINER_ID=container_1_0001_01_000002");
    home.keepBoot("another");
    takeUp();
    assertThat(child.isAlive()).isTrue();
  }
}
