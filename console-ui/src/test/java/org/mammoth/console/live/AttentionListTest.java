package org.mammoth.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.model.NodeState.Reach;
import org.mammoth.console.read.ClusterView;

/** What is wrong is said once, with how many have it, the worst first; and nothing is left out. */
class AttentionListTest {

  private static final long NOW = 1_700_000_000_000L;

  private static NodeState node(int i, Reach reach, String reason, NodeSample sample) {
    String id = "n" + i + ":8042";
    return new NodeState(
        id, "n" + i, "/r", "http://" + id, null, "RUNNING", "", reach, reason, NOW, sample, null);
  }

  private static ClusterView view(
      Map<String, String> masters, List<NodeState> nodes, JobSample... jobs) {
    Map<String, NodeState> byId = new TreeMap<>();
    nodes.forEach(node -> byId.put(node.id(), node));
    return new ClusterView(NOW, masters, byId, List.of(jobs), null);
  }

  @Test
  void whatManyNodesHaveIsOneLineWithTheirNumber() {
    List<NodeState> nodes = new ArrayList<>();
    for (int i = 0; i < 410; i++) {
      nodes.add(node(i, Reach.GONE, "Connection refused: n" + i + ":8042", null));
    }
    nodes.add(node(999, Reach.SLOW, "no answer in time", null));
    List<Attention> list =
        Moment.of(1, view(Map.of("http://zz:8088", "refused", "http://ok:9870", ""), nodes))
            .attention();
    assertThat(list)
        .extracting(Attention::severity, Attention::count, Attention::text)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("bad", 1L, "refused"),
            org.assertj.core.groups.Tuple.tuple("bad", 410L, "Unreachable: Connection refused: it"),
            org.assertj.core.groups.Tuple.tuple("warn", 1L, "Slow: no answer in time"));
    assertThat(list.get(0).subject()).isEqualTo("http://zz:8088");
  }

  @Test
  void aFailedJobIsSaidForAnHour() {
    assertThat(Moment.of(1, view(Map.of(), List.of(), job("FAILED", NOW - 60_000))).attention())
        .containsExactly(new Attention("bad", "job_1_1", "jobs", "sort of ada failed", 1));
    assertThat(Moment.of(1, view(Map.of(), List.of(), job("SUCCEEDED", NOW - 60_000))).attention())
        .isEmpty();
    assertThat(Moment.of(1, view(Map.of(), List.of(), job("FAILED", NOW - 3_700_000))).attention())
        .isEmpty();
  }

  private static JobSample job(String status, long finished) {
    return new JobSample(
        "job_1_1",
        "application_1_1",
        "sort",
        "ada",
        "q",
        "FINISHED",
        status,
        100,
        NOW - 900_000,
        finished,
        0,
        0,
        "");
  }

  @Test
  void fallbacksAreCountedByTheirReason() {
    List<NodeState> nodes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      List<NodeSample.Fallback> last =
          List.of(
              new NodeSample.Fallback(NOW - 1000, "c", "t", "it is a streaming task"),
              new NodeSample.Fallback(NOW - 9_000_000, "c", "t", "of yesterday"));
      nodes.add(node(i, Reach.OK, "", sample(last, List.of())));
    }
    assertThat(Moment.of(1, view(Map.of(), nodes)).attention())
        .containsExactly(
            new Attention(
                "warn",
                "n0:8042",
                "nodes",
                "tasks ran in ordinary containers because it is a streaming task",
                3));
  }

  private static NodeSample sample(List<NodeSample.Fallback> last, List<EngineSample> engines) {
    return new NodeSample(NOW, NOW, true, 0, 0, 0, last.size(), Map.of(), last, engines);
  }

  private static EngineSample engine(String id, String role, long running, String draining)
      throws Exception {
    return new ObjectMapper()
        .readValue(
            "{\"id\":\""
                + id
                + "\",\"role\":\""
                + role
                + "\",\"draining\":\""
                + draining
                + "\",\"open\":true,\"problem\":\"\",\"counts\":{\"running\":"
                + running
                + "},\"jvm\":{},\"memory\":{\"byKind\":{},\"leases\":[],\"reduces\":[],\"waiters\":[]},"
                + "\"elements\":{\"shares\":[]},\"disks\":[],\"tasks\":[]}",
            EngineSample.class);
  }

  @Test
  void anEngineThatIsGoneWithItsTasksIsLostOneThatWasDrainedOrIdleIsNot() throws Exception {
    EngineLosses losses = new EngineLosses();
    List<EngineSample> before =
        List.of(
            engine("busy", "TASKS", 3, ""),
            engine("idle", "TASKS", 0, ""),
            engine("drained", "TASKS", 2, "by root"),
            engine("stays", "TASKS", 2, ""));
    losses.see(view(Map.of(), List.of(node(1, Reach.OK, "", sample(List.of(), before)))));
    assertThat(losses.see(view(Map.of(), List.of(node(1, Reach.GONE, "", null))))).isEmpty();
    ClusterView after =
        view(Map.of(), List.of(node(1, Reach.OK, "", sample(List.of(), List.of(before.get(3))))));
    List<EngineLosses.Loss> lost = losses.see(after);
    assertThat(lost).containsExactly(new EngineLosses.Loss("n1:8042", "busy", NOW));
    assertThat(Moment.of(2, after, lost).attention())
        .containsExactly(
            new Attention("bad", "n1:8042", "nodes", "an engine ended while it ran tasks", 1));
  }

  @Test
  void applicationMastersAreNoTasks() throws Exception {
    NodeSample sample =
        sample(List.of(), List.of(engine("a", "TASKS", 3, ""), engine("b", "APP_MASTERS", 2, "")));
    Moment moment = Moment.of(1, view(Map.of(), List.of(node(1, Reach.OK, "", sample))));
    assertThat(moment.totals()[NodeRow.column("tasks")]).isEqualTo(3);
    assertThat(moment.totals()[NodeRow.column("engines")]).isEqualTo(2);
  }
}
