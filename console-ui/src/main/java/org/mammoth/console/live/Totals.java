// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.live;

import java.util.Collection;
import org.mammoth.console.model.Figures;

/**
 * Adds the rows of nodes up to the cluster's. What no node tells is unknown; of how many nodes that
 * should tell a sum is without, its columns "enginesUntold" and "cacheUntold" say.
 */
final class Totals {

  private Totals() {}

  static long[] of(Collection<NodeRow> rows) {
    long[] totals = Figures.unknown(NodeRow.COLUMNS.size());
    for (NodeRow row : rows) {
      for (int i = 0; i < totals.length; i++) {
        totals[i] =
            NodeRow.MAXIMA.contains(NodeRow.COLUMNS.get(i))
                ? Figures.max(totals[i], row.values()[i])
                : Figures.sum(totals[i], row.values()[i]);
      }
    }
    return totals;
  }
}
