// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.mammoth.api.timing.Lasting;
import org.mammoth.mapreduce.engine.containers.HostedContainers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches over an engine until it should end: because it has been drained and is empty, or because
 * nobody asks for it any more. What asks disks is done by others, so that a disk that hangs keeps
 * no engine from its end; whatever fails is logged and tried again.
 */
final class EngineVigil {

  private static final Logger LOG = LoggerFactory.getLogger(EngineVigil.class);

  private static final long LOOK_MS = 1_000;

  /**
   * An engine whose home is gone has been given up, or its disk is lost. Who still asks for it then
   * has not given it up.
   */
  private static final long HOMELESS_MS = 10_000;

  private final HostedContainers containers;
  private final long orphanMs;
  private final BooleanSupplier homeExists;
  private volatile boolean homeless;

  /**
   * @param orphanMs silence of the NodeManager after which the engine ends
   * @param homeExists whether the engine's home is still there; may be held up by its disk
   */
  EngineVigil(HostedContainers containers, long orphanMs, BooleanSupplier homeExists) {
    this.containers = containers;
    this.orphanMs = orphanMs;
    this.homeExists = homeExists;
  }

  /**
   * Begins what is to be done about once a second.
   *
   * @param timer of two threads, one of which may be held up by a disk
   */
  void begin(ScheduledExecutorService timer) {
    repeat(timer, "Looking after the engine", containers::lookAfter);
    repeat(timer, "Looking at the engine's folders", this::lookAtFolders);
  }

  private static void repeat(ScheduledExecutorService timer, String what, Runnable work) {
    timer.scheduleWithFixedDelay(new Lasting(what, work), LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  private void lookAtFolders() {
    homeless = !homeExists.getAsBoolean();
    if (homeless) {
      containers.drain("its home folder is gone");
    }
    containers.forgetEndedJobs();
  }

  /** Blocks until the engine should end. */
  void keep() throws InterruptedException {
    while (!containers.awaitOver(LOOK_MS)) {
      long silentMs = containers.silentMs();
      if (silentMs > orphanMs || homeless && silentMs > HOMELESS_MS) {
        LOG.error(
            "No NodeManager has asked for {} ms{}, ending",
            silentMs,
            homeless ? " and the engine's home folder is gone" : "");
        return;
      }
    }
  }
}
