// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.config;

import java.util.List;
import org.mammoth.mpcache.policy.DataSetId;

/**
 * Which data sets may be cached and which are pinned. A set may be cached if it lies under an
 * included path and under no excluded one that is more specific; a tie excludes.
 *
 * @param include paths; empty means all
 * @param exclude paths
 * @param pin paths whose sets are admitted always and never displaced
 */
public record PathRules(List<DataSetId> include, List<DataSetId> exclude, List<DataSetId> pin) {

  /** Everything may be cached, nothing is pinned. */
  public static final PathRules ALL = new PathRules(List.of(), List.of(), List.of());

  public PathRules {
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
    pin = List.copyOf(pin);
  }

  /** Whether blocks of a set may be stored. */
  public boolean cacheable(DataSetId set) {
    int included = include.isEmpty() ? 0 : deepest(include, set);
    return included >= 0 && included > deepest(exclude, set);
  }

  /** Whether a set is pinned. */
  public boolean pinned(DataSetId set) {
    return deepest(pin, set) >= 0;
  }

  /** Length of the longest path above the set, or -1. */
  private static int deepest(List<DataSetId> paths, DataSetId set) {
    int deepest = -1;
    for (DataSetId path : paths) {
      if (set.isUnder(path)) {
        deepest = Math.max(deepest, path.path().length());
      }
    }
    return deepest;
  }
}
