// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.console.live.Moment;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.read.ContainerLogs;
import org.mammoth.console.read.ContainerLogs.LogTail;
import org.mammoth.console.read.JobIds;

/** Logs of a job's attempts, for whom they are. Any thread. */
final class AttemptLogs {

  private final ContainerLogs logs;
  private final boolean acls;

  AttemptLogs(ContainerLogs logs, Configuration conf) {
    this.logs = logs;
    this.acls =
        conf.getBoolean("yarn.acl.enable", false)
            || conf.getBoolean("mapreduce.cluster.acls.enabled", false);
  }

  /**
   * What a viewer may read.
   *
   * @param job of whose containers
   * @param allowed whether any of it
   */
  record Access(JobSample job, boolean allowed) {}

  /** Whether a viewer may read those of a job; the console reads them as itself. */
  Access access(Viewer viewer, JobSample job) {
    return new Access(job, !acls || viewer.admin() || viewer.user().equals(job.user()));
  }

  /**
   * The last bytes of a file of a container; never fails.
   *
   * @param node the NodeManager's web address, as host:port
   * @param container as the job has named it
   * @param access what {@link #access} said
   */
  CompletableFuture<LogTail> last(
      Moment moment, String node, String container, String file, int bytes, Access access) {
    if (!access.allowed()) {
      return untold(
          file,
          "the cluster has ACLs (yarn.acl.enable), so that only its user and administrators see"
              + " its logs here");
    }
    if (container.isEmpty()) {
      return untold(file, "it was given no container");
    }
    if (!JobIds.isContainer(access.job(), container)) {
      return untold(file, "the job names a container that is not its");
    }
    NodeState known = moment.view().nodes().get(node);
    return logs.last(known == null ? null : known.nodeManager(), container, file, bytes);
  }

  private static CompletableFuture<LogTail> untold(String file, String why) {
    return CompletableFuture.completedFuture(LogTail.untold(file, why));
  }
}
