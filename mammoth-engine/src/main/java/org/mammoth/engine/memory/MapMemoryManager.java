// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The lower level for running maps: how many there are, what they are guaranteed and what they are
 * expected to need. Guarded by the scheduler's lock; amounts are units.
 */
final class MapMemoryManager {

  private final CentralMemoryManager central;
  private final int guaranteedUnits;
  private final Set<MapMemory> running = new LinkedHashSet<>();

  MapMemoryManager(CentralMemoryManager central, int guaranteedUnits) {
    this.central = central;
    this.guaranteedUnits = guaranteedUnits;
  }

  void register(MapMemory map) {
    running.add(map);
    map.job().maps++;
  }

  /** Ends a map and keeps its peak. Does nothing for one that has ended. */
  boolean unregister(MapMemory map) {
    if (!running.remove(map)) {
      return false;
    }
    JobAccount job = map.job();
    job.maps--;
    job.sortPeak = Math.max(job.sortPeak, map.sorts().peak);
    return true;
  }

  Collection<MapMemory> running() {
    return running;
  }

  /** Units each running map can always get: the configured number while the pool holds as many. */
  long guaranteed() {
    return running.isEmpty() ? 0 : Math.min(guaranteedUnits, central.total() / running.size());
  }

  /** What running maps have not taken of their guaranteed minimum; nobody else may take it. */
  long untakenGuarantee() {
    long guaranteed = guaranteed();
    long untaken = 0;
    for (MapMemory map : running) {
      untaken += Math.max(0, guaranteed - map.sorts().held);
    }
    return untaken;
  }

  /**
   * SortBuf of equation 2, by job: the peak of a job says nothing about the maps of another. With
   * one job it is the paper's.
   */
  long sortBuffer(Collection<JobAccount> jobs) {
    long sum = 0;
    for (JobAccount job : jobs) {
      sum += job.sortPeak > 0 ? job.sortPeak * job.maps : job.held(BufferKind.SORT);
    }
    return sum;
  }

  /** Whether some running map's job has no peak yet, so that its needs are not known. */
  boolean unknownNeeds(Collection<JobAccount> jobs) {
    for (JobAccount job : jobs) {
      if (job.maps > 0 && job.sortPeak == 0) {
        return true;
      }
    }
    return false;
  }
}
