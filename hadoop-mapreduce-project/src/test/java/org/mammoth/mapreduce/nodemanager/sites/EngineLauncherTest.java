// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.disks.SpinningDirs;
import org.mammoth.mapreduce.protocol.EngineHome;

class EngineLauncherTest {

  /** In /proc/PID/stat, behind the name. */
  private static final int SESSION = 3;

  private static final int NICENESS = 16;
  private static final int LEAST_URGENT = 19;

  @TempDir private Path homes;

  @Test
  void anAdministratorMayChooseTheCollector() throws Exception {
    String command = commandOfOneThatListens("engine-ann-g1", "-XX:+UseG1GC -Xlog:gc+init:stdout");
    assertThat(command).contains("UseG1GC").doesNotContain("UseParallelGC");
    assertThat(command).contains("-XX:ErrorFile=").contains("mammoth-engine-ann-g1.hs_err.log");
  }

  @Test
  void aJreWithoutTheToolsOfAJdkIsEnough() throws Exception {
    String modules = "--limit-modules=java.se,jdk.unsupported,jdk.management";
    assertThat(commandOfOneThatListens("engine-ann-jre", modules)).contains(modules);
  }

  @Test
  void anEngineIsAsNiceAsContainers() throws Exception {
    Configuration conf = new Configuration();
    conf.setInt(YarnConfiguration.NM_CONTAINER_EXECUTOR_SCHED_PRIORITY, 7);
    String stat = fileOfOneThatListens(conf, "engine-ann-nice", "stat");
    String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    int own = Integer.parseInt(afterName[NICENESS]);
    assertThat(own).isEqualTo(Math.min(LEAST_URGENT, niceness() + 7));
    assertThat(afterName[SESSION]).as("a session of its own").isEqualTo(stat.split(" ")[0]);
  }

  private static int niceness() throws Exception {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[NICENESS]);
  }

  private String commandOfOneThatListens(String id, String javaOpts) throws Exception {
    Configuration conf = new Configuration();
    conf.set(EngineKeys.JAVA_OPTS.name(), javaOpts);
    return fileOfOneThatListens(conf, id, "cmdline");
  }

  private String fileOfOneThatListens(Configuration conf, String id, String file) throws Exception {
    conf.setLong(EngineKeys.MEMORY_MB.name(), 1_000);
    // Our own classes, before they are in jars.
    conf.set(EngineKeys.SHARED_JARS.name(), "**/target/classes");
    EngineHome home = EngineHome.create(homes, id, "ann");
    Process engine =
        new EngineLauncher(conf, () -> SpinningDirs.NONE)
            .start(home, "ann", EngineHome.TASKS, EngineSizing.of(conf));
    try {
      for (int waited = 0; waited < 600 && home.address().isEmpty(); waited++) {
        assertThat(engine.isAlive()).as("the engine while it starts").isTrue();
        TimeUnit.MILLISECONDS.sleep(100);
      }
      assertThat(home.address()).as("where it listens").isPresent();
      return Files.readString(Path.of("/proc", String.valueOf(engine.pid()), file));
    } finally {
      engine.destroyForcibly().waitFor();
    }
  }

  @Test
  void anEngineTakesItsKeysWhereItsNodeManagerDoes() {
    Configuration conf = new Configuration();
    conf.set("mapreduce.shuffle.ssl.enabled", "true");
    conf.set("hadoop.ssl.server.conf", "ssl-shuffle.xml");
    conf.set("ssl.server.keystore.password", "secret");
    conf.set("yarn.nodemanager.resource.memory.enabled", "true");
    Configuration told = new EngineLauncher(conf, () -> SpinningDirs.NONE).settings();
    assertThat(told.get("mapreduce.shuffle.ssl.enabled")).isEqualTo("true");
    assertThat(told.get("hadoop.ssl.server.conf")).isEqualTo("ssl-shuffle.xml");
    assertThat(told.get("yarn.nodemanager.resource.memory.enabled")).isEqualTo("true");
    assertThat(told.get("hadoop.ssl.hostname.verifier")).isEqualTo("DEFAULT");
    assertThat(told.get("ssl.server.keystore.password")).as("no secret").isNull();
  }

  @Test
  void aHostThatMayBecomeLargeDoesNotBeginSo() throws IOException {
    assertThat(commandOfHost(4_096, "")).contains("-Xmx4096m", "-Xms768m");
    assertThat(commandOfHost(768, "")).contains("-Xmx768m").doesNotContain("-Xms768m");
    assertThat(commandOfHost(4_096, "-Xmx512m"))
        .as("it would not start")
        .contains("-Xmx512m")
        .doesNotContain("-Xms768m");
  }

  private List<String> commandOfHost(long heapMb, String javaOpts) throws IOException {
    Configuration conf = new Configuration();
    conf.set(EngineKeys.JAVA_OPTS.name(), javaOpts);
    return new EngineLauncher(conf, () -> SpinningDirs.NONE)
        .command(
            new EngineLauncher.Places(homes, homes, homes, homes),
            "ann",
            EngineHome.APP_MASTERS,
            new EngineSizing(0, heapMb, 0));
  }

  @Test
  void twoThatEndWhileTheyStartTakeTheClassArchiveAlongUnlessOthersEndWithoutIt() throws Exception {
    String jar = homes.resolve("hadoop.jar").toString();
    Files.writeString(homes.resolve("client.jsa"), "archive");
    Files.writeString(homes.resolve("client.classpath"), jar + "\nnone\n");
    Configuration conf = new Configuration();
    conf.set(EngineKeys.CDS_DIR.name(), homes.toString());
    EngineLauncher launcher = new EngineLauncher(conf, () -> SpinningDirs.NONE);
    EngineLauncher.Places places = new EngineLauncher.Places(homes, homes, homes, homes);
    String option = "-XX:SharedArchiveFile=" + homes.resolve("client.jsa");
    Supplier<List<String>> command =
        () -> {
          try {
            return launcher.command(places, "ann", EngineHome.TASKS, EngineSizing.of(conf));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    launcher.endedWhileStarting("engine-ann-1");
    assertThat(command.get()).as("after one").contains(option);
    launcher.started();
    launcher.endedWhileStarting("engine-ann-3");
    assertThat(command.get()).as("after a full disk, now and then").contains(option);
    launcher.endedWhileStarting("engine-ann-4");
    assertThat(command.get()).doesNotContain(option);
    launcher.started();
    assertThat(command.get()).doesNotContain(option);
    launcher.endedWhileStarting("engine-ann-6");
    assertThat(command.get()).as("as it is not to blame").contains(option);
  }
}
