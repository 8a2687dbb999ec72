// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.master;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.mammoth.api.status.CacheDataSets;
import org.mammoth.api.status.CacheReport;
import org.mammoth.api.status.CacheSpace;
import org.mammoth.hdfs.rpc.Spaces;
import org.mammoth.mpcache.master.MasterView;
import org.mammoth.mpcache.policy.Departure;

/** The master's view as records that are JSON. */
final class MasterJson {

  private MasterJson() {}

  /** Totals and slaves, without the names of data sets. */
  static CacheReport report(MasterView view) {
    Map<String, Long> refusals = new LinkedHashMap<>();
    view.refusals().forEach((reason, count) -> refusals.put(reason.name(), count));
    Map<String, CacheSpace> slaves = new TreeMap<>();
    view.slaves().forEach((name, space) -> slaves.put(name, Spaces.of(space, false)));
    return new CacheReport(
        view.policy(),
        view.epoch(),
        view.knownSets(),
        view.cachedSets(),
        view.completeSets(),
        view.markedBytes(),
        view.hits(),
        view.misses(),
        rate(view.hits(), view.hits() + view.misses()),
        view.rounds(),
        view.roundsComplete(),
        rate(view.roundsComplete(), view.rounds()),
        refusals,
        slaves);
  }

  /**
   * One data set.
   *
   * @param nameSuccessor whether the caller may know which set displaced this one
   */
  static CacheDataSets.DataSet dataSet(MasterView.SetView set, boolean nameSuccessor) {
    Departure departure = set.departure();
    return new CacheDataSets.DataSet(
        set.path(),
        set.blocks(),
        set.bytes(),
        set.cachedBlocks(),
        set.complete(),
        set.copyBytes(),
        set.accesses(),
        set.hits(),
        set.priority(),
        set.pinned(),
        set.admission().name(),
        departure == null
            ? null
            : new CacheDataSets.Departure(
                departure.cause().name(), nameSuccessor ? departure.by().path() : null));
  }

  private static double rate(long part, long all) {
    return all == 0 ? 0 : (double) part / all;
  }
}
