// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.client.api.YarnClient;
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
}
