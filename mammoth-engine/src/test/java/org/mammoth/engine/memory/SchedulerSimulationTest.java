// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
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
    Map<BufferKind, Long> longestWaits = new EnumMap<>(BufferKind.class);
    Map<String, Long> rules = new TreeMap<>();
    long nodes = 0;
    for (long done = 0; done < steps; done += STEPS_PER_NODE) {
      // Each node has a seed of its own, so that a failure can be had again alone.
      long nodeSeed = seed + done;
      nodes++;
      try {
        run(nodeSeed, longestWaits, rules);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "failed; see it again with -Dmammoth.memory.steps="
                + STEPS_PER_NODE
                + " -Dmammoth.memory.seed="
                + nodeSeed,
            e);
      }
    }
    System.out.printf(
        "seed %d: %d nodes of %d steps, longest waits in steps %s, decisions seen %s%n",
        seed, nodes, STEPS_PER_NODE, longestWaits, rules);
    // A simulation that never waits or never revokes would prove nothing.
    assertThat(rules)
        .containsKeys(
            "WAIT NO_ROOM",
            "WAIT QUOTA",
            "GRANT GUARANTEED",
            "REVOKE PRIORITY",
            "REVOKE OWN_QUOTA",
            "MOVE HANDED_OVER");
  }

  private static void run(long seed, Map<BufferKind, Long> longestWaits, Map<String, Long> rules) {
    SimulatedNode node = new SimulatedNode(new Random(seed), longestWaits);
    for (int i = 0; i < STEPS_PER_NODE; i++) {
      node.step();
    }
    node.countRules(rules);
    node.finish();
    node.countRules(rules);
    node.close();
  }
}
