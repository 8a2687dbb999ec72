// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Least recently used, block by block on each node; everything is admitted. */
public final class LruPolicy implements ReplacementPolicy {

  private final Map<Integer, Set<CachedBlock>> nodes = new HashMap<>();

  @Override
  public String name() {
    return "lru";
  }

  @Override
  public Admission admit(DataSet set, long missing, long available) {
    return Admission.ALWAYS;
  }

  @Override
  public void hit(CachedBlock copy) {
    Set<CachedBlock> node = nodes.get(copy.node());
    node.remove(copy);
    node.add(copy);
  }

  @Override
  public void stored(CachedBlock copy) {
    nodes.computeIfAbsent(copy.node(), node -> new LinkedHashSet<>()).add(copy);
  }

  @Override
  public void removed(CachedBlock copy) {
    nodes.get(copy.node()).remove(copy);
  }

  @Override
  public List<CachedBlock> victims(DataSet newcomer, int node, long bytes) {
    List<CachedBlock> chosen = new ArrayList<>();
    long freed = 0;
    for (CachedBlock copy : nodes.getOrDefault(node, Set.of())) {
      if (freed >= bytes) {
        break;
      }
      if (!copy.dataSet().pinned()) {
        chosen.add(copy);
        freed += copy.bytes();
      }
    }
    return newcomer != null && freed < bytes ? List.of() : chosen;
  }
}
