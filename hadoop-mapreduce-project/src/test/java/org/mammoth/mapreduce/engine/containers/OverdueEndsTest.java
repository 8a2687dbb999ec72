// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.mapreduce.engine.jobs.FileSystemStatistics;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineReport;

/** A task whose last call does not return is reported all the same. */
class OverdueEndsTest {

  private static final String[] NONE = {};

  @TempDir private Path folder;

  private final CountDownLatch closing = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);
  private final AtomicLong clock = new AtomicLong(1);

  @AfterEach
  void answer() {
    answered.countDown();
  }

  /** Waits for an answer that nobody gives, as callers of a connection without a thread do. */
  private final class Hanging extends TestProgram {
    @Override
    public int run() {
      return 7;
    }

    @Override
    public void closeFileSystems() {
      closing.countDown();
      boolean open = true;
      while (open) {
        try {
          answered.await();
          open = false;
        } catch (InterruptedException e) {
          // Hadoop's client waits on
        }
      }
    }
  }

  /** Makes them. */
  private final class Factory implements ContainerProgram.Factory {
    @Override
    public ContainerProgram create(HostedContainer container, TaskProcess process) {
      return new Hanging();
    }

    @Override
    public void ended(HostedContainer container) {}

    @Override
    public String nameOf(HostedContainer container) {
      return "task";
    }
  }

  @Test
  void itsEndIsReportedAndTheEngineTakesNoMore() throws Exception {
    Configuration conf = new Configuration(false);
    EngineVitals vitals = new EngineVitals("engine-ann-1", "ann", Clock.systemUTC());
    HostedContainers containers =
        new HostedContainers(
            conf,
            vitals,
            new TaskSurroundings(conf, FileSystemStatistics.install(), vitals, null),
            new Factory(),
            Executors.newCachedThreadPool(),
            clock::get);
    assertThat(
            containers.launch(
                new ContainerLaunchSpec()
                    .withIdentity("container_1", "ann", 400)
                    .withFolders(
                        folder.toString(),
                        folder.resolve("logs").toString(),
                        List.of(folder.toString()))))
        .isEmpty();
    closing.await();
    assertThat(containers.poll(NONE, 0).exits()).isEmpty();
    clock.addAndGet(OverdueEnds.MAY_TAKE.toNanos());
    EngineReport inTime = containers.poll(NONE, 0);
    assertThat(inTime.exits()).isEmpty();
    assertThat(inTime.drainReason()).isEmpty();
    clock.addAndGet(2);
    List<ContainerExit> exits = new ArrayList<>();
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> exits.addAll(containers.poll(NONE, 0).exits()));
    assertThat(exits).extracting(ContainerExit::exitCode).containsExactly(7);
    assertThat(containers.poll(NONE, 0).drainReason()).contains("did not come to its end");
  }
}
