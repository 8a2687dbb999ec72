// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.StringUtils;
import org.mammoth.engine.isolation.TaskProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says for a task that its heap is exhausted, where its process would have said it. */
public final class MemoryReport {

  private static final Logger LOG = LoggerFactory.getLogger(MemoryReport.class);

  private static final long MAY_TAKE_MS = 10_000;
  private static final String MAIN = "main";

  private MemoryReport() {}

  /** Gives the error the stack of the task's main thread, for whoever looks for the cause. */
  static void takeStack(TaskProcess process, OutOfMemoryError error) {
    process.liveThreads().stream()
        .filter(thread -> thread.getName().equals(MAIN))
        .findFirst()
        .ifPresent(main -> error.setStackTrace(main.getStackTrace()));
  }

  /**
   * Writes the error to the task's log and tells its ApplicationMaster. Waits until that is done,
   * ten seconds at most.
   */
  static void write(TaskProcess process, ContainerProgram program, OutOfMemoryError error) {
    // Only what a thread of the task logs goes to the task's log.
    Thread reporter =
        new Thread(
            process.threads(),
            () -> {
              LOG.error("Error running child : {}", StringUtils.stringifyException(error));
              program.reportFatal(error);
            },
            "memory-report");
    reporter.setContextClassLoader(MemoryReport.class.getClassLoader());
    reporter.setDaemon(true);
    reporter.start();
    try {
      TimeUnit.MILLISECONDS.timedJoin(reporter, MAY_TAKE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
