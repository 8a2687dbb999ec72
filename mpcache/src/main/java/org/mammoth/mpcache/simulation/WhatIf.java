// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.simulation;

import java.util.List;
import java.util.Set;

/** One run of a trace under another policy or size, with the defaults of everything else. */
public final class WhatIf {

  private WhatIf() {}

  /** The policies there are, by the names figures use. */
  public static Set<String> policies() {
    return PaperFigures.policies().keySet();
  }

  /**
   * Runs a trace; the work is in proportion to the blocks of all its jobs.
   *
   * @param trace at least one job
   * @param policy one of {@link #policies}
   * @param cacheGiB SSD space of each slave
   * @param slaves at least 1
   */
  public static SimulationResult run(
      List<TraceJob> trace, String policy, double cacheGiB, int slaves) {
    return new Simulator(
            SimulatedCluster.of(slaves, cacheGiB),
            PaperFigures.policies().get(policy),
            CostModel.PAPER)
        .run(trace, 0);
  }
}
