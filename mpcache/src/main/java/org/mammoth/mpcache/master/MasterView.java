// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.master;

import java.util.List;
import java.util.Map;
import org.mammoth.mpcache.policy.Admission;
import org.mammoth.mpcache.policy.DataSet;
import org.mammoth.mpcache.policy.Departure;
import org.mammoth.mpcache.space.SpaceReport;

/**
 * The cache at one moment, for people.
 *
 * @param policy name of the replacement policy
 * @param epoch of this master
 * @param knownSets data sets on record
 * @param cachedSets those with at least one block cached
 * @param completeSets those wholly cached
 * @param markedBytes copies that have left the cache, on slaves that were not told yet (To_Del)
 * @param hits block reads the slaves served from SSD since this master began
 * @param misses block reads they did not
 * @param roundsComplete reads of whole data sets that began with every block cached
 * @param rounds reads of whole data sets
 * @param refusals rounds that were not admitted, by reason
 * @param slaves each slave's allocation
 * @param sets the cached data sets, the largest first
 * @param absent sets of which nothing is cached, those read last first, at most {@link #ABSENT}
 */
public record MasterView(
    String policy,
    long epoch,
    int knownSets,
    int cachedSets,
    int completeSets,
    long markedBytes,
    long hits,
    long misses,
    long roundsComplete,
    long rounds,
    Map<Admission, Long> refusals,
    Map<String, SpaceReport> slaves,
    List<SetView> sets,
    List<SetView> absent) {

  /** Most sets without a copy that are told. */
  public static final int ABSENT = 200;

  /**
   * One data set.
   *
   * @param path its identity
   * @param blocks its size
   * @param bytes its size
   * @param cachedBlocks blocks with at least one copy
   * @param copyBytes bytes of all copies
   * @param accesses rounds of reads
   * @param hits reads of a cached block
   * @param priority by which it stays, 0 if the policy ranks no sets
   * @param pinned whether it is pinned
   * @param admission what the running, or last, round was told
   * @param departure why copies of it last left; null if none has
   */
  public record SetView(
      String path,
      int blocks,
      long bytes,
      int cachedBlocks,
      long copyBytes,
      long accesses,
      long hits,
      double priority,
      boolean pinned,
      Admission admission,
      Departure departure) {

    static SetView of(DataSet set) {
      return new SetView(
          set.id().path(),
          set.sizeBlocks(),
          set.sizeBytes(),
          set.cachedBlocks(),
          set.copyBytes(),
          set.accesses(),
          set.hits(),
          set.priority(),
          set.pinned(),
          set.admission(),
          set.departure());
    }

    public boolean complete() {
      return cachedBlocks >= blocks;
    }
  }
}
