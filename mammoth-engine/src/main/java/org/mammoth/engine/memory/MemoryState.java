// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mammoth.engine.config.ReduceSplit;
import org.mammoth.engine.memory.CentralMemoryManager.Quotas;

/**
 * Who holds what of the cache pool, and what follows from it. Plain data without a lock: the
 * scheduler guards it. All amounts are units.
 */
final class MemoryState {

  final CentralMemoryManager central;
  final MapMemoryManager maps;
  final ReduceMemoryManager reduces;
  final Map<String, JobAccount> jobs = new LinkedHashMap<>();
  final Set<PooledSource> sources = new LinkedHashSet<>();
  final List<Ticket> waiting = new ArrayList<>();
  private final long[] used = new long[BufferKind.values().length];
  private long lent;

  /** Spare units that are being written at this moment: they come back, but not at once. */
  long writing;

  MemoryState(long total, int guaranteedUnits, ReduceSplit split) {
    this.central = new CentralMemoryManager(total);
    this.maps = new MapMemoryManager(central, guaranteedUnits);
    this.reduces = new ReduceMemoryManager(split);
  }

  /** What may be lent now. */
  long total() {
    return central.total();
  }

  long lent() {
    return lent;
  }

  /** What may still be lent; less than 0 after the limit shrank below what is lent. */
  long free() {
    return total() - lent - writing;
  }

  /** Units lent beyond the limit. */
  long beyondLimit() {
    return Math.max(0, lent - total());
  }

  long used(BufferKind kind) {
    return used[kind.ordinal()];
  }

  /** Adds {@code units}, or takes them away. */
  void charge(PooledSource source, long units) {
    source.held += units;
    source.peak = Math.max(source.peak, source.held);
    source.job.charge(source.kind, units);
    used[source.kind.ordinal()] += units;
    lent += units;
    if (units < 0) {
      source.returned -= units;
      source.promised = Math.max(0, source.promised + units);
    }
  }

  JobAccount job(LeaseOwner owner, double weight) {
    JobAccount account = jobs.computeIfAbsent(owner.job(), j -> new JobAccount(owner.user(), j));
    if (account.weight != weight) {
      account.weight = weight;
      reduces.changed();
    }
    return account;
  }

  Collection<JobAccount> jobs() {
    return jobs.values();
  }

  /** The formulas applied now, and the reduces' part divided. */
  Quotas quotas() {
    Quotas quotas =
        central.quotas(maps.sortBuffer(jobs()), used(BufferKind.SORT), used(BufferKind.SEND));
    reduces.divide(quotas.reduce());
    return quotas;
  }

  /** What is kept free for sort buffers: what peaks foresee and running maps have not taken. */
  long sortReserve(Quotas quotas) {
    return Math.max(0, quotas.sortBuffer() - used(BufferKind.SORT));
  }

  /** Units of the pool for each running reduce, whatever maps hold of them now. */
  long roomOfReduce() {
    return total() / Math.max(1, reduces.running().size());
  }

  /** Quota of the reduce behind a receive buffer; 0 if it has ended. */
  long quotaOf(PooledSource receive) {
    for (ReduceMemory reduce : reduces.running()) {
      if (reduce.receives() == receive) {
        return reduce.quotaUnits;
      }
    }
    return 0;
  }

  /**
   * How far a job exceeds its share by weight, as a part of the pool; negative if it holds less.
   */
  double overShare(JobAccount job) {
    double weights = 0;
    for (JobAccount other : jobs()) {
      weights += other.active() ? other.weight : 0;
    }
    double share = weights == 0 ? 0 : job.weight / weights;
    return (double) job.held() / total() - share;
  }
}
