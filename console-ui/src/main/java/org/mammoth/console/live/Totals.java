package org.mammoth.console.live;

import java.util.Collection;

/** Adds the rows of nodes up to the cluster's. */
final class Totals {

  private Totals() {}

  static long[] of(Collection<NodeRow> rows) {
    long[] totals = new long[NodeRow.COLUMNS.size()];
    for (NodeRow row : rows) {
      for (int i = 0; i < totals.length; i++) {
        totals[i] =
            NodeRow.MAXIMA.contains(NodeRow.COLUMNS.get(i))
                ? Math.max(totals[i], row.values()[i])
                : totals[i] + row.values()[i];
      }
    }
    return totals;
  }
}
