// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

import java.util.List;
import java.util.Map;

/**
 * An engine's memory at one moment, in bytes unless said otherwise.
 *
 * @param cap what may be leased at any time
 * @param used what is leased
 * @param poolLimit what may be lent of the pool, less than all while other users are at work
 * @param ioBeside what queues of disks hold beyond what the ledger had room for
 * @param byKind leased bytes by buffer kind, see {@link BufferKinds#NAMES}
 * @param mapQuota the maps' quota
 * @param reduceQuota the reduces' quota
 * @param borrowed what maps hold beyond their quota
 * @param pressure whether the pool is nearly full
 * @param nextDecision the number the next decision will have
 */
public record MemorySample(
    long cap,
    long used,
    long unit,
    long poolBytes,
    long poolLimit,
    long poolUsed,
    long ioBeside,
    Map<String, Long> byKind,
    long sortBuffer,
    long mapQuota,
    long borrowed,
    long reduceQuota,
    int runningMaps,
    boolean pressure,
    long nextDecision,
    Map<String, Long> decisionsByRule,
    List<Lease> leases,
    List<JobMemory> jobs,
    List<ReduceMemory> reduces,
    List<Waiter> waiters) {

  /** An engine that reports no memory. */
  public static final MemorySample NONE =
      new MemorySample(
          0, 0, 0, 0, 0, 0, 0, Map.of(), 0, 0, 0, 0, 0, false, 0, Map.of(), List.of(), List.of(),
          List.of(), List.of());

  /** Bytes of one kind, 0 if the engine does not name it. */
  public long kind(String name) {
    return byKind.getOrDefault(name, 0L);
  }

  /** What one attempt, or all ended attempts of a job, hold of one kind. */
  public record Lease(
      String user, String job, String attempt, long attempts, String kind, long bytes) {}

  /** What one job holds of the pool. */
  public record JobMemory(
      String user,
      String job,
      double weight,
      int maps,
      int reduces,
      long sort,
      long send,
      long receive,
      long sortPeak) {}

  /**
   * What one running reduce holds.
   *
   * @param desired what it said it wants, -1 if nothing
   */
  public record ReduceMemory(String attempt, long used, long quota, long desired) {}

  /** A request that waits. */
  public record Waiter(String attempt, String kind, long waitedMs, int passedBy) {}
}
