// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.mapreduce.engine.jobs.FileSystemStatistics;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineReport;

/** A hosted program ends in the order of a process. */
@Timeout(120)
class LastStepsTest {

  private static final String[] NONE = {};
  private static final String CONTAINER = "container_1";
  private static final int TERM = 15;
  private static final int KILL = 9;

  /** What a program does on its main thread. */
  private interface Main {
    void run(TaskProcess process) throws InterruptedException;
  }

  @TempDir private Path folder;

  private final List<String> happened = new CopyOnWriteArrayList<>();
  private final CountDownLatch runs = new CountDownLatch(1);

  /** What is in the way of closing the files. */
  private volatile Runnable closing = () -> {};

  private final class Program extends TestProgram {
    private final Main main;
    private final TaskProcess process;

    Program(Main main, TaskProcess process) {
      this.main = main;
      this.process = process;
    }

    @Override
    public int run() throws InterruptedException {
      main.run(process);
      return 0;
    }

    @Override
    public boolean isConfinedByFence() {
      return true;
    }

    @Override
    public void closeFileSystems() {
      closing.run();
      happened.add("closed");
    }
  }

  private HostedContainers launch(Main main) {
    Configuration conf = new Configuration(false);
    EngineVitals vitals = new EngineVitals("engine-ann-1", "ann", Clock.systemUTC());
    HostedContainers containers =
        new HostedContainers(
            conf,
            vitals,
            new TaskSurroundings(conf, FileSystemStatistics.install(), vitals, null),
            new ContainerProgram.Factory() {
              @Override
              public ContainerProgram create(HostedContainer container, TaskProcess process) {
                return new Program(main, process);
              }

              @Override
              public String nameOf(HostedContainer container) {
                return "task";
              }
            },
            Executors.newCachedThreadPool(),
            System::nanoTime);
    ContainerLaunchSpec spec =
        new ContainerLaunchSpec()
            .withIdentity(CONTAINER, "ann", 400)
            .withFolders(
                folder.toString(), folder.resolve("logs").toString(), List.of(folder.toString()));
    assertThat(containers.launch(spec)).isEmpty();
    return containers;
  }

  private static int exitOf(HostedContainers containers) {
    return await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              EngineReport report = containers.poll(NONE, 100);
              return report.exits().isEmpty() ? null : report.exits().get(0);
            },
            exit -> exit != null)
        .exitCode();
  }

  /** A hook of the program's, which may take its time. */
  private Thread hook(TaskProcess process, CountDownLatch go) {
    return new Thread(
        process.threads(),
        () -> {
          try {
            happened.add("hook begins");
            go.await();
            happened.add("hook ends");
          } catch (InterruptedException e) {
            happened.add("hook is interrupted");
          }
        });
  }

  private void sleep() throws InterruptedException {
    try {
      runs.countDown();
      Thread.sleep(60_000);
    } finally {
      happened.add("main unwinds");
    }
  }

  @Test
  void workThatIsWithOtherThreadsIsDone() {
    HostedContainers containers =
        launch(
            process -> {
              ExecutorService pool = Executors.newFixedThreadPool(2);
              for (int i = 0; i < 20; i++) {
                pool.execute(
                    () -> {
                      try {
                        Thread.sleep(50);
                        happened.add("sent");
                      } catch (InterruptedException e) {
                        happened.add("lost");
                      }
                    });
              }
              pool.shutdown();
            });
    assertThat(exitOf(containers)).isZero();
    assertThat(happened.subList(0, 20)).containsOnly("sent");
    assertThat(happened.subList(20, 21)).containsExactly("closed");
  }

  @Test
  void poolsWithoutWorkAreNotWaitedFor() throws InterruptedException {
    HostedContainers containers =
        launch(
            process -> {
              ScheduledExecutorService later = Executors.newScheduledThreadPool(1);
              later.schedule(() -> happened.add("scheduled"), 300, TimeUnit.MILLISECONDS);
              Executors.newFixedThreadPool(2).execute(() -> happened.add("executed"));
              new Timer("idle");
            });
    assertThat(exitOf(containers)).isZero();
    assertThat(happened.subList(0, 2)).containsExactlyInAnyOrder("executed", "scheduled");
    assertThat(containers.poll(NONE, 0).drainReason()).isEmpty();
  }

  @Test
  void aSignalEndsTheWaitForOtherThreads() throws InterruptedException {
    HostedContainers containers =
        launch(
            process ->
                new Thread(
                        () -> {
                          try {
                            sleep();
                          } catch (InterruptedException e) {
                            happened.add("interrupted");
                          }
                        })
                    .start());
    runs.await();
    assertThat(containers.poll(NONE, 500).exits()).isEmpty();
    assertThat(containers.signal(CONTAINER, TERM)).isTrue();
    assertThat(exitOf(containers)).isEqualTo(128 + TERM);
    assertThat(happened).containsExactly("closed", "main unwinds", "interrupted");
  }

  @Test
  void aKilledOneRunsItsHooksAndIsInterruptedOnlyWhenNothingOfItIsOpen()
      throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    HostedContainers containers =
        launch(
            process -> {
              process.addShutdownHook(hook(process, go));
              sleep();
            });
    runs.await();
    assertThat(containers.signal(CONTAINER, TERM)).isTrue();
    await().until(() -> happened.contains("hook begins"));
    assertThat(containers.poll(NONE, 500).exits()).isEmpty();
    go.countDown();
    assertThat(exitOf(containers)).isEqualTo(128 + TERM);
    assertThat(happened).containsExactly("hook begins", "hook ends", "closed", "main unwinds");
  }

  @Test
  void aHarderSignalCutsHooksOff() throws InterruptedException {
    HostedContainers containers =
        launch(
            process -> {
              process.addShutdownHook(hook(process, new CountDownLatch(1)));
              sleep();
            });
    runs.await();
    containers.signal(CONTAINER, TERM);
    await().until(() -> happened.contains("hook begins"));
    containers.signal(CONTAINER, KILL);
    assertThat(containers.poll(NONE, 5_000).exits())
        .extracting(ContainerExit::exitCode)
        .containsExactly(128 + KILL);
    // Both are interrupted at about the same time, each on a thread of its own.
    await().until(() -> happened.containsAll(List.of("main unwinds", "hook is interrupted")));
    assertThat(happened).doesNotContain("hook ends");
  }

  @Test
  void hooksOfOneThatHasEndedTakeTheirTimeUntilItIsKilled() throws InterruptedException {
    HostedContainers containers =
        launch(process -> process.addShutdownHook(hook(process, new CountDownLatch(1))));
    await().until(() -> happened.contains("hook begins"));
    containers.signal(CONTAINER, TERM); // a JVM that ends takes no note of it
    assertThat(containers.poll(NONE, 11_000).exits()).isEmpty();
    containers.signal(CONTAINER, KILL);
    assertThat(exitOf(containers)).isZero();
    await().until(() -> happened.contains("closed"));
    await().until(() -> happened.contains("hook is interrupted"));
  }

  /** Holds the lock of a stream, which whoever closes it takes, too. */
  private HostedContainers launchWriter(AtomicBoolean goesOn) {
    Object stream = new Object();
    closing =
        () -> {
          synchronized (stream) {
            happened.add("stream is free");
          }
        };
    return launch(
        process -> {
          synchronized (stream) {
            try {
              sleep();
            } catch (InterruptedException e) {
              while (goesOn.get()) {
                Thread.onSpinWait();
              }
            }
          }
        });
  }

  private void assertKilled(HostedContainers containers) throws InterruptedException {
    runs.await();
    containers.signal(CONTAINER, TERM);
    containers.signal(CONTAINER, KILL);
    assertThat(exitOf(containers)).isEqualTo(128 + KILL);
  }

  @Test
  void whoKeepsWhatIsOpenFromBeingClosedIsInterrupted() throws InterruptedException {
    HostedContainers containers = launchWriter(new AtomicBoolean());
    assertKilled(containers);
    await().atMost(Duration.ofSeconds(30)).until(() -> happened.contains("closed"));
    assertThat(happened).containsExactly("main unwinds", "stream is free", "closed");
    assertThat(containers.poll(NONE, 0).drainReason()).isEmpty();
  }

  @Test
  void anEngineThatCannotCloseWhatItsTaskHasOpenTakesNoMore() throws InterruptedException {
    AtomicBoolean goesOn = new AtomicBoolean(true);
    HostedContainers containers = launchWriter(goesOn);
    assertKilled(containers);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> containers.poll(NONE, 0).drainReason().contains("ignored its end"));
    assertThat(happened).containsExactly("main unwinds");
    goesOn.set(false);
    await().atMost(Duration.ofSeconds(30)).until(() -> containers.situation().lingering() == 0);
    assertThat(happened).containsExactly("main unwinds", "stream is free", "closed");
  }
}
