// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** What a ResourceManager says of the nodes that run. Immutable. */
final class ClusterNodes {

  private static final int MEMORY_AND_CORES = 2;

  static final String PAGE = "/ws/v1/cluster/nodes?states=RUNNING";

  /**
   * What a node offers.
   *
   * @param memoryMb MiB
   */
  record Size(long memoryMb, long cores) {}

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
    Size size = find(id).map(ClusterNodes::size).orElse(new Size(0, 0));
    for (JsonNode node : nodes) {
      boolean other = !node.path("id").asText().equals(id);
      if (other && memory(node) >= size.memoryMb() && cores(node) >= size.cores()) {
        return true;
      }
    }
    return false;
  }

  /**
   * What a node offers; empty if it does not run, or offers more than memory and cores, which
   * cannot be told to the ResourceManager in the same way.
   */
  Optional<Size> sizeToRemember(String id) {
    return find(id)
        .filter(
            node ->
                node.path("totalResource")
                        .path("resourceInformations")
                        .path("resourceInformation")
                        .size()
                    <= MEMORY_AND_CORES)
        .map(ClusterNodes::size);
  }

  private Optional<JsonNode> find(String id) {
    for (JsonNode node : nodes) {
      if (node.path("id").asText().equals(id)) {
        return Optional.of(node);
      }
    }
    return Optional.empty();
  }

  private static Size size(JsonNode node) {
    return new Size(memory(node), cores(node));
  }

  private static long memory(JsonNode node) {
    return node.path("usedMemoryMB").asLong() + node.path("availMemoryMB").asLong();
  }

  private static long cores(JsonNode node) {
    return node.path("usedVirtualCores").asLong() + node.path("availableVirtualCores").asLong();
  }
}
