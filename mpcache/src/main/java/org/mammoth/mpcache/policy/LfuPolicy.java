// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Least frequently used, block by block on each node, the longest unused among equals; everything
 * is admitted. Frequency is counted since the block was stored, or, if the policy remembers, begins
 * with the accesses of its data set that the admission facility has on record.
 */
public final class LfuPolicy implements ReplacementPolicy {

  private static final class Use {
    final CachedBlock copy;
    long count;
    long last;

    Use(CachedBlock copy) {
      this.copy = copy;
    }
  }

  private static final class Node {
    final Map<CachedBlock, Use> uses = new HashMap<>();
    final TreeSet<Use> order =
        new TreeSet<>(
            Comparator.comparingLong((Use use) -> use.count).thenComparingLong(use -> use.last));
  }

  private final boolean remembers;
  private final Map<Integer, Node> nodes = new HashMap<>();
  private long now;

  /**
   * @param remembers whether frequency outlives eviction
   */
  public LfuPolicy(boolean remembers) {
    this.remembers = remembers;
  }

  @Override
  public String name() {
    return remembers ? "lfu-history" : "lfu";
  }

  @Override
  public Admission admit(DataSet set, long missing, long available) {
    return Admission.ALWAYS;
  }

  @Override
  public void hit(CachedBlock copy) {
    Node node = nodes.get(copy.node());
    Use use = node.uses.get(copy);
    node.order.remove(use);
    use.count++;
    use.last = now++;
    node.order.add(use);
  }

  @Override
  public void stored(CachedBlock copy) {
    Node node = nodes.computeIfAbsent(copy.node(), number -> new Node());
    Use use = new Use(copy);
    use.count = remembers ? Math.max(1, copy.dataSet().accesses()) : 1;
    use.last = now++;
    node.uses.put(copy, use);
    node.order.add(use);
  }

  @Override
  public void removed(CachedBlock copy) {
    Node node = nodes.get(copy.node());
    node.order.remove(node.uses.remove(copy));
  }

  @Override
  public List<CachedBlock> victims(DataSet newcomer, int node, long bytes) {
    List<CachedBlock> chosen = new ArrayList<>();
    long freed = 0;
    Node there = nodes.get(node);
    if (there != null) {
      for (Use use : there.order) {
        if (freed >= bytes) {
          break;
        }
        if (!use.copy.dataSet().pinned()) {
          chosen.add(use.copy);
          freed += use.copy.bytes();
        }
      }
    }
    return newcomer != null && freed < bytes ? List.of() : chosen;
  }
}
