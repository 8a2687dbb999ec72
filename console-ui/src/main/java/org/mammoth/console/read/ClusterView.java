// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import java.util.List;
import java.util.Map;
import org.mammoth.console.model.CacheMasterSample;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.NodeState;

/**
 * The cluster as the console saw it at one moment. Immutable.
 *
 * @param masters what went wrong with each master, by origin; empty text if nothing did
 * @param nodes by id, in their order
 * @param jobs the latest first
 * @param cacheMaster null if no NameNode has one
 */
public record ClusterView(
    long timeMs,
    Map<String, String> masters,
    Map<String, NodeState> nodes,
    List<JobSample> jobs,
    CacheMasterSample cacheMaster) {

  /** Before anything was read. */
  public static final ClusterView EMPTY = new ClusterView(0, Map.of(), Map.of(), List.of(), null);

  /** The job's user, or empty if the console does not know the job. */
  public String userOf(String job) {
    for (JobSample sample : jobs) {
      if (sample.id().equals(job)) {
        return sample.user();
      }
    }
    return "";
  }
}
