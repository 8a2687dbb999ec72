// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.disks.SpinningDirs;
import org.mammoth.mapreduce.nodemanager.processes.UserProcesses;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.protocol.EngineProtocol;

/** An engine process with a home of its own beside that of its NodeManager, real in all but uid. */
class UserSiteTest {

  private static final String APPLICATION = "application_17_0000";

  @TempDir private Path node;

  private final Configuration conf = new Configuration();
  private final String user = System.getProperty("user.name");
  private Path local;
  private Path homes;
  private UserSites sites;
  private UserSite site;

  @BeforeEach
  void make() throws Exception {
    local = Files.createDirectories(node.resolve("local"));
    Path logs = Files.createDirectories(node.resolve("logs"));
    homes = local.resolve("mammoth");
    conf.setLong(EngineKeys.MEMORY_MB.name(), 1_000);
    // Our own classes, before they are in jars.
    conf.set(EngineKeys.SHARED_JARS.name(), "**/target/classes");
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, local.toString());
    conf.setBoolean(YarnConfiguration.NM_RECOVERY_ENABLED, true);
    sites = sites(new PlainProcesses(local, logs));
    site = (UserSite) sites.create("engine-u-1", user, EngineSizing.of(conf));
  }

  private UserSites sites(UserProcesses processes) {
    return new UserSites(
        "engine",
        conf,
        processes,
        new UserEngineLauncher(new EngineLauncher(conf, () -> SpinningDirs.NONE), EngineHome.TASKS),
        () -> APPLICATION,
        List.of(homes));
  }

  @AfterEach
  void end() throws Exception {
    site.destroy();
    for (int waited = 0; waited < 100 && site.isAlive(); waited++) {
      site.awaitExit(100);
    }
  }

  private EngineProtocol connect(EngineSite to) throws Exception {
    for (int waited = 0; waited < 600; waited++) {
      Optional<EngineProtocol> found = to.connect();
      if (found.isPresent()) {
        return found.get();
      }
      assertThat(to.isAlive()).as("an engine: " + to.output(10_000)).isTrue();
      TimeUnit.MILLISECONDS.sleep(100);
    }
    throw new AssertionError("it does not listen: " + to.output(10_000));
  }

  @Test
  void anEngineIsStartedFoundAgainAndClearedAway() throws Exception {
    site.start();
    EngineProtocol engine = connect(site);
    assertThat(engine.poll(new String[0], 0).running()).isEmpty();
    site.disconnect(engine);
    assertThat(site.pid()).isPositive();
    Path container = local.resolve("usercache").resolve(user).resolve("appcache");
    Path own = container.resolve(APPLICATION).resolve("container_17_0000_01_000001/engine-u-1");
    assertThat(mode(own)).isEqualTo("rwx--x---");
    assertThat(mode(own.resolve("address"))).isEqualTo("rw-r-----");
    for (String mine : List.of("secret", "user", "tmp", "agent.jar")) {
      assertThat(mode(own.resolve(mine))).as(mine).endsWith("------");
    }
    assertThat(own.resolveSibling("container_tokens")).doesNotExist();
    assertThat(mode(homes)).isEqualTo("rwx------");
    assertThat(new EngineHome(homes.resolve("engine-u-1")).address()).isPresent();

    EngineSites.Left left = sites.left(EngineSizing.of(conf)).get(0);
    assertThat(left.user()).isEqualTo(user);
    assertThat(left.site().pid()).isEqualTo(site.pid());
    assertThat(left.site().isAlive()).isTrue();
    EngineProtocol again = connect(left.site());
    assertThat(again.poll(new String[0], 0).running()).isEmpty();
    left.site().disconnect(again);

    left.site().destroy();
    for (int waited = 0; waited < 100 && site.isAlive(); waited++) {
      site.awaitExit(100);
    }
    assertThat(site.isAlive()).isFalse();
    assertThat(left.site().isAlive()).isFalse();
    site.clear();
    assertThat(container.resolve(APPLICATION)).doesNotExist();
    assertThat(node.resolve("logs").resolve(APPLICATION)).doesNotExist();
    assertThat(homes.resolve("engine-u-1")).doesNotExist();
    assertThat(sites.left(EngineSizing.of(conf))).isEmpty();
  }

  @Test
  void anEngineWhoseProgramIsMissingEndsAtOnce() throws Exception {
    UserProcesses none = new NoProcesses(local, node.resolve("logs"), launch -> {});
    EngineSite lost = sites(none).create("engine-u-2", user, EngineSizing.of(conf));
    lost.start();
    lost.awaitExit(10_000);
    assertThat(lost.isAlive()).isFalse();
    assertThat(lost.connect()).isEmpty();
    lost.clear();
    assertThat(homes.resolve("engine-u-2")).doesNotExist();
  }

  @Test
  void anEngineBeginsInTheControlGroupThatItsNodeManagerMeans() throws Exception {
    conf.unset(EngineKeys.MEMORY_MB.name());
    conf.setInt(YarnConfiguration.NM_PMEM_MB, 64_000);
    conf.setInt(YarnConfiguration.NM_VCORES, 48);
    CompletableFuture<UserProcesses.Size> size = new CompletableFuture<>();
    EngineSite lost =
        sites(new NoProcesses(local, node.resolve("logs"), launch -> size.complete(launch.size())))
            .create("engine-u-3", user, EngineSizing.of(conf));
    lost.start();
    assertThat(size.get(10, TimeUnit.SECONDS)).isEqualTo(new UserProcesses.Size(64_000, 1));
    lost.awaitExit(10_000);
    lost.clear();
  }

  @Test
  void anAddressThatIsALinkIsNotRead() throws Exception {
    Path other = Files.writeString(node.resolve("other"), "1 2 3");
    Path link = Files.createSymbolicLink(node.resolve("address"), other);
    assertThatThrownBy(() -> PrivateFile.end(link, 100)).hasMessageContaining("no plain file");
    assertThat(PrivateFile.end(other, 3)).isEqualTo("2 3");
    new ProcessBuilder("mkfifo", node.resolve("pipe").toString()).start().waitFor();
    assertThatThrownBy(() -> PrivateFile.end(node.resolve("pipe"), 100))
        .hasMessageContaining("no plain file");
  }

  @Test
  void noLinkIsOnTheWayToAnOutput() throws Exception {
    Path file = Path.of("app", "container", "engine.out");
    Files.createDirectories(node.resolve("logs/other/container"));
    Files.writeString(node.resolve("logs/other/container/engine.out"), "a secret");
    Path own = node.resolve("logs");
    assertThatThrownBy(() -> PrivateFile.end(own, file, 6)).isInstanceOf(NoSuchFileException.class);
    Files.createSymbolicLink(own.resolve("app"), own.resolve("other"));
    assertThatThrownBy(() -> PrivateFile.end(own, file, 6)).isInstanceOf(IOException.class);
    Files.delete(own.resolve("app"));
    Files.createDirectory(own.resolve("app"));
    Files.createSymbolicLink(own.resolve("app/container"), own.resolve("other/container"));
    assertThatThrownBy(() -> PrivateFile.end(own, file, 6)).isInstanceOf(IOException.class);
    Files.delete(own.resolve("app/container"));
    Files.createDirectory(own.resolve("app/container"));
    Files.writeString(own.resolve(file), "not so secret");
    assertThat(PrivateFile.end(own, file, 6)).isEqualTo("secret");
  }

  @Test
  void aCopyIsNotForAll() throws Exception {
    Path copy = Files.writeString(node.resolve("copy"), "of an earlier engine");
    PrivateFile.copy("text", copy);
    assertThat(mode(copy)).isEqualTo("rw-r-----");
    assertThat(copy).hasContent("text");
  }

  @Test
  void whoeverDoesNotRecoverEndsEarlierEngines() throws Exception {
    site.start();
    site.disconnect(connect(site));
    conf.setBoolean(YarnConfiguration.NM_RECOVERY_ENABLED, false);
    assertThat(sites(new PlainProcesses(local, node.resolve("logs"))).left(EngineSizing.of(conf)))
        .isEmpty();
    for (int waited = 0; waited < 100 && site.isAlive(); waited++) {
      site.awaitExit(100);
    }
    assertThat(site.isAlive()).isFalse();
    assertThat(homes.resolve("engine-u-1")).doesNotExist();
  }

  @Test
  void whatTasksOfADeadEngineHaveStartedEndsWithItsHome() throws Exception {
    Path noted = node.resolve("child");
    UserProcesses dies = new DyingProcesses(new PlainProcesses(local, node.resolve("logs")), noted);
    EngineSite dead = sites(dies).create("engine-u-4", user, EngineSizing.of(conf));
    dead.start();
    dead.awaitExit(60_000);
    assertThat(dead.isAlive()).isFalse();
    ProcessHandle child =
        ProcessHandle.of(Long.parseLong(Files.readString(noted).trim())).orElseThrow();
    try {
      assertThat(child.isAlive()).isTrue();
      dead.clear();
      child.onExit().get(60, TimeUnit.SECONDS);
    } finally {
      child.destroyForcibly();
    }
  }

  /** Of an engine that ended while its NodeManager was down: the next one finds its home. */
  private ProcessHandle leftByDeadEngine() throws Exception {
    Path noted = node.resolve("child");
    UserProcesses dies = new DyingProcesses(new PlainProcesses(local, node.resolve("logs")), noted);
    EngineSite dead = sites(dies).create("engine-u-5", user, EngineSizing.of(conf));
    dead.start();
    dead.awaitExit(60_000);
    return ProcessHandle.of(Long.parseLong(Files.readString(noted).trim())).orElseThrow();
  }

  @Test
  void whatTasksHaveStartedEndsWhenTheNextNodeManagerFindsTheEngineDead() throws Exception {
    ProcessHandle child = leftByDeadEngine();
    try {
      assertThat(child.isAlive()).isTrue();
      assertThat(sites.left(EngineSizing.of(conf))).isEmpty();
      child.onExit().get(60, TimeUnit.SECONDS);
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void aNumberFromBeforeTheMachineBeganIsNoEngines() throws Exception {
    ProcessHandle child = leftByDeadEngine();
    try {
      new EngineHome(homes.resolve("engine-u-5")).keepBoot("another");
      assertThat(sites.left(EngineSizing.of(conf))).isEmpty();
      assertThat(homes.resolve("engine-u-5")).doesNotExist();
      assertThat(child.isAlive()).isTrue();
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void aNameThatIsAPathIsNoUser() {
    EngineSite lost = sites.create("engine-../bob-1", "../bob", EngineSizing.of(conf));
    assertThatThrownBy(lost::start).hasMessageContaining("none of a system user");
    assertThat(homes).doesNotExist();
  }

  /** Starts in place of engines what ends at once and leaves a process in its group. */
  private record DyingProcesses(UserProcesses real, Path noted) implements UserProcesses {

    @Override
    public List<Path> localDirs() {
      return real.localDirs();
    }

    @Override
    public List<Path> logDirs() {
      return real.logDirs();
    }

    @Override
    public void run(Launch launch) throws IOException {
      Files.writeString(
          launch.script(), "#!/bin/sh\nsleep 300 </dev/null &\necho $! >'" + noted + "'\nexit 1\n");
      real.run(launch);
    }

    @Override
    public boolean signal(String of, long pid, int signal) throws IOException {
      return real.signal(of, pid, signal);
    }

    @Override
    public void delete(String of, List<Path> folders, List<Path> logs) {
      real.delete(of, folders, logs);
    }
  }

  /** Of a node without the program that starts them. */
  private record NoProcesses(Path local, Path logs, Consumer<UserProcesses.Launch> asked)
      implements UserProcesses {

    @Override
    public List<Path> localDirs() {
      return List.of(local);
    }

    @Override
    public List<Path> logDirs() {
      return List.of(logs);
    }

    @Override
    public void run(Launch launch) throws IOException {
      asked.accept(launch);
      throw new IOException("no container-executor");
    }

    @Override
    public boolean signal(String of, long pid, int signal) throws IOException {
      throw new IOException("no container-executor");
    }

    @Override
    public void delete(String of, List<Path> folders, List<Path> logs) {}
  }

  private static String mode(Path file) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
