// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.Probe;
import org.mammoth.compat.cluster.SharedCluster;

/**
 * An engine's tasks have Hadoop's classes as the engine has made them, others have Hadoop's own.
 */
@ExtendWith(SharedCluster.class)
class FastRecordsIT {

  @Test
  void textsAreCodedByTheEngineInTheEngineOnly(MiniCluster cluster) throws Exception {
    JobCode code = JobCode.ofThisModule(cluster.home().resolve("jars").resolve("coder.jar"));
    Probe inEngine = Probe.of(cluster, code, "coder", List.of(List.of("coder")));
    Probe ordinary = Probe.of(cluster, code, "coder-ordinary", List.of(List.of("coder")));
    ordinary.job().getConfiguration().setBoolean("mammoth.engine.enabled", false);
    inEngine.submit();
    ordinary.submit();
    assertThat(inEngine.await()).isTrue();
    assertThat(ordinary.await()).isTrue();
    assertThat(inEngine.answers())
        .containsEntry("coder", List.of("org.mammoth.engine.upstream.FastText"));
    assertThat(ordinary.answers()).containsEntry("coder", List.of(Text.class.getName()));
  }
}
