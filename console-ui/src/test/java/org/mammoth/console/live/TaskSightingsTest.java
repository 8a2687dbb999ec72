// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.model.NodeState.Reach;
import org.mammoth.console.read.ClusterView;

/** Which of a task's attempts it is shown with. */
class TaskSightingsTest {

  private static final long NOW = 1_700_000_000_000L;
  private static final String TASK = "task_1_0001_m_000003";
  private static final String FIRST = "attempt_1_0001_m_000003_0";

  private final TaskSightings sightings = new TaskSightings(100);

  private void see(String attempt) throws Exception {
    EngineSample engine =
        new ObjectMapper()
            .readValue(
                """
                {"id":"e","role":"TASKS","open":true,"ageMs":1,"problem":"","draining":"",
                "counts":{"running":1},"jvm":{},"memory":{"byKind":{},"reduces":[],"waiters":[],
                "leases":[]},"elements":{"shares":[]},"disks":[],
                "tasks":[{"attempt":"%s","job":"job_1_0001","type":"MAP","merge":""}]}
                """
                    .formatted(attempt),
                EngineSample.class);
    NodeSample sample =
        new NodeSample(
            NOW, NOW, true, 0, 0, 0, 0, Map.of(), List.of(), null, null, List.of(engine));
    NodeState node =
        new NodeState(
            "n1:8042",
            "n1",
            "/r",
            "http://n1:8042",
            null,
            "RUNNING",
            "",
            Reach.OK,
            "",
            NOW,
            sample,
            null,
            "",
            null);
    sightings.see(
        Moment.of(1, new ClusterView(NOW, Map.of(), Map.of(node.id(), node), List.of(), null)));
  }

  @Test
  void anAttemptThatSucceededElsewhereIsNotTheOneThatWasSeen() throws Exception {
    see(FIRST);
    assertThat(sightings.latest(TASK, "attempt_1_0001_m_000003_1")).isNull();
    assertThat(sightings.latest(TASK, FIRST).attempt()).isEqualTo(FIRST);
    assertThat(sightings.latest(TASK, "").attempt()).as("none has yet").isEqualTo(FIRST);
    see("attempt_1_0001_m_000003_1");
    assertThat(sightings.latest(TASK, "").attempt()).endsWith("_1");
  }
}
