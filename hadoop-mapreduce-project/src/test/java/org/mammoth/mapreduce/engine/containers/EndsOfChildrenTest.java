// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.children.ChildCalls;
import org.mammoth.mapreduce.engine.jobs.FileSystemStatistics;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineReport;

/** Containers whose programs have children, real ones, when they end. */
class EndsOfChildrenTest {

  private static final String[] NONE = {};

  /** Another one in each JVM of a test run: these are all in one process group. */
  private static final String CONTAINER = "container_1_0001_01_" + ProcessHandle.current().pid();

  private static final int TERM = 15;
  private static final int KILL = 9;
  private static final Duration SOON = Duration.ofSeconds(60);

  /** Before a thread that heeds no interrupt is given up. */
  private static final Duration LONG_GRACE = Duration.ofSeconds(60);

  /** Neither heeds SIGTERM nor lets go of its pipes. */
  private static final String STUBBORN =
      "trap 'echo asked >>asked' TERM; echo $$ >new; mv new pid; while :; do sleep 0.1; done";

  @TempDir private Path folder;

  private final Configuration conf = new Configuration(false);
  private final CompletableFuture<HostedContainer> hosted = new CompletableFuture<>();
  private ProcessHandle child;

  /** What a program does with its child. */
  private interface Use {
    int of(Process child) throws IOException, InterruptedException;
  }

  private final class Parent extends TestProgram {
    private final List<String> command;
    private final Use use;

    Parent(List<String> command, Use use) {
      this.command = command;
      this.use = use;
    }

    @Override
    public int run() throws IOException, InterruptedException {
      return use.of(ChildCalls.start(ChildCalls.newProcessBuilder(command)));
    }
  }

  @AfterEach
  void endChild() {
    if (child != null) {
      child.descendants().forEach(ProcessHandle::destroyForcibly);
      child.destroyForcibly();
    }
  }

  private HostedContainers launch(Use use, String... command) throws Exception {
    EngineVitals vitals = new EngineVitals("engine-ann-1", "ann", Clock.systemUTC());
    ContainerProgram.Factory programs =
        new ContainerProgram.Factory() {
          @Override
          public ContainerProgram create(HostedContainer container, TaskProcess process) {
            hosted.complete(container);
            return new Parent(List.of(command), use);
          }

          @Override
          public void ended(HostedContainer container) {}

          @Override
          public String nameOf(HostedContainer container) {
            return "task";
          }
        };
    HostedContainers containers =
        new HostedContainers(
            conf,
            vitals,
            new TaskSurroundings(conf, FileSystemStatistics.install(), vitals, null),
            programs,
            Executors.newCachedThreadPool(),
            System::nanoTime);
    ContainerLaunchSpec spec =
        new ContainerLaunchSpec()
            .withIdentity(CONTAINER, "ann", 400)
            .withEnvironment(Map.of("CONTAINER_ID", CONTAINER, "PATH", System.getenv("PATH")))
            .withFolders(
                folder.toString(), folder.resolve("logs").toString(), List.of(folder.toString()));
    assertThat(containers.launch(spec)).isEmpty();
    Path pid = folder.resolve("pid");
    await().atMost(SOON).until(() -> Files.exists(pid));
    child = ProcessHandle.of(Long.parseLong(Files.readString(pid).trim())).orElseThrow();
    return containers;
  }

  private static int reads(Process child) throws IOException {
    return child.getInputStream().read();
  }

  /** Fills its child's pipe, and waits for room. */
  private static int writes(Process child) throws IOException {
    try (OutputStream out = child.getOutputStream()) {
      out.write(new byte[1 << 20]);
    }
    return 0;
  }

  private static int exitOf(HostedContainers containers) {
    return await()
        .atMost(SOON)
        .until(
            () -> {
              EngineReport report = containers.poll(NONE, 100);
              return report.exits().isEmpty() ? null : report.exits().get(0).exitCode();
            },
            exit -> exit != null);
  }

  private static void assertGoesOn(HostedContainers containers) throws Exception {
    await().atMost(SOON).until(() -> containers.situation().running().isEmpty());
    await()
        .during(Duration.ofSeconds(1))
        .atMost(SOON)
        .until(() -> containers.situation().lingering() == 0);
    assertThat(containers.poll(NONE, 0).drainReason()).isEmpty();
  }

  @Test
  void aSecondSignalReachesThemAtOnce() throws Exception {
    conf.setLong(EngineKeys.KILL_GRACE_MS.name(), LONG_GRACE.toMillis());
    HostedContainers containers = launch(EndsOfChildrenTest::reads, "sh", "-c", STUBBORN);
    containers.signal(CONTAINER, TERM);
    await().atMost(SOON).until(() -> Files.exists(folder.resolve("asked")));
    assertThat(child.isAlive()).isTrue();
    containers.signal(CONTAINER, KILL);
    await().atMost(LONG_GRACE.dividedBy(2)).until(() -> !child.isAlive());
    assertThat(exitOf(containers)).isIn(128 + TERM, 128 + KILL);
    assertGoesOn(containers);
    assertThat(folder.resolve("asked")).as("signals to end").hasContent("asked\n");
  }

  @Test
  void theStatusTellsOfThem() throws Exception {
    HostedContainers containers = launch(EndsOfChildrenTest::reads, "sh", "-c", STUBBORN);
    assertThat(containers.poll(NONE, 0).statusJson()).contains("\"programs\":0");
    hosted.get().children().look();
    JsonNode task =
        new ObjectMapper().readTree(containers.poll(NONE, 0).statusJson()).path("tasks").get(0);
    assertThat(task.path("programs").asInt()).isEqualTo(1);
    assertThat(task.path("programBytes").asLong()).isPositive();
    assertThat(hosted.get().row().programs()).isEqualTo(1);
    assertThat(hosted.get().row().programBytes()).isPositive();
    containers.signal(CONTAINER, KILL);
    assertThat(exitOf(containers)).isEqualTo(128 + KILL);
  }

  @Test
  void whomTheEngineEndsLosesThemFirst() throws Exception {
    HostedContainers containers = launch(EndsOfChildrenTest::reads, "sh", "-c", STUBBORN);
    hosted.get().failForChildren("They use too much memory.");
    assertThat(exitOf(containers)).isEqualTo(ContainerExitStatus.KILLED_EXCEEDED_PMEM);
    assertThat(child.isAlive()).isFalse();
    assertGoesOn(containers);
    assertThat(folder.resolve("asked")).as("signals to end").hasContent("asked\n");
  }

  /** As {@code timeout} does. */
  @Test
  void oneThatHasLeftTheGroupKeepsNoThreadThatWritesToIt() throws Exception {
    conf.setLong(EngineKeys.KILL_GRACE_MS.name(), 100);
    HostedContainers containers =
        launch(EndsOfChildrenTest::writes, "setsid", "sh", "-c", STUBBORN);
    containers.signal(CONTAINER, TERM);
    containers.signal(CONTAINER, KILL);
    assertGoesOn(containers);
    await().atMost(SOON).until(() -> !child.isAlive());
  }

  @Test
  void whatAChildHasLeftBehindElsewhereKeepsNoThreadThatReads() throws Exception {
    HostedContainers containers =
        launch(EndsOfChildrenTest::reads, "sh", "-c", "setsid sh -c \"" + quoted() + "\" &");
    hosted.get().yieldForMemory("Others need it.");
    assertThat(exitOf(containers)).isEqualTo(ContainerExitStatus.ABORTED);
    assertGoesOn(containers);
    await().atMost(SOON).until(() -> !child.isAlive());
  }

  private static String quoted() {
    return STUBBORN.replace("$", "\\$");
  }

  @Test
  void oneThatLivesOnElsewhereSeesTheEndOfItsParent() throws Exception {
    conf.setLong(YarnConfiguration.NM_SLEEP_DELAY_BEFORE_SIGKILL_MS, 0);
    HostedContainers containers =
        launch(
            process -> reads(process) - 'u',
            "setsid",
            "sh",
            "-c",
            "echo $$ >new; mv new pid; echo up; cat; echo seen >new; mv new end; sleep 300");
    assertThat(exitOf(containers)).isZero();
    await().atMost(SOON).until(() -> Files.exists(folder.resolve("end")));
    assertThat(child.isAlive()).isTrue();
    assertGoesOn(containers);
  }
}
