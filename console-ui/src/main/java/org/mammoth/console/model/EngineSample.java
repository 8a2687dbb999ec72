// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

import java.util.List;

/**
 * One engine at one moment; sizes in bytes.
 *
 * @param role TASKS or APP_MASTERS
 * @param open whether it is given containers
 * @param ageMs how old the numbers are, -1 if there are none yet
 * @param problem why they are not the newest, or empty
 * @param draining why it takes no more tasks, or empty
 */
public record EngineSample(
    String id,
    String user,
    long pid,
    String role,
    boolean open,
    long ageMs,
    String problem,
    String draining,
    long startedMs,
    Counts counts,
    Jvm jvm,
    MemorySample memory,
    ElementSample elements,
    SendSample send,
    List<DiskSample> disks,
    List<TaskSample> tasks) {

  /** Whether its numbers are known at all: one that just starts has told none yet. */
  public boolean told() {
    return ageMs >= 0;
  }

  /** Tasks since the engine started. */
  public record Counts(
      long running,
      long started,
      long finished,
      long killed,
      long failed,
      long aborted,
      long lingering) {}

  /** What the JVM and the kernel say. */
  public record Jvm(
      long heapUsed,
      long heapCommitted,
      long heapMax,
      long direct,
      long rss,
      long metaspace,
      long gcCount,
      long gcMs,
      long threads,
      long classes) {}

  /** Final outputs of maps the engine knows. */
  public record SendSample(long outputs, long heldOutputs, long heldBytes, long fileBytes) {}
}
