// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.mapreduce.engine.jobs.FileSystemStatistics;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EndKind;
import org.mammoth.mapreduce.protocol.EngineReport;

/** What no other attempt would do again is not cut short by the engine. */
@Timeout(120)
class PointOfNoReturnTest {

  private static final String[] NONE = {};
  private static final String FIRST = "container_1";
  private static final String SECOND = "container_2";

  /** What a program does on its main thread. */
  private interface Main {
    void run(HostedContainer container, TaskProcess process) throws InterruptedException;
  }

  @TempDir private Path folder;

  private final Map<String, Main> mains = new HashMap<>();
  private final List<String> happened = new CopyOnWriteArrayList<>();
  private final CountDownLatch go = new CountDownLatch(1);

  private HostedContainers engine() {
    Configuration conf = new Configuration(false);
    EngineVitals vitals = new EngineVitals("engine-ann-1", "ann", Clock.systemUTC());
    return new HostedContainers(
        conf,
        vitals,
        new TaskSurroundings(conf, FileSystemStatistics.install(), vitals, null),
        new ContainerProgram.Factory() {
          @Override
          public ContainerProgram create(HostedContainer container, TaskProcess process) {
            Main main = mains.get(container.containerId());
            return new TestProgram() {
              @Override
              public int run() throws InterruptedException {
                main.run(container, process);
                return 0;
              }
            };
          }

          @Override
          public String nameOf(HostedContainer container) {
            return "program of " + container.containerId();
          }
        },
        Executors.newCachedThreadPool(),
        System::nanoTime);
  }

  private String launch(HostedContainers engine, String id, Main main) {
    mains.put(id, main);
    Path own = folder.resolve(id);
    return engine.launch(
        new ContainerLaunchSpec()
            .withIdentity(id, "ann", 400)
            .withFolders(own.toString(), own.resolve("logs").toString(), List.of(own.toString())));
  }

  private static ContainerExit exitOf(HostedContainers engine) {
    return await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              EngineReport report = engine.poll(NONE, 100);
              return report.exits().isEmpty() ? null : report.exits().get(0);
            },
            exit -> exit != null);
  }

  private void commit(HostedContainer container, TaskProcess process) {
    happened.add("may commit: " + container.passPointOfNoReturn());
    process.needProcess("it changes the JVM");
    happened.add("committed");
  }

  private void sleep() throws InterruptedException {
    happened.add("runs");
    go.await();
  }

  @Test
  void behindItTheProgramHasTheEngineToItself() throws InterruptedException {
    HostedContainers engine = engine();
    assertThat(launch(engine, FIRST, this::commit)).isEmpty();
    assertThat(exitOf(engine))
        .as("that later jobs of its kind need processes")
        .isEqualTo(
            new ContainerExit(
                FIRST, EndKind.PROGRAM_WITH_NEED, 0, "needs a process: it changes the JVM"));
    assertThat(happened).containsExactly("may commit: true", "committed");
    assertThat(engine.poll(NONE, 0).drainReason()).contains("changes the JVM");
    assertThat(launch(engine, SECOND, this::commit)).contains("changes the JVM");
  }

  @Test
  void beforeItTheProgramIsRunAgainAndDoesNotComeToIt() {
    HostedContainers engine = engine();
    assertThat(
            launch(
                engine,
                FIRST,
                (container, process) -> {
                  try {
                    process.needProcess("it changes the JVM");
                  } finally {
                    happened.add("may commit: " + container.passPointOfNoReturn());
                  }
                }))
        .isEmpty();
    assertThat(exitOf(engine).kind()).isEqualTo(EndKind.NEEDS_PROCESS);
    assertThat(happened).containsExactly("may commit: false");
  }

  @Test
  void oneThatIsNotAloneLeavesTheJvmAsItIs() {
    HostedContainers engine = engine();
    assertThat(launch(engine, SECOND, (container, process) -> sleep())).isEmpty();
    await().until(() -> happened.contains("runs"));
    assertThat(launch(engine, FIRST, this::commit)).isEmpty();
    assertThat(exitOf(engine).kind()).isEqualTo(EndKind.NEEDS_PROCESS);
    assertThat(happened).doesNotContain("committed");
    go.countDown();
  }

  @Test
  void behindItTheProgramDoesNotGiveWay() {
    HostedContainers engine = engine();
    assertThat(
            launch(
                engine,
                FIRST,
                (container, process) -> {
                  assertThat(container.passPointOfNoReturn()).isTrue();
                  assertThat(container.mayYield()).isFalse();
                  container.yieldForMemory("others need it");
                  happened.add("goes on");
                }))
        .isEmpty();
    assertThat(exitOf(engine)).isEqualTo(new ContainerExit(FIRST, EndKind.PROGRAM, 0, ""));
    assertThat(happened).containsExactly("goes on");
  }

  @Test
  void oneThatGivesWayDoesNotComeToIt() {
    HostedContainers engine = engine();
    assertThat(
            launch(
                engine,
                FIRST,
                (container, process) -> {
                  assertThat(container.mayYield()).isTrue();
                  container.yieldForMemory("others need it");
                  happened.add("may commit: " + container.passPointOfNoReturn());
                }))
        .isEmpty();
    assertThat(exitOf(engine).kind()).isEqualTo(EndKind.ABORTED);
    await().untilAsserted(() -> assertThat(happened).containsExactly("may commit: false"));
  }

  @Test
  void oneWhoseMainThreadHasToldItsEndDoesNotGiveWay() {
    HostedContainers engine = engine();
    assertThat(
            launch(
                engine,
                FIRST,
                (container, process) ->
                    new Thread(
                            () -> {
                              while (container.mayYield()) {
                                Thread.onSpinWait();
                              }
                              container.yieldForMemory("others need it");
                              happened.add("goes on");
                            })
                        .start()))
        .isEmpty();
    assertThat(exitOf(engine)).isEqualTo(new ContainerExit(FIRST, EndKind.PROGRAM, 0, ""));
    assertThat(happened).containsExactly("goes on");
  }
}
