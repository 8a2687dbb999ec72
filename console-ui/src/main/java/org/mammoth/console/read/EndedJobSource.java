// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.mammoth.console.model.AttemptCounts;
import org.mammoth.console.model.JobCounter;
import org.mammoth.console.model.TaskCounts;

/** Who tells of jobs that have ended. Any thread; answers may come on another one. */
public interface EndedJobSource {

  /**
   * A job as one of the two lists it.
   *
   * @param state how it ended
   * @param memorySeconds null from the history server, as are the virtual cores'
   * @param tasks null from the ResourceManager
   */
  record Listed(
      String id,
      String name,
      String user,
      String queue,
      String state,
      long startedMs,
      long finishedMs,
      String diagnostics,
      Long memorySeconds,
      Long vcoreSeconds,
      TaskCounts tasks) {}

  /**
   * What the history server tells of one job.
   *
   * @param found whether it has the job
   * @param attempts null if it does not tell
   * @param settings those of the job's configuration that name Mammoth; null if it does not tell
   */
  record Details(
      boolean found,
      String diagnostics,
      AttemptCounts attempts,
      List<JobCounter> counters,
      Map<String, String> settings) {}

  /** Jobs that ended within a span, as the ResourceManager still lists them. */
  CompletableFuture<List<Listed>> byResourceManager(long fromMs, long toMs);

  /** Jobs that ended within a span, as the history server lists them. */
  CompletableFuture<List<Listed>> byHistoryServer(long fromMs, long toMs);

  /**
   * The rest of one job.
   *
   * @return fails if the history server does not answer; a job it does not have is an answer
   */
  CompletableFuture<Details> details(String id);
}
