// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.processes;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** How engines yield to other processes: as upstream's executors have it for containers. */
public final class Niceness {

  private Niceness() {}

  /** What a command begins with; empty if nothing is configured. */
  public static List<String> prefix(Configuration conf) {
    return conf.get(YarnConfiguration.NM_CONTAINER_EXECUTOR_SCHED_PRIORITY) == null
        ? List.of()
        : List.of(
            "nice",
            "-n",
            String.valueOf(
                conf.getInt(
                    YarnConfiguration.NM_CONTAINER_EXECUTOR_SCHED_PRIORITY,
                    YarnConfiguration.DEFAULT_NM_CONTAINER_EXECUTOR_SCHED_PRIORITY)));
  }
}
