// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.live;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.console.model.DiskSample;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.read.ClusterView;

/**
 * Everything the page shows of one second, worked out once. Immutable.
 *
 * @param sequence grows by one with each
 * @param totals the cluster's row, by {@link NodeRow#COLUMNS}
 * @param uses what each job holds, by job
 * @param nodeUses the same on each node
 * @param attention groups of what needs attention, the worst first
 * @param concerned all nodes or jobs each group is about, by its cause
 * @param lost engines that ended while they ran tasks, as noticed so far, the latest last
 */
public record Moment(
    long sequence,
    ClusterView view,
    long[] totals,
    Map<String, NodeRow> rows,
    Map<String, JobUse> uses,
    Map<String, Map<String, JobUse>> nodeUses,
    List<Attention> attention,
    Map<String, List<String>> concerned,
    List<EngineLosses.Loss> lost) {

  /** Columns of a disk in history. */
  public static final List<String> DISK_COLUMNS =
      List.of(
          "active",
          "receive",
          "send",
          "sort",
          "held",
          "oldestMs",
          "writeRate",
          "readRate",
          "errors",
          "inFlight",
          "depth");

  /** Works out the moment of a view. */
  public static Moment of(long sequence, ClusterView view) {
    return of(sequence, view, List.of());
  }

  /**
   * The same.
   *
   * @param lost engines that are gone, as noticed so far
   */
  public static Moment of(long sequence, ClusterView view, List<EngineLosses.Loss> lost) {
    Map<String, NodeRow> rows = new LinkedHashMap<>();
    Map<String, JobUse> uses = new HashMap<>();
    Map<String, Map<String, JobUse>> nodeUses = new HashMap<>();
    for (NodeState node : view.nodes().values()) {
      rows.put(node.id(), NodeRow.of(node));
      Map<String, JobUse> own = JobUse.of(node);
      if (!own.isEmpty()) {
        nodeUses.put(node.id(), own);
        JobUse.add(uses, own);
      }
    }
    AttentionGroups groups = AttentionList.of(view, lost);
    return new Moment(
        sequence,
        view,
        Totals.of(rows.values()),
        rows,
        uses,
        nodeUses,
        groups.sorted(),
        groups.subjects(),
        lost);
  }

  /** Whether all engines of the cluster are known. */
  public boolean enginesTold() {
    return totals[NodeRow.column(NodeRow.ENGINES_UNTOLD)] == 0;
  }

  /** Whether a node is still to be read for the first time, as after a start of the console. */
  private static boolean expected(NodeState node) {
    return node.reach() == NodeState.Reach.NEW
        && (node.nodeManager() != null || node.dataNode() != null);
  }

  /**
   * The rows history keeps of this moment; no sums where no node answered, and none of a part of
   * the nodes while the others are read for the first time.
   */
  public Map<String, long[]> historyRows() {
    Map<String, long[]> history = new HashMap<>();
    if (view.nodes().values().stream().anyMatch(NodeState::current)
        && view.nodes().values().stream().noneMatch(Moment::expected)) {
      history.put("cluster", totals);
      uses.forEach((job, use) -> history.put("job|" + job, use.values()));
    }
    for (NodeState node : view.nodes().values()) {
      if (!node.current() && node.cache() == null) {
        continue;
      }
      history.put("node|" + node.id(), rows.get(node.id()).values());
      nodeUses
          .getOrDefault(node.id(), Map.of())
          .forEach((job, use) -> history.put("nodejob|" + node.id() + "|" + job, use.values()));
      if (node.sample() != null) {
        disks(node)
            .forEach((disk, values) -> history.put("disk|" + node.id() + "|" + disk, values));
      }
    }
    return history;
  }

  /** Each disk's queues, of all engines of the node together. */
  private static Map<String, long[]> disks(NodeState node) {
    Map<String, long[]> disks = new HashMap<>();
    for (EngineSample engine : node.sample().engines()) {
      for (DiskSample disk : engine.disks()) {
        long[] v = disks.computeIfAbsent(disk.name(), d -> new long[DISK_COLUMNS.size()]);
        v[0] += disk.depthOf("ACTIVE");
        v[1] += disk.depthOf("RECEIVE");
        v[2] += disk.depthOf("SEND");
        v[3] += disk.depthOf("SORT");
        v[4] += disk.heldBytes();
        v[5] = Math.max(v[5], disk.oldestAgeMs());
        v[6] += disk.rate("WRITE");
        v[7] += disk.rate("READ");
        v[8] += disk.errors();
        v[9] += disk.inFlight();
        v[10] += disk.depth();
      }
    }
    return disks;
  }
}
