// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.mapreduce.engine.jobs.FileSystemStatistics;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineReport;

/** Threads that libraries leave asleep, which would end with their process, cost no engine. */
class LeftThreadsTest {

  private static final String[] NONE = {};

  @TempDir private Path folder;

  /** Makes programs that leave threads. */
  private record Leavers(Runnable leave) implements ContainerProgram.Factory {
    @Override
    public ContainerProgram create(HostedContainer container, TaskProcess process) {
      return new TestProgram() {
        @Override
        public int run() {
          leave.run();
          return 0;
        }
      };
    }

    @Override
    public void ended(HostedContainer container) {}

    @Override
    public String nameOf(HostedContainer container) {
      return "task";
    }
  }

  /** Starts one of a loader that is none of the engine's. */
  private static Thread daemon(String how) {
    CountDownLatch waits = new CountDownLatch(1);
    try {
      URL classes = LeftThreadsTest.class.getProtectionDomain().getCodeSource().getLocation();
      Class<?> type =
          new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())
              .loadClass("org.mammoth.jobs.Watchdog");
      Thread daemon =
          new Thread(
              (Runnable)
                  type.getConstructor(CountDownLatch.class, String.class).newInstance(waits, how));
      daemon.setDaemon(true);
      daemon.start();
      waits.await();
      return daemon;
    } catch (ReflectiveOperationException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertEngineGoesOn(Supplier<Thread> leave) throws Exception {
    AtomicReference<Thread> left = new AtomicReference<>();
    Configuration conf = new Configuration(false);
    EngineVitals vitals = new EngineVitals("engine-ann-1", "ann", Clock.systemUTC());
    HostedContainers containers =
        new HostedContainers(
            conf,
            vitals,
            new TaskSurroundings(conf, FileSystemStatistics.install(), vitals, null),
            new Leavers(() -> left.set(leave.get())),
            Executors.newCachedThreadPool(),
            System::nanoTime);
    ContainerLaunchSpec spec =
        new ContainerLaunchSpec()
            .withIdentity("container_1", "ann", 400)
            .withFolders(
                folder.toString(), folder.resolve("logs").toString(), List.of(folder.toString()));
    assertThat(containers.launch(spec)).isEmpty();
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              EngineReport report = containers.poll(NONE, 100);
              return report.exits().size() == 1 && containers.situation().running().isEmpty();
            });
    await().atMost(Duration.ofSeconds(20)).until(() -> !left.get().isAlive());
    // What a thread leaves behind that goes on is told after the end of its task.
    await()
        .during(Duration.ofSeconds(1))
        .atMost(Duration.ofSeconds(20))
        .until(() -> containers.situation().lingering() == 0);
    assertThat(containers.poll(NONE, 0).drainReason()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"monitor", "references", "queue", "sleep", "channel"})
  void theyAreStoppedWhereTheyWait(String how) throws Exception {
    assertEngineGoesOn(() -> daemon(how));
  }

  @Test
  void poolsThatForkAndJoinAreShutDown() throws Exception {
    assertEngineGoesOn(() -> new ForkJoinPool(3).submit(Thread::currentThread).join());
  }
}
