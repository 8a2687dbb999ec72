// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mammoth.engine.config.ReduceSplit;

/**
 * The lower level for running reduces: divides their part of the pool among them. Guarded by the
 * scheduler's lock; amounts are units.
 */
final class ReduceMemoryManager {

  private final ReduceSplit split;
  private final Set<ReduceMemory> running = new LinkedHashSet<>();
  private long divided = -1;

  ReduceMemoryManager(ReduceSplit split) {
    this.split = split;
  }

  void register(ReduceMemory reduce) {
    running.add(reduce);
    reduce.job().reduces++;
    divided = -1;
  }

  boolean unregister(ReduceMemory reduce) {
    if (!running.remove(reduce)) {
      return false;
    }
    reduce.job().reduces--;
    reduce.quotaUnits = 0;
    divided = -1;
    return true;
  }

  Collection<ReduceMemory> running() {
    return running;
  }

  /** A demand or a weight changed. */
  void changed() {
    divided = -1;
  }

  /** What counts as the demand of a reduce, in units. */
  private long demand(ReduceMemory reduce) {
    return split == ReduceSplit.EVEN ? ReduceMemory.ENDLESS : reduce.desiredUnits;
  }

  /** Sets the quota of each running reduce so that they add up to {@code quota}. */
  void divide(long quota) {
    if (divided == quota) {
      return;
    }
    divided = quota;
    Map<JobAccount, List<ReduceMemory>> byJob = new LinkedHashMap<>();
    for (ReduceMemory reduce : running) {
      byJob.computeIfAbsent(reduce.job(), j -> new ArrayList<>()).add(reduce);
    }
    double[] weights = new double[byJob.size()];
    long[] demands = new long[byJob.size()];
    List<long[]> reduceDemands = new ArrayList<>();
    int i = 0;
    for (Map.Entry<JobAccount, List<ReduceMemory>> job : byJob.entrySet()) {
      long[] each = job.getValue().stream().mapToLong(this::demand).toArray();
      reduceDemands.add(each);
      weights[i] = job.getKey().weight;
      demands[i++] = Arrays.stream(each).sum();
    }
    long[] jobParts = WeightedFill.fill(quota, weights, demands);
    i = 0;
    for (List<ReduceMemory> reduces : byJob.values()) {
      double[] even = new double[reduces.size()];
      Arrays.fill(even, 1);
      long[] parts = WeightedFill.fill(jobParts[i], even, reduceDemands.get(i));
      for (int r = 0; r < parts.length; r++) {
        reduces.get(r).quotaUnits = parts[r];
      }
      i++;
    }
  }
}
