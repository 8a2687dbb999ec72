// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.mapreduce.engine.jobs.FileSystemStatistics;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineReport;

/** Whatever goes wrong while a container starts, runs or ends: its end is reported. */
class HostedStartTest {

  private static final String[] NONE = {};

  /** Makes it. */
  private interface Maker {
    ContainerProgram make() throws RuntimeException;
  }

  @TempDir private Path folder;

  private final AtomicInteger endedPrograms = new AtomicInteger();
  private volatile long heapMb;

  private HostedContainers containers(Maker maker, Executor wardens) {
    Configuration conf = new Configuration(false);
    EngineVitals vitals =
        new EngineVitals("engine-ann-1", "ann", Clock.systemUTC()) {
          @Override
          public long grownHeapMb() {
            return heapMb;
          }
        };
    TaskSurroundings surroundings =
        new TaskSurroundings(conf, FileSystemStatistics.install(), vitals, null);
    ContainerProgram.Factory programs =
        new ContainerProgram.Factory() {
          @Override
          public ContainerProgram create(HostedContainer container, TaskProcess process) {
            return maker.make();
          }

          @Override
          public void ended(HostedContainer container) {
            endedPrograms.incrementAndGet();
          }

          @Override
          public String nameOf(HostedContainer container) {
            return "task";
          }
        };
    return new HostedContainers(conf, vitals, surroundings, programs, wardens, System::nanoTime);
  }

  private ContainerLaunchSpec spec() {
    return new ContainerLaunchSpec()
        .withIdentity("container_1", "ann", 400)
        .withFolders(
            folder.toString(), folder.resolve("logs").toString(), List.of(folder.toString()));
  }

  private ContainerExit exitOf(HostedContainers containers) {
    return await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              EngineReport report = containers.poll(NONE, 100);
              return report.exits().isEmpty() ? null : report.exits().get(0);
            },
            exit -> exit != null);
  }

  private void assertAborted(HostedContainers containers) {
    assertThat(containers.launch(spec())).isEmpty();
    assertThat(exitOf(containers).exitCode()).isEqualTo(ContainerExitStatus.ABORTED);
    assertThat(containers.runningCount()).isZero();
    assertThat(endedPrograms).hasValue(1);
  }

  @Test
  void withoutAThreadForItsWardenItIsDeclined() throws InterruptedException {
    HostedContainers containers =
        containers(
            TestProgram::new,
            work -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    assertThat(containers.launch(spec())).contains("unable to create native thread");
    assertThat(containers.poll(NONE, 0).running()).isEmpty();
    assertThat(containers.poll(NONE, 0).exits()).isEmpty();
    assertThat(endedPrograms).as("programs whose place is free again").hasValue(1);
  }

  @Test
  void anExceptionWhileItStartsAbortsIt() {
    assertAborted(
        containers(
            () -> {
              throw new IllegalStateException("no such field");
            },
            Executors.newCachedThreadPool()));
  }

  @Test
  void oneWhoseLogsCannotBeOpenedIsAborted() throws IOException {
    Files.writeString(folder.resolve("logs"), "no directory");
    assertAborted(containers(TestProgram::new, Executors.newCachedThreadPool()));
  }

  @Test
  void anEngineWithoutDescriptorsTakesNoContainer() throws Exception {
    HostedContainers containers = containers(TestProgram::new, Executors.newCachedThreadPool());
    assertThat(containers.checkDescriptors()).as("while there are enough").isFalse();
    assertThat(containers.poll(NONE, 0).drainReason()).isEmpty();
    UnixOperatingSystemMXBean system =
        (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long usual = system.getMaxFileDescriptorCount();
    limitDescriptors(system.getOpenFileDescriptorCount() + 20);
    try {
      assertThat(containers.launch(spec())).contains("file descriptor");
      assertThat(containers.poll(NONE, 0).drainReason()).contains("ulimit -n");
    } finally {
      limitDescriptors(usual);
    }
  }

  /** YARN has given to others what the job's container had reserved. */
  @Test
  void aHostThatIsIdleEndsIfItsHeapHasGrown() {
    CountDownLatch jobEnds = new CountDownLatch(1);
    HostedContainers host =
        containers(
            () ->
                new TestProgram() {
                  @Override
                  public int run() throws InterruptedException {
                    jobEnds.await();
                    return 0;
                  }
                },
            Executors.newCachedThreadPool());
    heapMb = 768;
    host.lookAfter();
    assertThat(host.situation().drainReason()).as("a small job's").isEmpty();
    assertThat(host.launch(spec())).isEmpty();
    heapMb = 769;
    host.lookAfter();
    assertThat(host.situation().drainReason()).as("its job reserves that").isEmpty();
    jobEnds.countDown();
    await().atMost(Duration.ofSeconds(20)).until(() -> host.runningCount() == 0);
    host.lookAfter();
    assertThat(host.situation().drainReason())
        .contains("768 MiB", "mammoth.appmaster.host.heap-mb");
  }

  /** Upstream's ApplicationMaster answers clients for five seconds more. */
  @Test
  void aHostEndsOnceItsLastProgramAnswersNobodyAnyMore() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    HostedContainers host =
        containers(
            () ->
                new TestProgram() {
                  @Override
                  public int run() throws InterruptedException {
                    begun.countDown();
                    answered.await();
                    return 0;
                  }
                },
            Executors.newCachedThreadPool());
    assertThat(host.launch(spec())).isEmpty();
    begun.await();
    host.situation().running().get(0).reportAndAnswer(0);
    assertThat(exitOf(host).exitCode()).isZero();
    host.poll(new String[] {"container_1"}, 0);
    heapMb = 769;
    host.lookAfter();
    assertThat(host.situation().drainReason()).contains("768 MiB");
    assertThat(host.awaitOver(1)).as("while a client may ask").isFalse();
    answered.countDown();
    await().atMost(Duration.ofSeconds(20)).until(() -> host.awaitOver(LateAnswers.MOST_MS));
  }

  private static void limitDescriptors(long most) throws Exception {
    String own = String.valueOf(ProcessHandle.current().pid());
    Process limit =
        new ProcessBuilder("prlimit", "--pid", own, "--nofile=" + most + ":").inheritIO().start();
    assertThat(limit.waitFor()).isZero();
  }

  @Test
  void withoutAThreadForItsProgramItIsAbortedAndTheEngineDrained() throws InterruptedException {
    HostedContainers containers =
        containers(
            () -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            Executors.newCachedThreadPool());
    assertAborted(containers);
    assertThat(containers.poll(NONE, 0).drainReason()).contains("unable to create native thread");
  }

  @Test
  void aFailureWhileItEndsChangesNothing() {
    HostedContainers containers =
        containers(
            () ->
                new TestProgram() {
                  @Override
                  public void fence() {
                    throw new IllegalStateException("the wire is cut");
                  }

                  @Override
                  public void closeFileSystems() {
                    throw new StackOverflowError();
                  }

                  @Override
                  public void close() {
                    throw new IllegalStateException("closed");
                  }
                },
            Executors.newCachedThreadPool());
    assertThat(containers.launch(spec())).isEmpty();
    assertThat(exitOf(containers).exitCode()).isZero();
    assertThat(containers.runningCount()).isZero();
  }

  @Test
  void anOutOfMemoryErrorOfItsMainThreadEndsItAsItsProcess() {
    HostedContainers containers =
        containers(
            () ->
                new TestProgram() {
                  @Override
                  public int run() {
                    throw new OutOfMemoryError("its own");
                  }

                  @Override
                  public int fatalStatus() {
                    return 1;
                  }
                },
            Executors.newCachedThreadPool());
    assertThat(containers.launch(spec())).isEmpty();
    assertThat(exitOf(containers).exitCode()).isEqualTo(1);
  }

  @Test
  void aKilledOneWhoseTerminationFailsIsGoneAllTheSame() {
    HostedContainers containers =
        containers(
            () ->
                new TestProgram() {
                  @Override
                  public int run() throws InterruptedException {
                    Thread.sleep(60_000);
                    return 0;
                  }

                  @Override
                  public void terminate() {
                    throw new OutOfMemoryError("unable to create native thread");
                  }
                },
            Executors.newCachedThreadPool());
    assertThat(containers.launch(spec())).isEmpty();
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> containers.situation().running().get(0).row().phase().equals("RUNNING"));
    assertThat(containers.signal("container_1", 15)).isTrue();
    assertThat(exitOf(containers).exitCode()).isEqualTo(143);
  }

  @Test
  void aKillDoesNotWaitForThreadsThatDoNotListen() throws InterruptedException {
    AtomicBoolean go = new AtomicBoolean();
    HostedContainers containers =
        containers(
            () ->
                new TestProgram() {
                  @Override
                  public int run() {
                    while (!go.get()) {
                      Thread.onSpinWait();
                    }
                    return 0;
                  }

                  @Override
                  public boolean isConfinedByFence() {
                    return true;
                  }
                },
            Executors.newCachedThreadPool());
    assertThat(containers.launch(spec())).isEmpty();
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> containers.situation().running().get(0).row().phase().equals("RUNNING"));
    assertThat(containers.signal("container_1", 15)).isTrue();
    assertThat(containers.poll(NONE, 200).exits()).as("ends after a request to end").isEmpty();
    assertThat(containers.signal("container_1", 9)).isTrue();
    EngineReport report = containers.poll(NONE, 1_000);
    assertThat(report.exits()).singleElement().matches(exit -> exit.exitCode() == 137);
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> containers.poll(NONE, 0).drainReason().contains("ignored its end"));
    go.set(true);
    await().atMost(Duration.ofSeconds(20)).until(() -> containers.situation().lingering() == 0);
  }
}
