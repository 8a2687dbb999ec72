// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.mapreduce.engine.heap.HeapKeeper;
import org.mammoth.mapreduce.protocol.EndKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a container ends for want of memory: by its own fault, or by that of others. Thread-safe. */
public final class MemoryEnd {

  private static final Logger LOG = LoggerFactory.getLogger(MemoryEnd.class);

  private static final int HALTED = 255;
  private static final String OTHERS_FAULT =
      "The engine ran out of memory through another task; this one is run again.";
  private static final String SMALL_ENGINE =
      "The engine's heap has no room for the task's -Xmx, though it ran alone there"
          + " (mammoth.engine.memory-mb, or -Xmx in mammoth.engine.java.opts); it is run again.";

  private final HostedContainer container;
  private final HostedContainers containers;
  private final ForcedEnd forced;

  /** Open while the engine tells why it has ended it; null if it does not. */
  private volatile CountDownLatch explained;

  MemoryEnd(HostedContainer container, HostedContainers containers, ForcedEnd forced) {
    this.container = container;
    this.containers = containers;
    this.forced = forced;
  }

  /** The heap's keeper has found that it holds more than it was promised. */
  void fail(TaskProcess process, ContainerProgram program, OutOfMemoryError error) {
    CountDownLatch told = new CountDownLatch(1);
    explained = told;
    try {
      if (forced.condemn(EndKind.PROGRAM, 0, "")) {
        MemoryReport.takeStack(process, error);
        // First of all it must take no more: each full collection gets dearer.
        StuckThreads.stop(process.liveThreads());
        containers.drain(container.name() + " exhausted the heap and was stopped");
        MemoryReport.write(process, program, error);
      }
    } finally {
      told.countDown();
    }
  }

  /** Waits until the engine has told why it has ended it, if it does. */
  void awaitReport() throws InterruptedException {
    CountDownLatch told = explained;
    if (told != null) {
      told.await();
    }
  }

  /** A thread of it has died of that. */
  void met(TaskProcess process, Thread thread, OutOfMemoryError error) {
    LOG.error("Thread {} is out of memory", thread.getName(), error);
    if (isOwnFault(error)) {
      // What upstream's YarnUncaughtExceptionHandler does to the process.
      process.stderr().println("Halting due to Out Of Memory Error...");
      forced.condemn(EndKind.PROGRAM, HALTED, "");
    }
  }

  /**
   * Whether it is to blame for an error that it has met. If another task has taken what this one
   * was promised, or no engine of this size has it, it is ended here, to be run again.
   */
  boolean isOwnFault(OutOfMemoryError error) {
    if (containers.isToBlame(container, error)) {
      return true;
    }
    boolean alone = HeapKeeper.isOfTheHeap(error) && containers.runningCount() <= 1;
    forced.condemn(
        EndKind.ABORTED, ContainerExitStatus.ABORTED, alone ? SMALL_ENGINE : OTHERS_FAULT);
    return false;
  }
}
