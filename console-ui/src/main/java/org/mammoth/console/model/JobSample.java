// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/**
 * A MapReduce job as the ResourceManager lists it.
 *
 * @param id job_…, that of its application
 * @param finishedMs 0 while it runs
 * @param endSeenMs when the console saw that it has ended, by the console's clock; for one that had
 *     ended before, when it ended by the ResourceManager's, but not later than then. What is recent
 *     goes by this: the two clocks may differ
 * @param tasks how many tasks it had, as the history server tells; null if it does not, or the job
 *     runs
 */
public record JobSample(
    String id,
    String application,
    String name,
    String user,
    String queue,
    String state,
    String finalStatus,
    double progress,
    long startedMs,
    long finishedMs,
    long endSeenMs,
    long allocatedMb,
    long runningContainers,
    String trackingUrl,
    TaskCounts tasks) {

  public boolean running() {
    return finishedMs == 0;
  }

  /** The same with what is known of its tasks. */
  public JobSample with(TaskCounts counts) {
    return with(endSeenMs, counts);
  }

  /** The same with when its end was seen. */
  public JobSample endSeen(long atMs) {
    return with(atMs, tasks);
  }

  private JobSample with(long seenMs, TaskCounts counts) {
    return new JobSample(
        id,
        application,
        name,
        user,
        queue,
        state,
        finalStatus,
        progress,
        startedMs,
        finishedMs,
        seenMs,
        allocatedMb,
        runningContainers,
        trackingUrl,
        counts);
  }
}
