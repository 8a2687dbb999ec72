// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private final List<JobRow> jobs = new ArrayList<>();
  private final List<ReduceRow> reduces = new ArrayList<>();
  private final List<WaiterRow> waiters = new ArrayList<>();
  private final long sortBuffer;
  private final long mapQuota;
  private final long borrowed;
  private final long reduceQuota;
  private final int runningMaps;
  private final boolean pressure;
  private final List<MemoryDecision> decisions;

  MemorySnapshot(
      MemoryState state, boolean pressure, long unitBytes, Ledger ledger, DecisionLog decisions) {
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
      jobs.add(new JobRow(job, unitBytes));
    }
    for (ReduceMemory reduce : state.reduces.running()) {
      reduces.add(new ReduceRow(reduce, unitBytes));
    }
    for (Ticket ticket : state.waiting) {
      waiters.add(new WaiterRow(ticket));
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

  public List<JobRow> getJobs() {
    return jobs;
  }

  public List<ReduceRow> getReduces() {
    return reduces;
  }

  /** Requests that wait, oldest first. */
  public List<WaiterRow> getWaiters() {
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

  /** One job of the node. */
  public static final class JobRow {

    private final String user;
    private final String job;
    private final double weight;
    private final int maps;
    private final int reduces;
    private final long sort;
    private final long send;
    private final long receive;
    private final long sortPeak;

    JobRow(JobAccount account, long unitBytes) {
      this.user = account.user;
      this.job = account.job;
      this.weight = account.weight;
      this.maps = account.maps;
      this.reduces = account.reduces;
      this.sort = account.held(BufferKind.SORT) * unitBytes;
      this.send = account.held(BufferKind.SEND) * unitBytes;
      this.receive = account.held(BufferKind.RECEIVE) * unitBytes;
      this.sortPeak = account.sortPeak * unitBytes;
    }

    public String getUser() {
      return user;
    }

    public String getJob() {
      return job;
    }

    public double getWeight() {
      return weight;
    }

    public int getMaps() {
      return maps;
    }

    public int getReduces() {
      return reduces;
    }

    public long getSort() {
      return sort;
    }

    public long getSend() {
      return send;
    }

    public long getReceive() {
      return receive;
    }

    /** Largest sort buffer of a map that has ended, 0 until one has. */
    public long getSortPeak() {
      return sortPeak;
    }
  }

  /** One running reduce. */
  public static final class ReduceRow {

    private final String attempt;
    private final long used;
    private final long quota;
    private final long desired;

    ReduceRow(ReduceMemory reduce, long unitBytes) {
      this.attempt = reduce.receives().owner.attempt();
      this.used = reduce.receives().held * unitBytes;
      this.quota = reduce.quotaUnits * unitBytes;
      this.desired =
          reduce.desiredUnits == ReduceMemory.ENDLESS ? -1 : reduce.desiredUnits * unitBytes;
    }

    public String getAttempt() {
      return attempt;
    }

    public long getUsed() {
      return used;
    }

    public long getQuota() {
      return quota;
    }

    /** What it said it wants; -1 if it said nothing. */
    public long getDesired() {
      return desired;
    }
  }

  /** One waiting request. */
  public static final class WaiterRow {

    private final String attempt;
    private final String kind;
    private final long sinceNanos;
    private final int passedBy;

    WaiterRow(Ticket ticket) {
      this.attempt = ticket.source.owner.attempt();
      this.kind = ticket.source.kind.name();
      this.sinceNanos = ticket.since;
      this.passedBy = ticket.passedByAny;
    }

    public String getAttempt() {
      return attempt;
    }

    public String getKind() {
      return kind;
    }

    /** When it began to wait, by the scheduler's clock. */
    public long getSinceNanos() {
      return sinceNanos;
    }

    /** How many requests were served since. */
    public int getPassedBy() {
      return passedBy;
    }
  }
}
