// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.console.live.Moment;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.read.ContainerLogs;
import org.mammoth.console.read.ContainerLogs.LogTail;

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

  /** Whether a viewer may read them; the console reads them as itself. */
  boolean readable(Viewer viewer, JobSample job) {
    return !acls || viewer.admin() || viewer.user().equals(job.user());
  }

  /**
   * The last bytes of a file of a container; never fails.
   *
   * @param node the NodeManager's web address, as host:port
   * @param readable what {@link #readable} said
   */
  CompletableFuture<LogTail> last(
      Moment moment, String node, String container, String file, int bytes, boolean readable) {
    if (!readable) {
      return untold(
          file,
          "the cluster has ACLs (yarn.acl.enable), so that only its user and administrators see"
              + " its logs here");
    }
    // Part of a path: nothing but what names a container.
    if (!container.matches("container_[\\w]+")) {
      return untold(file, "it was given no container");
    }
    NodeState known = moment.view().nodes().get(node);
    return logs.last(known == null ? null : known.nodeManager(), container, file, bytes);
  }

  private static CompletableFuture<LogTail> untold(String file, String why) {
    return CompletableFuture.completedFuture(new LogTail(file, "", "", why));
  }
}
