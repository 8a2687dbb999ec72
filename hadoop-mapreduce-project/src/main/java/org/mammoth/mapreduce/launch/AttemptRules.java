// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.mammoth.engine.config.EngineKeys;

/**
 * Which attempts of a job's ApplicationMaster may be hosted. YARN counts none that ends with its
 * host, so a job that harms each of its hosts, on other nodes too, would never end; in a process
 * its attempts count. What may be a job's last attempt has what it would have on stock, in case it
 * was the host, its heap for one, that the earlier ones failed for. Only an attempt that is the
 * first and the last may be hosted, too. Thread-safe.
 */
final class AttemptRules {

  private final Configuration cluster;

  /**
   * @param cluster the node's own configuration, with YARN's site file
   */
  AttemptRules(Configuration cluster) {
    this.cluster = cluster;
  }

  /** Why an attempt gets a process, as far as that can be told of any job; empty if it does not. */
  Optional<String> reasonAgainst(String containerId) {
    return reasonAgainst(containerId, ofCluster());
  }

  /**
   * Why an attempt gets a process of its own, empty if it may be hosted.
   *
   * @param containerId of the attempt
   * @param job its configuration as it was submitted
   */
  Optional<String> reasonAgainst(String containerId, Configuration job) {
    return reasonAgainst(containerId, mostOf(job));
  }

  private Optional<String> reasonAgainst(String containerId, int most) {
    int before = ContainerId.fromString(containerId).getApplicationAttemptId().getAttemptId() - 1;
    long hosted = Math.min(EngineKeys.QUARANTINE_DEATHS.get(cluster), Math.max(1, most - 1));
    return before < hosted
        ? Optional.empty()
        : Optional.of(
            before
                + " attempts of its job have ended before ("
                + EngineKeys.QUARANTINE_DEATHS.name()
                + ")");
  }

  /** How many attempts the ResourceManager allows an application that asks for many. */
  private int ofCluster() {
    return cluster.getInt(YarnConfiguration.GLOBAL_RM_AM_MAX_ATTEMPTS, ofUndecided());
  }

  /** How many it allows an application that does not say. */
  private int ofUndecided() {
    return cluster.getInt(
        YarnConfiguration.RM_AM_MAX_ATTEMPTS, YarnConfiguration.DEFAULT_RM_AM_MAX_ATTEMPTS);
  }

  /** How many it allows this job, by the rules of upstream's RMAppImpl. */
  private int mostOf(Configuration job) {
    int asked = job.getInt(MRJobConfig.MR_AM_MAX_ATTEMPTS, MRJobConfig.DEFAULT_MR_AM_MAX_ATTEMPTS);
    return asked <= 0 ? ofUndecided() : Math.min(asked, ofCluster());
  }
}
