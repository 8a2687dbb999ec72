package org.mammoth.console.model;

/**
 * A MapReduce job as the ResourceManager lists it.
 *
 * @param id job_…, that of its application
 * @param finishedMs 0 while it runs
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
    String trackingUrl) {

  public boolean running() {
    return finishedMs == 0;
  }
}
