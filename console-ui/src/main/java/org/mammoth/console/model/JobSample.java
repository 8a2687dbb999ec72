// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/**
 * A MapReduce job as the ResourceManager lists it.
 *
 * @param id job_…, that of its application
 * @param finishedMs 0 while it runs
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
    long allocatedMb,
    long runningContainers,
    String trackingUrl,
    TaskCounts tasks) {

  public boolean running() {
    return finishedMs == 0;
  }

  /** The same with what is known of its tasks. */
  public JobSample with(TaskCounts counts) {
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
        allocatedMb,
        runningContainers,
        trackingUrl,
        counts);
  }
}
