// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mammoth.mapreduce.engine.containers.ContainerProgram;
import org.mammoth.mapreduce.engine.containers.EngineVitals;
import org.mammoth.mapreduce.engine.containers.HostedContainers;
import org.mammoth.mapreduce.engine.containers.TaskSurroundings;

/** When an engine ends, and when it does not. */
class EngineVigilTest {

  private static final String[] NONE = {};
  private static final long ORPHAN_MS = 60_000;

  private final AtomicLong nanos = new AtomicLong();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private volatile boolean home = true;

  private final HostedContainers containers = containers();

  private HostedContainers containers() {
    Configuration conf = new Configuration(false);
    EngineVitals vitals =
        new EngineVitals("engine-ann-1", "ann", Clock.systemUTC()) {
          @Override
          public long grownHeapMb() {
            return 0;
          }
        };
    TaskSurroundings surroundings = new TaskSurroundings(conf, null, vitals, null);
    return new HostedContainers(
        conf,
        vitals,
        surroundings,
        new ContainerProgram.Tasks(surroundings),
        Runnable::run,
        nanos::get);
  }

  private Thread keep() {
    EngineVigil vigil = new EngineVigil(containers, ORPHAN_MS, () -> home);
    vigil.begin(timer);
    Thread keeper =
        new Thread(
            () -> {
              try {
                vigil.keep();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    keeper.setDaemon(true);
    keeper.start();
    return keeper;
  }

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void aJumpOfTheClockEndsNoEngine() throws InterruptedException {
    Thread keeper = keep();
    nanos.addAndGet(TimeUnit.MINUTES.toNanos(10));
    keeper.join(3_000);
    assertThat(keeper.isAlive()).isTrue();
    containers.drain("as told");
    keeper.join(10_000);
    assertThat(keeper.isAlive()).as("drained, with nothing to do").isFalse();
  }

  @Test
  void nobodyAsksForLong() {
    Thread keeper = keep();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
              return !keeper.isAlive();
            });
  }

  @Test
  void anEngineWhoseDiskIsLostDrains() throws Exception {
    containers.poll(NONE, 0);
    Thread keeper = keep();
    home = false;
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> containers.poll(NONE, 0).drainReason().contains("home folder is gone"));
    // Empty, it ends; that it was drained and not cut off is what the NodeManager has seen.
    keeper.join(10_000);
    assertThat(keeper.isAlive()).isFalse();
  }
}
