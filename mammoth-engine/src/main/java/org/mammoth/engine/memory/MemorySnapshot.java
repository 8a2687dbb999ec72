// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.mammoth.api.status.MemoryUse;
import org.mammoth.engine.memory.CentralMemoryManager.Quotas;

/**
 * The engine's memory at one moment, in bytes unless said otherwise. A plain value with getters, as
 * JMX and JSON want them.
 */
public final class MemorySnapshot {

  private final long cap;
  private final long used;
  private final long poolBytes;
  private final long poolLimit;
  private final long poolUsed;
  private final Map<String, Long> byKind = new LinkedHashMap<>();
  private final List<LedgerRow> leases;
  private final List<MemoryUse.Job> jobs = new ArrayList<>();
  private final List<MemoryUse.Reduce> reduces = new ArrayList<>();
  private final List<MemoryUse.Waiter> waiters = new ArrayList<>();
  private final long sortBuffer;
  private final long mapQuota;
  private final long borrowed;
  private final long reduceQuota;
  private final int runningMaps;
  private final boolean pressure;
  private final List<MemoryDecision> decisions;

  MemorySnapshot(
      MemoryState state,
      boolean pressure,
      long unitBytes,
      Ledger ledger,
      DecisionLog decisions,
      long now) {
    Quotas quotas = state.quotas();
    this.cap = ledger.cap();
    // Totals are sums of the rows: the ledger's own are of slightly different moments.
    this.leases = ledger.snapshot();
    this.poolBytes = state.central.whole() * unitBytes;
    this.poolLimit = state.total() * unitBytes;
    this.poolUsed = state.lent() * unitBytes;
    for (BufferKind kind : BufferKind.values()) {
      byKind.put(kind.name(), 0L);
    }
    for (LedgerRow row : leases) {
      byKind.merge(row.kind().name(), row.bytes(), Long::sum);
    }
    this.used = byKind.values().stream().mapToLong(Long::longValue).sum();
    for (JobAccount job : state.jobs()) {
      jobs.add(job(job, unitBytes));
    }
    for (ReduceMemory reduce : state.reduces.running()) {
      reduces.add(reduce(reduce, unitBytes));
    }
    for (Ticket ticket : state.waiting) {
      waiters.add(waiter(ticket, now));
    }
    this.sortBuffer = quotas.sortBuffer() * unitBytes;
    this.mapQuota = quotas.map() * unitBytes;
    this.borrowed = quotas.borrowed() * unitBytes;
    this.reduceQuota = quotas.reduce() * unitBytes;
    this.runningMaps = state.maps.running().size();
    this.pressure = pressure;
    this.decisions = decisions.recent();
  }

  /** Bytes that may be leased at any time, pool and all else. */
  public long getCap() {
    return cap;
  }

  /** Bytes leased, pool and all else. */
  public long getUsed() {
    return used;
  }

  public long getPoolBytes() {
    return poolBytes;
  }

  /** What may be lent of the pool now, less than all of it while other users are at work. */
  public long getPoolLimit() {
    return poolLimit;
  }

  public long getPoolUsed() {
    return poolUsed;
  }

  /** Bytes leased by name of {@link BufferKind}. */
  public Map<String, Long> getByKind() {
    return byKind;
  }

  /** Open leases, in no order; their sum is {@link #getUsed}. */
  public List<LedgerRow> getLeases() {
    return leases;
  }

  public List<MemoryUse.Job> getJobs() {
    return jobs;
  }

  public List<MemoryUse.Reduce> getReduces() {
    return reduces;
  }

  /** Requests that wait, oldest first. */
  public List<MemoryUse.Waiter> getWaiters() {
    return waiters;
  }

  /** SortBuf of equation 2. */
  public long getSortBuffer() {
    return sortBuffer;
  }

  /** The maps' quota, MRM of equation 2. */
  public long getMapQuota() {
    return mapQuota;
  }

  /** What maps hold beyond their quota. */
  public long getBorrowed() {
    return borrowed;
  }

  /** The reduces' quota, RRM of equation 2, less what maps have borrowed. */
  public long getReduceQuota() {
    return reduceQuota;
  }

  public int getRunningMaps() {
    return runningMaps;
  }

  /** Whether the pool is nearly full. */
  public boolean isPressure() {
    return pressure;
  }

  /** The last decisions, oldest first. */
  public List<MemoryDecision> getDecisions() {
    return decisions;
  }

  private static MemoryUse.Job job(JobAccount account, long unitBytes) {
    return new MemoryUse.Job(
        account.user,
        account.job,
        account.weight,
        account.maps,
        account.reduces,
        account.held(BufferKind.SORT) * unitBytes,
        account.held(BufferKind.SEND) * unitBytes,
        account.held(BufferKind.RECEIVE) * unitBytes,
        account.sortPeak * unitBytes);
  }

  private static MemoryUse.Reduce reduce(ReduceMemory reduce, long unitBytes) {
    return new MemoryUse.Reduce(
        reduce.receives().owner.attempt(),
        reduce.receives().held * unitBytes,
        reduce.quotaUnits * unitBytes,
        reduce.desiredUnits == ReduceMemory.ENDLESS ? -1 : reduce.desiredUnits * unitBytes);
  }

  private static MemoryUse.Waiter waiter(Ticket ticket, long now) {
    return new MemoryUse.Waiter(
        ticket.source.owner.attempt(),
        ticket.source.kind.name(),
        Math.max(0, TimeUnit.NANOSECONDS.toMillis(now - ticket.since)),
        ticket.passedByAny);
  }
}
