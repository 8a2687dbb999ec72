// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.heap;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.mammoth.engine.admission.HeapEstimate;
import org.mammoth.engine.admission.HeapShares;
import org.mammoth.engine.admission.HeapUse;

/**
 * The tasks that share the heap, and what is observed of what each holds: its threads' allocation
 * and the JVM's samples. Thread-safe, but for {@link #estimate}, which is one thread's.
 */
public final class HeapHolders {

  /** What tasks held so long ago is taken into account. */
  static final long STANDS_MS = 5_000;

  /** Who allocated what is alive; see {@link HeapSampler}. */
  interface Samples {
    /** Begins to count, which takes minutes in a heap that has no room for the counting. */
    Future<Map<String, Long>> of(Collection<String> tasks);
  }

  /** One task. */
  private static final class Watched {
    private final AllocationMeter meter = new AllocationMeter();

    /** What lived when it began, as far as it may live still. */
    private long foundBytes;

    Watched(long foundBytes) {
      this.foundBytes = foundBytes;
    }
  }

  private final LongSupplier nanos;

  @GuardedBy("itself")
  private final Map<HeapTenant, Watched> tenants = new LinkedHashMap<>();

  private volatile Samples samples = tasks -> CompletableFuture.completedFuture(Map.of());

  /** What each was last taken to hold; of the estimating thread. */
  private final Map<String, HeapEstimate> seen = new HashMap<>();

  private long seenNanos;

  /**
   * @param nanos as {@link System#nanoTime}
   */
  HeapHolders(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** From now on the JVM's samples are read. */
  void read(Samples from) {
    samples = from;
  }

  /** A task has threads from now on, in a heap of which so much is alive. */
  void began(HeapTenant tenant, long liveBytes) {
    synchronized (tenants) {
      tenants.put(tenant, new Watched(liveBytes));
    }
  }

  /** A task's last thread is gone. */
  void ended(HeapTenant tenant) {
    synchronized (tenants) {
      tenants.remove(tenant);
    }
  }

  /** A full collection has left so much; returns whether no task was there. */
  boolean collected(long liveBytes) {
    synchronized (tenants) {
      for (Watched watched : tenants.values()) {
        watched.foundBytes = Math.min(watched.foundBytes, liveBytes);
      }
      return tenants.isEmpty();
    }
  }

  /** The task of this name, if it is there. */
  Optional<HeapTenant> find(String name) {
    synchronized (tenants) {
      return tenants.keySet().stream().filter(tenant -> tenant.name().equals(name)).findFirst();
    }
  }

  /** Begins to count live samples by task. */
  Future<Map<String, Long>> count() {
    return samples.of(uses(Map.of()).stream().map(HeapUse::task).toList());
  }

  /**
   * What is observed of each task; takes note of what its threads have allocated before they end.
   *
   * @param counts of its samples, absent if 0
   */
  List<HeapUse> uses(Map<String, Long> counts) {
    Map<HeapTenant, Watched> all;
    synchronized (tenants) {
      all = new LinkedHashMap<>(tenants);
    }
    List<HeapUse> uses = new ArrayList<>();
    all.forEach(
        (tenant, watched) ->
            uses.add(
                new HeapUse(
                    tenant.name(),
                    tenant.promisedBytes(),
                    watched.meter.look(tenant.heapThreads()),
                    counts.getOrDefault(tenant.name(), 0L),
                    found(watched))));
    return uses;
  }

  private long found(Watched watched) {
    synchronized (tenants) {
      return watched.foundBytes;
    }
  }

  /** How long ago holders were last estimated. */
  long msSinceEstimate() {
    return TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - seenNanos);
  }

  /**
   * Who holds how much, with what was seen some seconds ago of what has gone since.
   *
   * @param tasksBytes what is alive of all tasks together
   */
  List<HeapEstimate> estimate(Map<String, Long> counts, long tasksBytes) {
    long others = counts.getOrDefault(HeapSampler.OTHERS, 0L);
    List<HeapEstimate> now = HeapShares.divide(uses(counts), Math.max(0, tasksBytes), others);
    if (msSinceEstimate() > STANDS_MS) {
      seen.clear();
    }
    List<HeapEstimate> most = new ArrayList<>();
    for (HeapEstimate estimate : now) {
      HeapEstimate before = seen.get(estimate.task());
      most.add(before != null && before.bytes() > estimate.bytes() ? before : estimate);
    }
    seen.clear();
    most.forEach(estimate -> seen.put(estimate.task(), estimate));
    seenNanos = nanos.getAsLong();
    return most;
  }
}
