// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The auxiliary facility of the mpCache paper (Wang et al. 2016, §3.3.1): identities of data sets
 * with access number, last access and distance, in memory. When it holds more than its bound, the
 * identity that was read longest ago and has nothing cached is forgotten.
 *
 * <p>Not thread-safe; guarded by its {@link ReplaceArbitrator}'s caller.
 */
public final class AdmissionFacility {

  private final int bound;
  private final Map<DataSetId, DataSet> sets = new LinkedHashMap<>(16, 0.75f, true);
  private long accesses;
  private long created;

  /**
   * @param bound identities to keep, at least 1; sets with cached blocks are kept beyond it
   */
  public AdmissionFacility(int bound) {
    if (bound < 1) {
      throw new IllegalArgumentException(
          "the admission facility must keep at least one data set, not "
              + bound
              + " (mammoth.mpcache.data-sets.max)");
    }
    this.bound = bound;
  }

  /** Counts one access to a set, recording it if it is new. */
  DataSet opened(DataSetId id) {
    DataSet set = recorded(id);
    set.opened(accesses++);
    return set;
  }

  /** The record of a set, made if need be, without counting an access. */
  DataSet recorded(DataSetId id) {
    DataSet set = sets.get(id);
    if (set == null) {
      set = new DataSet(id, created++);
      sets.put(id, set);
      if (sets.size() > bound) {
        forgetOldest(set);
      }
    }
    return set;
  }

  private void forgetOldest(DataSet justRecorded) {
    List<DataSetId> inUse = new ArrayList<>();
    DataSetId oldest = null;
    for (DataSet set : sets.values()) {
      if (!set.cached() && set != justRecorded) {
        oldest = set.id();
        break;
      }
      inUse.add(set.id());
    }
    if (oldest != null) {
      sets.remove(oldest);
      // Passed over once, they are not passed over again at the next newcomer.
      inUse.forEach(sets::get);
    }
  }

  /** The record of a set, or null. */
  public DataSet find(DataSetId id) {
    return sets.get(id);
  }

  /** Accesses to any data set so far. */
  public long accesses() {
    return accesses;
  }

  /** Every recorded set. */
  public Collection<DataSet> all() {
    return Collections.unmodifiableCollection(sets.values());
  }
}
