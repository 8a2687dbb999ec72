// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import com.fasterxml.jackson.databind.JsonNode;

/** What a ResourceManager says of the nodes that run. Immutable. */
final class ClusterNodes {

  static final String PAGE = "/ws/v1/cluster/nodes?states=RUNNING";

  private final JsonNode nodes;

  /**
   * @param page as it answers {@link #PAGE}
   */
  ClusterNodes(JsonNode page) {
    nodes = page.path("nodes").path("node");
  }

  /**
   * Whether a node that runs, other than this one, has as much memory and as many cores. The
   * ResourceManager refuses jobs that ask for more than its largest node has.
   *
   * @param id as the ResourceManager calls the node
   */
  boolean hasAnotherAsLargeAs(String id) {
    long memory = 0;
    long cores = 0;
    for (JsonNode node : nodes) {
      if (node.path("id").asText().equals(id)) {
        memory = memory(node);
        cores = cores(node);
      }
    }
    for (JsonNode node : nodes) {
      boolean other = !node.path("id").asText().equals(id);
      if (other && memory(node) >= memory && cores(node) >= cores) {
        return true;
      }
    }
    return false;
  }

  private static long memory(JsonNode node) {
    return node.path("usedMemoryMB").asLong() + node.path("availMemoryMB").asLong();
  }

  private static long cores(JsonNode node) {
    return node.path("usedVirtualCores").asLong() + node.path("availableVirtualCores").asLong();
  }
}
