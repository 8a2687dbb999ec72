// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import java.util.List;
import java.util.Map;

/**
 * An engine's memory for intermediate data, all of one moment: the sum of {@code leases} is the sum
 * of {@code byKind} is {@code usedBytes}, which is at most {@code capBytes}.
 *
 * @param capBytes that may be leased
 * @param usedBytes that are leased
 * @param unitBytes size of a cache unit
 * @param poolBytes of the cache pool
 * @param poolLimitBytes of it that may be lent, less than all while other users are at work
 * @param poolUsedBytes of it that are lent
 * @param pressure whether the pool is nearly full
 * @param sortBufferBytes SortBuf of equation 2 of the Mammoth paper: peak × running maps
 * @param mapQuotaBytes of the maps, by equation 2
 * @param borrowedBytes that maps hold beyond their quota
 * @param reduceQuotaBytes of the reduces, by equation 2, less what is borrowed
 * @param runningMaps with a buffer
 * @param ioBesideBytes that queues of disks hold beyond what the ledger had room for
 * @param byKind bytes leased by kind of buffer
 * @param leases by user, job, attempt and kind
 * @param jobs of the node
 * @param reduces that run
 * @param waiters for memory, oldest first
 * @param nextDecision number the next decision will have
 * @param decisionsByRule how many there were since the engine started
 */
public record MemoryUse(
    long capBytes,
    long usedBytes,
    long unitBytes,
    long poolBytes,
    @Untold long poolLimitBytes,
    long poolUsedBytes,
    boolean pressure,
    long sortBufferBytes,
    long mapQuotaBytes,
    long borrowedBytes,
    long reduceQuotaBytes,
    int runningMaps,
    long ioBesideBytes,
    Map<String, Long> byKind,
    List<Lease> leases,
    List<Job> jobs,
    List<Reduce> reduces,
    List<Waiter> waiters,
    long nextDecision,
    Map<String, Long> decisionsByRule) {

  /** What another version does not send: lists are empty, and all of the pool may be lent. */
  public MemoryUse {
    poolLimitBytes = poolLimitBytes < 0 ? poolBytes : poolLimitBytes;
    byKind = StatusJson.orEmpty(byKind);
    leases = StatusJson.orEmpty(leases);
    jobs = StatusJson.orEmpty(jobs);
    reduces = StatusJson.orEmpty(reduces);
    waiters = StatusJson.orEmpty(waiters);
    decisionsByRule = StatusJson.orEmpty(decisionsByRule);
  }

  /**
   * Leased memory.
   *
   * @param user whose job it is; {@code engine} for the engine's own
   * @param job its job
   * @param attempt a running attempt, or what the engine calls its own; empty for all attempts of
   *     the job that have ended
   * @param attempts how many attempts are added up here
   * @param kind ELEMENT, SORT, SEND, RECEIVE, IO or DATA_CACHE
   * @param bytes above 0
   */
  public record Lease(
      String user, String job, String attempt, int attempts, String kind, long bytes) {}

  /**
   * A job of the node.
   *
   * @param user whose it is
   * @param job its id
   * @param weight among the jobs of the node
   * @param maps that run
   * @param reduces that run
   * @param sortBytes of the pool
   * @param sendBytes of the pool
   * @param receiveBytes of the pool
   * @param sortPeakBytes largest sort buffer of a map that has ended, 0 until one has
   */
  public record Job(
      String user,
      String job,
      double weight,
      int maps,
      int reduces,
      long sortBytes,
      long sendBytes,
      long receiveBytes,
      long sortPeakBytes) {}

  /**
   * A running reduce.
   *
   * @param attempt its id
   * @param usedBytes of the pool
   * @param quotaBytes its part of the reduces' quota
   * @param desiredBytes what it said it wants, -1 if it said nothing
   */
  public record Reduce(
      String attempt, long usedBytes, long quotaBytes, @Untold long desiredBytes) {}

  /**
   * A request that waits.
   *
   * @param attempt who waits
   * @param kind for which kind of buffer
   * @param waitedMs how long already
   * @param passedBy how many requests were served since
   */
  public record Waiter(String attempt, String kind, long waitedMs, int passedBy) {}
}
