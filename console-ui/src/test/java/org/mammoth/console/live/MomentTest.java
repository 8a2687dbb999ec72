// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.model.NodeState.Reach;
import org.mammoth.console.read.ClusterView;

class MomentTest {

  /** A gap in the chart, not a cluster that was empty for a second. */
  @Test
  void keepsNoSumsOfASecondInWhichNoNodeAnswered() {
    assertThat(rows(Map.of())).isEmpty();
    assertThat(rows(Map.of("a", node("a", Reach.NEW), "b", node("b", Reach.SLOW)))).isEmpty();
  }

  @Test
  void keepsTheSumsOfTheNodesThatAnswered() {
    assertThat(rows(Map.of("a", node("a", Reach.GONE), "b", node("b", Reach.OK))))
        .containsOnlyKeys("cluster", "node|b");
  }

  /** Else a restart would draw a dip. */
  @Test
  void keepsNoSumsWhileNodesAreReadForTheFirstTime() {
    NodeState expected =
        new NodeState(
            "b",
            "b",
            "/r",
            "http://b:1",
            null,
            "RUNNING",
            "",
            Reach.NEW,
            "",
            0,
            null,
            null,
            "",
            null);
    assertThat(rows(Map.of("a", node("a", Reach.OK), "b", expected))).containsOnlyKeys("node|a");
  }

  /** What a job holds on the nodes that were read so far is not what it holds. */
  @Test
  void keepsNoSumOfAJobWhileNodesAreReadForTheFirstTime() throws Exception {
    NodeState read =
        new NodeState(
            "a",
            "a",
            "/r",
            "http://a:1",
            null,
            "RUNNING",
            "",
            Reach.OK,
            "",
            0,
            holds(),
            null,
            "",
            null);
    NodeState expected =
        new NodeState(
            "b",
            "b",
            "/r",
            "http://b:1",
            null,
            "RUNNING",
            "",
            Reach.NEW,
            "",
            0,
            null,
            null,
            "",
            null);
    assertThat(rows(Map.of("a", read))).containsKeys("job|job_1_1", "nodejob|a|job_1_1");
    assertThat(rows(Map.of("a", read, "b", expected)))
        .containsKey("nodejob|a|job_1_1")
        .doesNotContainKey("job|job_1_1");
  }

  private static NodeSample holds() throws Exception {
    return new ObjectMapper()
        .readValue(
            """
            {"lastFallbacks":[],"engines":[{"id":"e","role":"TASKS","ageMs":1,"problem":"",
            "draining":"","counts":{},"jvm":{},"memory":{"byKind":{},"reduces":[],"waiters":[],
            "leases":[{"job":"job_1_1","user":"ada","kind":"SORT","bytes":7}]},
            "elements":{"shares":[]},"disks":[],"tasks":[]}]}
            """,
            NodeSample.class);
  }

  private static Map<String, long[]> rows(Map<String, NodeState> nodes) {
    return Moment.of(1, new ClusterView(1000, Map.of(), nodes, List.of(), null)).historyRows();
  }

  private static NodeState node(String id, Reach reach) {
    return new NodeState(
        id, id, "/r", null, null, "RUNNING", "", reach, "", 0, null, null, "", null);
  }
}
