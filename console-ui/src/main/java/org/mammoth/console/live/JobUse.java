// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.live;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.console.model.BufferKinds;
import org.mammoth.console.model.ElementSample;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.MemorySample.Lease;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.model.TaskSample;

/**
 * What a job holds, over all nodes or on one, in bytes.
 *
 * @param values by the names of {@link #COLUMNS}
 */
public record JobUse(String job, String user, long[] values) {

  /** Columns of {@link #values}; a new one goes to the end, as history counts them. */
  public static final List<String> COLUMNS =
      List.of(
          "element",
          "sort",
          "send",
          "receive",
          "io",
          "dataCache",
          "maps",
          "reduces",
          "nodes",
          "total");

  private static final int MAPS = COLUMNS.indexOf("maps");
  private static final int REDUCES = COLUMNS.indexOf("reduces");
  private static final int NODES = COLUMNS.indexOf("nodes");
  private static final int TOTAL = COLUMNS.indexOf("total");

  static Map<String, JobUse> of(NodeState node) {
    Map<String, JobUse> uses = new HashMap<>();
    if (node.sample() == null) {
      return uses;
    }
    for (EngineSample engine : node.sample().engines()) {
      for (Lease lease : engine.memory().leases()) {
        int kind = BufferKinds.NAMES.indexOf(lease.kind());
        // All elements are one lease of the engine's own; the jobs' shares of it come below.
        if (kind > 0 && !lease.job().isEmpty()) {
          use(uses, lease.job(), lease.user())[kind] += lease.bytes();
        }
      }
      for (ElementSample.Share share : engine.elements().shares()) {
        if (!share.job().isEmpty()) {
          use(uses, share.job(), "")[0] += share.slabs() * engine.elements().slab();
        }
      }
      for (TaskSample task : engine.tasks()) {
        if (!task.job().isEmpty() && !task.type().isEmpty()) {
          use(uses, task.job(), task.user())[task.type().equals("MAP") ? MAPS : REDUCES]++;
        }
      }
    }
    for (JobUse use : uses.values()) {
      use.values()[NODES] = 1;
      use.values()[TOTAL] = Arrays.stream(use.values(), 0, BufferKinds.NAMES.size()).sum();
    }
    return uses;
  }

  private static long[] use(Map<String, JobUse> uses, String job, String user) {
    JobUse use = uses.get(job);
    if (use == null || use.user().isEmpty() && !user.isEmpty()) {
      use = new JobUse(job, user, use == null ? new long[COLUMNS.size()] : use.values());
      uses.put(job, use);
    }
    return use.values();
  }

  /** Adds what one node's jobs hold to the cluster's. */
  static void add(Map<String, JobUse> sums, Map<String, JobUse> node) {
    node.forEach(
        (job, use) -> {
          long[] sum = use(sums, job, use.user());
          for (int i = 0; i < sum.length; i++) {
            sum[i] += use.values()[i];
          }
        });
  }
}
