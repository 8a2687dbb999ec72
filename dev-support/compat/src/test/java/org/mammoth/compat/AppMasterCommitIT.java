// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.Probe;
import org.mammoth.compat.cluster.SharedCluster;

/** A job whose commit needs a JVM of its own is not given up: no attempt would commit it again. */
@ExtendWith(SharedCluster.class)
class AppMasterCommitIT {

  @Test
  void commitsInTheHostWhichTakesNoOtherJob(MiniCluster cluster) throws Exception {
    JobCode code = JobCode.ofThisModule(cluster.home().resolve("jars").resolve("commit.jar"));
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(cluster.conf());
      yarn.start();
      for (String name : List.of("commit", "commit-again")) {
        Probe probe = Probe.of(cluster, code, name, List.of(List.of("pass")));
        probe
            .job()
            .getConfiguration()
            .set(MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR, "org.mammoth.compat.jobs.PublishingOutput");
        assertThat(probe.submit().await()).as(name).isTrue();
        assertThat(probe.answers()).containsEntry("pass", List.of("passed"));
        assertThat(yarn.getApplicationAttempts(probe.application())).hasSize(1);
      }
    }
  }

  /**
   * With upstream's shutdown hook, which runs at each exit; the ResourceManager is told the same.
   */
  @Test
  void anExitOfItsOwnIsToldAsInAProcess(MiniCluster cluster) throws Exception {
    JobCode code = JobCode.ofThisModule(cluster.home().resolve("jars").resolve("leave.jar"));
    List<String> ends = new ArrayList<>();
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(cluster.conf());
      yarn.start();
      for (boolean hosted : new boolean[] {false, true}) {
        Probe probe = Probe.of(cluster, code, "leave-" + hosted, List.of(List.of("pass")));
        Configuration conf = probe.job().getConfiguration();
        conf.set(MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR, "org.mammoth.compat.jobs.LeavingOutput");
        conf.setInt(MRJobConfig.MR_AM_MAX_ATTEMPTS, 1);
        conf.setBoolean("mammoth.engine.enabled", hosted);
        probe.submit();
        Awaitility.await()
            .atMost(Duration.ofMinutes(2))
            .until(
                () ->
                    yarn.getApplicationReport(probe.application())
                            .getYarnApplicationState()
                            .compareTo(YarnApplicationState.RUNNING)
                        > 0);
        ApplicationReport report = yarn.getApplicationReport(probe.application());
        ends.add(report.getYarnApplicationState() + ", " + report.getFinalApplicationStatus());
      }
    }
    assertThat(ends.get(1)).isEqualTo(ends.get(0));
  }
}
