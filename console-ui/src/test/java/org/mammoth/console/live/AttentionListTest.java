// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.Figures;
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
        id,
        "n" + i,
        "/r",
        "http://" + id,
        null,
        "RUNNING",
        "",
        reach,
        reason,
        NOW,
        sample,
        null,
        "",
        null);
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
            tuple("bad", 1L, "refused"),
            tuple("bad", 410L, "Unreachable: Connection refused: it"),
            tuple("warn", 1L, "Slow: no answer in time"));
    assertThat(list.get(0).subject()).isEqualTo("http://zz:8088");
  }

  @Test
  void aFailedJobIsSaidForAnHour() {
    assertThat(Moment.of(1, view(Map.of(), List.of(), job("FAILED", NOW - 60_000))).attention())
        .extracting(Attention::severity, Attention::subject, Attention::text, Attention::count)
        .containsExactly(tuple("bad", "job_1_1", "sort of ada failed", 1L));
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
        finished,
        0,
        0,
        "",
        null);
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
        .extracting(Attention::text, Attention::count, Attention::times, Attention::atLeast)
        .containsExactly(
            tuple(
                "tasks ran in ordinary containers because it is a streaming task", 3L, 3L, false));
  }

  private static NodeSample sample(List<NodeSample.Fallback> last, List<EngineSample> engines) {
    return new NodeSample(
        NOW, NOW, true, 0, 0, 0, last.size(), Map.of(), last, null, null, engines);
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
                + "\",\"open\":true,\"ageMs\":5,\"problem\":\"\",\"counts\":{\"running\":"
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
        .extracting(Attention::subject, Attention::text, Attention::count)
        .containsExactly(tuple("n1:8042", "an engine ended while it ran tasks", 1L));
  }

  /** One that drains and ends within a second was never seen draining; its node knows. */
  @Test
  void theNodesOwnWordOfAnEngineGoesBeforeWhatWasSeenOfIt() throws Exception {
    EngineLosses losses = new EngineLosses();
    List<EngineSample> before =
        List.of(engine("drained", "TASKS", 3, ""), engine("killed", "TASKS", 0, ""));
    losses.see(view(Map.of(), List.of(node(1, Reach.OK, "", sample(List.of(), before)))));
    NodeSample after =
        new NodeSample(
            NOW,
            NOW,
            true,
            0,
            0,
            0,
            0,
            Map.of(),
            List.of(),
            List.of(
                new NodeSample.Ended("drained", 0, "a task met an OutOfMemoryError"),
                new NodeSample.Ended("killed", 2, "")),
            null,
            List.of());
    assertThat(losses.see(view(Map.of(), List.of(node(1, Reach.OK, "", after)))))
        .containsExactly(new EngineLosses.Loss("n1:8042", "killed", NOW));
  }

  @Test
  void ofAThousandNodesWithTimesOfTheirOwnIsOneGroupThatNamesThemAll() {
    List<NodeState> nodes = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      nodes.add(node(i, Reach.GONE, "no route after " + (100 + i) + " ms", null));
    }
    Moment moment = Moment.of(1, view(Map.of(), nodes));
    assertThat(moment.attention())
        .extracting(Attention::text, Attention::count)
        .containsExactly(tuple("Unreachable: no route after … ms", 1000L));
    assertThat(moment.concerned().get(moment.attention().get(0).cause()))
        .doesNotHaveDuplicates()
        .hasSize(1000);
    // The next second names the group alike: a link to it goes on to hold.
    assertThat(Moment.of(2, view(Map.of(), nodes.subList(1, 1000))).attention())
        .extracting(Attention::cause)
        .containsExactly(moment.attention().get(0).cause());
  }

  @Test
  void aNodeIsCountedOnceHoweverManyOfItsEnginesHaveIt() throws Exception {
    List<EngineSample> drained =
        List.of(engine("a", "TASKS", 1, "by root"), engine("b", "TASKS", 1, "by root"));
    assertThat(
            Moment.of(1, view(Map.of(), List.of(node(1, Reach.OK, "", sample(List.of(), drained)))))
                .attention())
        .extracting(Attention::count, Attention::times)
        .containsExactly(tuple(1L, 2L));
  }

  /** A node keeps the last 64 of them; that there were no more is then not known. */
  @Test
  void fallbacksBeyondWhatANodeKeepsAreNotDenied() {
    List<NodeSample.Fallback> last = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      last.add(new NodeSample.Fallback(NOW - 1000, "c", "t", "no memory"));
    }
    NodeSample more =
        new NodeSample(NOW, NOW, true, 0, 0, 0, 300, Map.of(), last, null, null, List.of());
    assertThat(Moment.of(1, view(Map.of(), List.of(node(1, Reach.OK, "", more)))).attention())
        .extracting(Attention::count, Attention::times, Attention::atLeast)
        .containsExactly(tuple(1L, 64L, true));
  }

  @Test
  void runsOfOneJobThatFailedAreOneGroupAndThoseOfAnotherUserAnother() {
    Moment moment =
        Moment.of(
            1,
            view(
                Map.of(),
                List.of(),
                job("job_1_1", "etl 2026-11-24", "ada1"),
                job("job_1_2", "etl 2026-11-25", "ada1"),
                job("job_1_3", "etl 2026-11-25", "ada2")));
    assertThat(moment.attention())
        .extracting(Attention::text, Attention::count)
        .containsExactly(
            tuple("etl …-…-… of ada… failed", 2L), tuple("etl 2026-11-25 of ada2 failed", 1L));
    assertThat(moment.concerned().get(moment.attention().get(0).cause()))
        .containsExactly("job_1_1", "job_1_2");
  }

  private static JobSample job(String id, String name, String user) {
    return new JobSample(
        id,
        id,
        name,
        user,
        "q",
        "FINISHED",
        "FAILED",
        9,
        1,
        NOW - 1000,
        NOW - 1000,
        0,
        0,
        "",
        null);
  }

  @Test
  void aDataNodeThatDoesNotTellNeedsAttention() {
    NodeState node =
        new NodeState(
            "n1:8042",
            "n1",
            "/r",
            "http://n1:8042",
            "http://n1:9864",
            "RUNNING",
            "",
            Reach.OK,
            "",
            NOW,
            sample(List.of(), List.of()),
            null,
            "the DataNode: http://n1:9864 answers 500",
            null);
    assertThat(Moment.of(1, view(Map.of(), List.of(node))).attention())
        .extracting(Attention::text)
        .containsExactly("its SSD cache is not known: the DataNode: it answers 500");
  }

  @Test
  void applicationMastersAreNoTasks() throws Exception {
    NodeSample sample =
        sample(List.of(), List.of(engine("a", "TASKS", 3, ""), engine("b", "APP_MASTERS", 2, "")));
    Moment moment = Moment.of(1, view(Map.of(), List.of(node(1, Reach.OK, "", sample))));
    assertThat(moment.totals()[NodeRow.column("tasks")]).isEqualTo(3);
    assertThat(moment.totals()[NodeRow.column("engines")]).isEqualTo(2);
    assertThat(moment.totals()[NodeRow.column("rss")])
        .as("an engine whose kernel does not tell")
        .isEqualTo(Figures.UNKNOWN);
  }
}
