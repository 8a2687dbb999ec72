// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.master;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.TreeMap;
import org.mammoth.mpcache.master.MasterView;
import org.mammoth.mpcache.policy.Departure;
import org.mammoth.mpcache.space.SpaceReport;

/** The master's view as JSON. */
final class MasterJson {

  private MasterJson() {}

  /** Totals and slaves, without the names of data sets. */
  static ObjectNode report(MasterView view) {
    ObjectNode report = JsonNodeFactory.instance.objectNode();
    report.put("policy", view.policy());
    report.put("epoch", view.epoch());
    report.put("knownDataSets", view.knownSets());
    report.put("cachedDataSets", view.cachedSets());
    report.put("completeDataSets", view.completeSets());
    report.put("markedBytes", view.markedBytes());
    report.put("hits", view.hits());
    report.put("misses", view.misses());
    report.put("hitRate", rate(view.hits(), view.hits() + view.misses()));
    report.put("rounds", view.rounds());
    report.put("roundsComplete", view.roundsComplete());
    report.put("dataSetCompleteRate", rate(view.roundsComplete(), view.rounds()));
    ObjectNode refusals = report.putObject("refusals");
    view.refusals().forEach((reason, count) -> refusals.put(reason.name(), count));
    ObjectNode slaves = report.putObject("slaves");
    new TreeMap<>(view.slaves()).forEach((name, space) -> slaves.set(name, space(space)));
    return report;
  }

  private static ObjectNode space(SpaceReport space) {
    long blockBytes = space.shares().blockBytes();
    return JsonNodeFactory.instance
        .objectNode()
        .put("inputCapacity", space.inputCapacity())
        .put("inputUsed", space.inputUsed())
        .put("localizedCapacity", space.shares().localizedBytes() + space.lentBlocks() * blockBytes)
        .put("localizedUsed", space.localizedUsed())
        .put("pool", space.shares().poolBlocks() * blockBytes)
        .put("poolLent", space.lentBlocks() * blockBytes);
  }

  /**
   * One data set.
   *
   * @param nameSuccessor whether the caller may know which set displaced this one
   */
  static ObjectNode dataSet(MasterView.SetView set, boolean nameSuccessor) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("path", set.path())
            .put("blocks", set.blocks())
            .put("bytes", set.bytes())
            .put("cachedBlocks", set.cachedBlocks())
            .put("complete", set.complete())
            .put("copyBytes", set.copyBytes())
            .put("accesses", set.accesses())
            .put("hits", set.hits())
            .put("priority", set.priority())
            .put("pinned", set.pinned())
            .put("admission", set.admission().name());
    Departure departure = set.departure();
    if (departure != null) {
      ObjectNode why = node.putObject("departure").put("cause", departure.cause().name());
      if (nameSuccessor) {
        why.put("by", departure.by().path());
      }
    }
    return node;
  }

  private static double rate(long part, long all) {
    return all == 0 ? 0 : (double) part / all;
  }
}
