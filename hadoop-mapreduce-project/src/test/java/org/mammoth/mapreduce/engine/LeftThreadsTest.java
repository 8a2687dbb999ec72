// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.ReferenceQueue;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineReport;

/** Threads that libraries leave asleep, which would end with their process, cost no engine. */
class LeftThreadsTest {

  private static final String[] NONE = {};

  @TempDir private Path folder;

  /** Waits anew, whatever interrupts it. */
  private interface Wait {
    void once() throws Exception;
  }

  /** What starts the threads that a task leaves. */
  private record Leaver(Runnable leave) implements ContainerProgram {
    @Override
    public int run() {
      leave.run();
      return 0;
    }

    @Override
    public void fence() {}

    @Override
    public void reportFatal(Throwable error) {}

    @Override
    public void closeFileSystems() {}

    @Override
    public void close() {}
  }

  /** Makes leavers. */
  private record Leavers(Runnable leave) implements ContainerProgram.Factory {
    @Override
    public ContainerProgram create(HostedContainer container, TaskProcess process) {
      return new Leaver(leave);
    }

    @Override
    public void ended(HostedContainer container) {}

    @Override
    public String nameOf(HostedContainer container) {
      return "task";
    }
  }

  /** A daemon as libraries have them: Guava's finalizer, Okio's watchdog, reapers of files. */
  private static void daemon(Wait wait) {
    CountDownLatch waits = new CountDownLatch(1);
    Thread daemon =
        new Thread(
            () -> {
              while (true) {
                try {
                  waits.countDown();
                  wait.once();
                } catch (Exception e) {
                  // as they all do
                }
              }
            });
    daemon.setDaemon(true);
    daemon.start();
    try {
      waits.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertEngineGoesOn(Runnable leave) throws Exception {
    Configuration conf = new Configuration(false);
    EngineVitals vitals = new EngineVitals("engine-ann-1", "ann", Clock.systemUTC());
    HostedContainers containers =
        new HostedContainers(
            conf,
            vitals,
            new TaskSurroundings(conf, FileSystemStatistics.install(), vitals, null),
            new Leavers(leave),
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
    await()
        .during(Duration.ofMillis(500))
        .atMost(Duration.ofSeconds(20))
        .until(() -> containers.situation().lingering() == 0);
    assertThat(containers.poll(NONE, 0).drainReason()).isEmpty();
  }

  @Test
  void onMonitors() throws Exception {
    Object monitor = new Object();
    assertEngineGoesOn(
        () ->
            daemon(
                () -> {
                  synchronized (monitor) {
                    monitor.wait();
                  }
                }));
  }

  @Test
  void onReferences() throws Exception {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    assertEngineGoesOn(() -> daemon(queue::remove));
  }

  @Test
  void onQueues() throws Exception {
    LinkedBlockingQueue<Object> queue = new LinkedBlockingQueue<>();
    assertEngineGoesOn(() -> daemon(queue::take));
  }

  @Test
  void inSleep() throws Exception {
    assertEngineGoesOn(() -> daemon(() -> Thread.sleep(60_000)));
  }

  @Test
  void onChannels() throws Exception {
    try (Selector selector = Selector.open()) {
      assertEngineGoesOn(
          () ->
              daemon(
                  () -> {
                    selector.select();
                    Thread.interrupted();
                  }));
    }
  }

  @Test
  void inPoolsThatForkAndJoin() throws Exception {
    assertEngineGoesOn(() -> new ForkJoinPool(3).submit(() -> 1).join());
  }
}
