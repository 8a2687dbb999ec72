// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.api.status.MemoryUse;
import org.mammoth.api.status.NodeSnapshot;
import org.mammoth.api.status.StatusJson;
import org.mammoth.engine.admission.AdmissionLedger;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.config.MemoryKeys;
import org.mammoth.mapreduce.disks.SpinningDirs;
import org.mammoth.mapreduce.lifecycle.Pace;
import org.mammoth.mapreduce.nodemanager.readings.EngineWatch;
import org.mammoth.mapreduce.nodemanager.readings.NodeReadings;
import org.mammoth.mapreduce.nodemanager.sites.EngineLauncher;
import org.mammoth.mapreduce.nodemanager.sites.EngineSizing;
import org.mammoth.mapreduce.nodemanager.sites.ProcessSites;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineHome;

/**
 * The supervisor with real engine processes. Their tasks belong to a job whose ApplicationMaster
 * does not answer, so that they run until somebody ends them.
 */
class EngineSupervisorTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int NOBODY_LISTENS = 1;

  @TempDir Path folder;

  private final Configuration conf = new Configuration();
  private EngineSupervisor supervisor;

  @BeforeEach
  void configure() {
    conf.set(EngineKeys.QUARANTINE_DEATHS.name(), "2");
    conf.set(EngineKeys.MEMORY_MB.name(), "1000");
    // Our own classes, before they are in jars.
    conf.set(EngineKeys.SHARED_JARS.name(), "**/target/classes");
    // A task that finds no ApplicationMaster gives up only after minutes.
    supervisor = supervisor();
  }

  @AfterEach
  void endEngines() {
    supervisor.shutdown();
  }

  private EngineSupervisor supervisor() {
    return new EngineSupervisor(
        "engine",
        String.valueOf(System.nanoTime()),
        conf,
        new ProcessSites(
            "engine",
            EngineHome.TASKS,
            conf,
            new EngineLauncher(conf, () -> SpinningDirs.NONE),
            homes()),
        EngineShares.ofTasks(conf, EngineSizing.UNLIMITED_MB),
        new AdmissionLedger(1000),
        Pace.real());
  }

  /** The first disk is lost: where its folder should be there is a file. */
  private List<Path> homes() {
    try {
      Path lost = folder.resolve("lost");
      if (!Files.exists(lost)) {
        Files.writeString(lost, "no directory");
      }
      return List.of(lost.resolve("homes"), folder.resolve("homes"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ContainerLaunchSpec task(int number) throws IOException {
    return task(number, "alice", 400);
  }

  private ContainerLaunchSpec task(int number, String user, long memoryMb) throws IOException {
    Path work = Files.createDirectories(folder.resolve("work" + number));
    JobConf job = new JobConf(false);
    job.setInt("ipc.client.connect.max.retries", 1_000);
    Path jobFile = work.resolve("job.xml");
    try (OutputStream out = Files.newOutputStream(jobFile)) {
      job.writeXml(out);
    }
    Credentials credentials = new Credentials();
    JobTokenSecretManager secrets = new JobTokenSecretManager();
    Token<JobTokenIdentifier> token =
        new Token<>(new JobTokenIdentifier(new Text("job_1_0001")), secrets);
    TokenCache.setJobToken(token, credentials);
    File tokens = work.resolve("container_tokens").toFile();
    credentials.writeTokenStorageFile(new org.apache.hadoop.fs.Path(tokens.toURI()), conf);
    String attempt = String.format("attempt_1_0001_m_%06d_0", number);
    String container = "container_1_0001_01_00000" + number;
    return new ContainerLaunchSpec()
        .withIdentity(container, user, memoryMb)
        .withFolders(work.toString(), work.resolve("logs").toString(), List.of(work.toString()))
        .withFiles(jobFile.toString(), tokens.getPath())
        .withProgram(
            List.of("127.0.0.1", String.valueOf(NOBODY_LISTENS), attempt, "7"), List.of(), "INFO")
        .withEnvironment(Map.of("USER", user, "CONTAINER_ID", container));
  }

  private EngineHandle engine() {
    assertThat(supervisor.engines()).hasSize(1);
    return supervisor.engines().get(0);
  }

  private void awaitRunning(String containerId) {
    await().atMost(PATIENCE).until(() -> engine().latestReport().running().contains(containerId));
  }

  private static ContainerExit endOf(CompletableFuture<ContainerExit> end) throws Exception {
    return end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void aKilledTaskEndsWithTheSignalsStatusAndFreesItsShare() throws Exception {
    ContainerLaunchSpec spec = task(1);
    CompletableFuture<ContainerExit> end = supervisor.submit("task_1", spec);
    awaitRunning(spec.containerId());
    Path log = folder.resolve("work1/logs/syslog");
    await()
        .atMost(PATIENCE)
        .until(() -> Files.exists(log) && Files.readString(log).contains("Executing with tokens"));
    assertThat(supervisor.admission().usedMb()).isEqualTo(400);
    assertThat(supervisor.signal(spec.containerId(), 15)).isTrue();
    assertThat(endOf(end).exitCode()).isEqualTo(143);
    assertThat(supervisor.admission().usedMb()).isZero();
    assertThat(supervisor.holds(spec.containerId())).isFalse();
  }

  @Test
  void aDeadEnginesTasksAreAbortedAndQuarantinedTheSecondTime() throws Exception {
    for (int death = 1; death <= 2; death++) {
      ContainerLaunchSpec spec = task(death);
      CompletableFuture<ContainerExit> end = supervisor.submit("task_x", spec);
      awaitRunning(spec.containerId());
      ProcessHandle.of(engine().pid()).orElseThrow().destroyForcibly();
      assertThat(endOf(end).exitCode()).isEqualTo(ContainerExitStatus.ABORTED);
      await().atMost(PATIENCE).until(() -> supervisor.engines().isEmpty());
    }
    assertThat(supervisor.ended())
        .extracting(NodeSnapshot.Ended::lostContainers, NodeSnapshot.Ended::reason)
        .containsExactly(tuple(1, ""), tuple(1, ""));
    assertThat(supervisor.quarantined("task_x")).isTrue();
    assertThatThrownBy(() -> supervisor.submit("task_x", task(3)))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContaining("2 engines that died")
        .hasMessageContaining(EngineKeys.QUARANTINE_DEATHS.name());
    assertThat(supervisor.admission().usedMb()).isZero();
  }

  @Test
  void whatDoesNotFitIsDeclinedByName() throws Exception {
    supervisor.submit("task_1", task(1));
    supervisor.submit("task_2", task(2));
    assertThatThrownBy(() -> supervisor.submit("task_3", task(3)))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContaining("asks for 400 MiB and 200 of the engine's 1000 are free")
        .hasMessageContaining(EngineKeys.MEMORY_MB.name());
    assertThat(supervisor.admission().usedMb()).isEqualTo(800);
  }

  @Test
  void anEngineTellsOfItselfAndHoldsNobodyUpWhenStopped() throws Exception {
    ContainerLaunchSpec spec = task(1);
    CompletableFuture<ContainerExit> end = supervisor.submit("task_1", spec);
    awaitRunning(spec.containerId());
    ExecutorService readers = Executors.newCachedThreadPool();
    NodeReadings readings =
        new NodeReadings(
            supervisor::engines,
            List::of,
            (atMs, engines) -> new NodeSnapshot(1, atMs, true, 0, 0, 0, null, null, null, engines),
            readers,
            Clock.systemUTC(),
            System::nanoTime);
    await().atMost(PATIENCE).until(() -> readings.snapshot().engines().get(0).snapshot() != null);
    EngineSnapshot snapshot = readings.snapshot().engines().get(0).snapshot();
    assertThat(snapshot.pid()).isEqualTo(engine().pid());
    assertThat(snapshot.counts().running()).isEqualTo(1);
    assertThat(snapshot.tasks().get(0).attempt()).isEqualTo("attempt_1_0001_m_000001_0");
    assertThat(snapshot.tasks().get(0).job()).isEqualTo("job_1_0001");
    assertThat(snapshot.tasks().get(0).user()).isEqualTo("alice");
    assertThat(snapshot.tasks().get(0).phase()).isEqualTo("STARTING");
    assertThat(snapshot.memory().usedBytes()).isBetween(1L, snapshot.memory().capBytes());
    assertThat(snapshot.jvm().residentBytes()).isPositive();
    signal(engine().pid(), "STOP");
    try {
      TimeUnit.MILLISECONDS.sleep(EngineWatch.FRESH_MS + 100);
      long before = System.nanoTime();
      NodeSnapshot.Engine stopped = readings.snapshot().engines().get(0);
      for (int reader = 0; reader < 10; reader++) {
        readings.decisionsJson(1024);
        readings.engines();
      }
      // One wait until the deadline; twenty of them would be eight seconds.
      assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before))
          .isLessThan(10 * EngineWatch.DEADLINE_MS);
      assertThat(stopped.problem()).contains("not answered");
      assertThat(stopped.ageMs()).isGreaterThan(EngineWatch.FRESH_MS);
      assertThat(stopped.snapshot().pid()).isEqualTo(engine().pid());
    } finally {
      signal(engine().pid(), "CONT");
    }
    await().atMost(PATIENCE).until(() -> readings.snapshot().engines().get(0).problem().isEmpty());
    assertThat(supervisor.signal(spec.containerId(), 15)).isTrue();
    assertThat(endOf(end).exitCode()).isEqualTo(143);
    await()
        .atMost(PATIENCE)
        .until(() -> readings.snapshot().engines().get(0).snapshot().counts().killed() == 1);
    readers.shutdownNow();
  }

  private static void signal(long pid, String signal) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + signal, String.valueOf(pid)).start();
    assertThat(kill.waitFor()).isZero();
  }

  @Test
  void anIdleEngineIsStoppedAndItsHomeRemoved() throws Exception {
    conf.set(EngineKeys.IDLE_TIMEOUT_MS.name(), "1000");
    supervisor.prepare("alice");
    Path home = folder.resolve("homes").resolve(engine().engineId());
    await().atMost(PATIENCE).until(() -> Files.exists(home));
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              supervisor.stopIdle();
              return supervisor.engines().isEmpty();
            });
    await().atMost(PATIENCE).until(() -> !Files.exists(home));
  }

  @Test
  void anEngineBesideOthersAtWorkHasItsPartAndTheWholeAfterwards() throws Exception {
    conf.set(EngineKeys.IDLE_YIELD_MS.name(), "0");
    ContainerLaunchSpec alices = task(1);
    CompletableFuture<ContainerExit> alice = supervisor.submit("task_1", alices);
    ContainerLaunchSpec bobs = task(2, "bob", 400);
    CompletableFuture<ContainerExit> bob = supervisor.submit("task_2", bobs);
    assertThat(engineOf("alice").sizing().shareMb()).isEqualTo(1000);
    assertThat(engineOf("bob").sizing().shareMb()).isEqualTo(500);
    assertThatThrownBy(() -> supervisor.submit("task_4", task(4, "bob", 150)))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContaining("asks for 150 MiB and 100 of the 500 are free")
        .hasMessageContaining("engine of bob");
    long first = engineOf("bob").pid();

    assertThat(supervisor.signal(alices.containerId(), 9)).isTrue();
    endOf(alice);
    await().atMost(PATIENCE).until(() -> engineOf("alice").idleMs() > 0);
    CompletableFuture<ContainerExit> next = supervisor.submit("task_5", task(5, "bob", 150));
    assertThat(engineOf("bob").sizing().shareMb()).isEqualTo(1000);
    assertThat(engineOf("bob").pid()).isNotEqualTo(first);
    await()
        .atMost(PATIENCE)
        .until(() -> supervisor.engines().stream().noneMatch(e -> e.user().equals("alice")));
    assertThat(bob).as("the task in the engine that made way").isNotDone();
    assertThat(next).isNotDone();
  }

  @Test
  void aWarmEngineWithRoomIsReplacedOnlyWhenOthersHaveNotComeBackForLong() throws Exception {
    conf.set(EngineKeys.IDLE_YIELD_MS.name(), "500");
    ContainerLaunchSpec alices = task(1);
    CompletableFuture<ContainerExit> alice = supervisor.submit("task_1", alices);
    ContainerLaunchSpec bobs = task(2, "bob", 400);
    CompletableFuture<ContainerExit> bob = supervisor.submit("task_2", bobs);
    long first = engineOf("bob").pid();
    assertThat(supervisor.signal(alices.containerId(), 9)).isTrue();
    assertThat(supervisor.signal(bobs.containerId(), 9)).isTrue();
    endOf(alice);
    endOf(bob);
    await().atMost(PATIENCE).until(() -> engineOf("alice").idleMs() > 500);
    ContainerLaunchSpec next = task(3, "bob", 400);
    CompletableFuture<ContainerExit> second = supervisor.submit("task_3", next);
    assertThat(engineOf("bob").pid()).isEqualTo(first);

    assertThat(supervisor.signal(next.containerId(), 9)).isTrue();
    endOf(second);
    await().atMost(PATIENCE).until(() -> engineOf("alice").idleMs() > 3_600);
    await().atMost(PATIENCE).until(() -> engineOf("bob").idleMs() > 0);
    supervisor.submit("task_4", task(4, "bob", 400));
    assertThat(engineOf("bob").pid()).isNotEqualTo(first);
    assertThat(engineOf("bob").sizing().shareMb()).isEqualTo(1000);
  }

  @Test
  void usersShareTheNodesCachePoolByWeight() throws Exception {
    conf.set(EngineKeys.IDLE_YIELD_MS.name(), "0");
    conf.set(MemoryKeys.USER_WEIGHTS.name(), "bob=300, carol=50");
    supervisor = supervisor();
    ContainerLaunchSpec alices = task(1);
    supervisor.submit("task_1", alices);
    ContainerLaunchSpec bobs = task(2, "bob", 400);
    CompletableFuture<ContainerExit> bob = supervisor.submit("task_2", bobs);
    assertThat(engineOf("bob").sizing().shareMb()).isEqualTo(750);
    long whole = poolOf("alice").poolBytes();
    // Both have what they hold, however large their engines were made.
    awaitLimit("alice", whole / 4);
    awaitLimit("bob", poolOf("bob").poolBytes());

    assertThat(supervisor.signal(bobs.containerId(), 9)).isTrue();
    endOf(bob);
    awaitLimit("alice", whole);
  }

  private void awaitLimit(String user, long bytes) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              supervisor.dividePools();
              MemoryUse memory = poolOf(user);
              assertThat(memory.poolLimitBytes())
                  .isCloseTo(bytes, Offset.offset(memory.unitBytes()));
            });
  }

  private MemoryUse poolOf(String user) {
    return await()
        .atMost(PATIENCE)
        .ignoreException(IOException.class)
        .until(
            () ->
                new StatusJson().read(engineOf(user).snapshotJson(), EngineSnapshot.class).memory(),
            Objects::nonNull);
  }

  private EngineHandle engineOf(String user) {
    return supervisor.engines().stream()
        .filter(engine -> engine.user().equals(user) && engine.isOpen())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aSuccessorTakesUpEnginesAndTheirTasks() throws Exception {
    ContainerLaunchSpec spec = task(1);
    CompletableFuture<ContainerExit> before = supervisor.submit("task_1", spec);
    awaitRunning(spec.containerId());
    long pid = engine().pid();
    ContainerLaunchSpec bobs = task(2, "bob", 400);
    supervisor.submit("task_2", bobs);
    await()
        .atMost(PATIENCE)
        .until(() -> engineOf("bob").latestReport().running().contains(bobs.containerId()));
    long pool = poolOf("alice").poolBytes();
    awaitLimit("alice", pool / 2);
    supervisor.detach();

    supervisor = supervisor();
    supervisor.recover();
    assertThat(engineOf("alice").pid()).isEqualTo(pid);
    assertThat(engineOf("alice").sizing().shareMb()).isEqualTo(1000);
    assertThat(engineOf("bob").sizing().shareMb()).as("its part, not the whole").isEqualTo(500);
    CompletableFuture<ContainerExit> end =
        supervisor.reattach(spec.containerId(), "alice", 400).orElseThrow();
    assertThat(supervisor.admission().usedMb()).isEqualTo(400);
    assertThat(supervisor.reattach("container_unknown", "alice", 1)).isEmpty();
    assertThat(supervisor.reattach(bobs.containerId(), "alice", 1)).as("of another").isEmpty();
    assertThat(supervisor.signal(spec.containerId(), 9)).isTrue();
    assertThat(endOf(end).exitCode()).isEqualTo(137);
    assertThat(before).isNotDone();
    engineOf("bob").destroy();
    await().atMost(PATIENCE).until(() -> supervisor.engines().size() == 1);
    awaitLimit("alice", pool);
  }

  @Test
  void anEngineThatCannotRewriteClassesDoesNotStart() throws Exception {
    String withoutAsm =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !new File(entry).getName().startsWith("asm"))
            .collect(Collectors.joining(File.pathSeparator));
    conf.set(EngineKeys.JAVA_OPTS.name(), "-cp " + withoutAsm);
    assertThatThrownBy(() -> supervisor.submit("task_1", task(1)))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContaining("did not start");
    assertThat(supervisor.admission().usedMb()).isZero();
  }

  @Test
  void anEngineThatCannotStartCostsNothingButAMessage() throws Exception {
    conf.set(EngineKeys.JAVA_OPTS.name(), "-XX:NoSuchOption");
    assertThatThrownBy(() -> supervisor.submit("task_1", task(1)))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContaining("did not start");
    assertThat(supervisor.admission().usedMb()).isZero();
  }
}
