package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random interleavings of tasks, jobs, kills and failures on nodes of random size. The long form:
 * run Maven with {@code -Dtest.heap="1200m -Dmammoth.memory.steps=1000000"}; a seed that failed is
 * given by {@code -Dmammoth.memory.seed=N} in the same place.
 */
class SchedulerSimulationTest {

  private static final int STEPS_PER_NODE = 2_000;

  @Test
  void booksBalanceQuotasFollowTheFormulasAndNobodyWaitsForEver() {
    long steps = Long.getLong("mammoth.memory.steps", 60_000);
    long seed = Long.getLong("mammoth.memory.seed", System.nanoTime());
    long longestWait = 0;
    long nodes = 0;
    for (long done = 0; done < steps; done += STEPS_PER_NODE) {
      // Each node has a seed of its own, so that a failure can be had again alone.
      long nodeSeed = seed + done;
      nodes++;
      try {
        longestWait = Math.max(longestWait, run(nodeSeed));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "failed; see it again with -Dmammoth.memory.steps="
                + STEPS_PER_NODE
                + " -Dmammoth.memory.seed="
                + nodeSeed,
            e);
      }
    }
    System.out.println(
        "seed "
            + seed
            + ": "
            + nodes
            + " nodes of "
            + STEPS_PER_NODE
            + " steps, longest wait of a map "
            + longestWait
            + " steps");
    assertThat(nodes * STEPS_PER_NODE).isGreaterThanOrEqualTo(steps);
  }

  private static long run(long seed) {
    SimulatedNode node = new SimulatedNode(new Random(seed));
    for (int i = 0; i < STEPS_PER_NODE; i++) {
      node.step();
    }
    node.finish();
    node.close();
    return node.longestWait();
  }
}
