// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.faults;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mammoth.compat.faults.TotalsRun.Shape;

/**
 * What {@link SharedMemoryIT} shows of a job of four times the memory, with eight times the memory:
 * what an engine takes beside its ledger does not grow with it. A class of its own, as two clusters
 * at once in one JVM take each other's containers for old ones.
 */
@Tag("long")
class LargerMemoryIT {

  @Test
  void dataOfFourTimesTheMemory() throws Exception {
    Map<String, String> larger = new HashMap<>(SharedMemoryIT.ONE_NODE);
    larger.put("mammoth.memory.pool-fraction", "0.032");
    try (FaultCluster node = FaultCluster.start("larger-memory", larger, List.of(Map.of()))) {
      SharedMemoryIT.sortsFourTimesTheMemory(node, new Shape(24, 2, 200_000, 20_000, 100));
    }
  }
}
