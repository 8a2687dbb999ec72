// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.mammoth.api.status.OrderAnswer;
import org.mammoth.console.live.EngineLosses;
import org.mammoth.console.live.Moment;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.model.NodeState.Reach;
import org.mammoth.console.read.ClusterView;

/**
 * One node at a time, the next when the last works again, and no further than the first trouble.
 */
class RollingRecycleTest {

  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, List<String>> engines = new TreeMap<>();
  private final Map<String, Reach> reach = new TreeMap<>();
  private final List<String> asked = new ArrayList<>();
  private final EngineLosses losses = new EngineLosses();
  private int finished = 1;
  private OrderException refusal;
  private long nowMs = 1_700_000_000_000L;

  private final RollingRecycle rolling =
      new RollingRecycle(
          (node, user) -> {
            if (refusal != null) {
              throw refusal;
            }
            String id = node.substring("http://".length());
            asked.add(user + " " + id);
            return new OrderAnswer(List.copyOf(engines.get(id)), null, null, null, null);
          },
          Runnable::run);

  private NodeSample sample(List<String> ids) throws Exception {
    ObjectNode sample = json.createObjectNode();
    sample.putArray("lastFallbacks");
    ArrayNode all = sample.putArray("engines");
    for (String id : ids) {
      all.add(
          json.readTree(
              """
              {"id":"%s","role":"TASKS","open":true,"ageMs":1,"problem":"","draining":"",
              "counts":{"running":3,"finished":%d},"jvm":{},"memory":{"byKind":{},"reduces":[],"waiters":[],
              "leases":[]},"elements":{"shares":[]},"disks":[],"tasks":[]}
              """
                  .formatted(id, finished)));
    }
    return json.treeToValue(sample, NodeSample.class);
  }

  private Moment moment() throws Exception {
    Map<String, NodeState> nodes = new TreeMap<>();
    for (Map.Entry<String, List<String>> node : engines.entrySet()) {
      String id = node.getKey();
      Reach how = reach.getOrDefault(id, Reach.OK);
      nodes.put(
          id,
          new NodeState(
              id,
              id,
              id.startsWith("a") ? "/a" : "/b",
              "http://" + id,
              null,
              "RUNNING",
              "",
              how,
              "",
              nowMs,
              how == Reach.OK ? sample(node.getValue()) : null,
              null,
              "",
              null));
    }
    nowMs += 1000;
    ClusterView view = new ClusterView(nowMs, Map.of(), nodes, List.of(), null);
    return Moment.of(1, view, losses.see(view));
  }

  private void seconds(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      rolling.see(moment());
    }
  }

  @Test
  void theNextNodeWaitsUntilTheLastHasNewEnginesOnly() throws Exception {
    engines.put("a1", List.of("e1"));
    engines.put("a2", List.of("e2"));
    rolling.start("ada", "", moment());
    seconds(5);
    assertThat(asked).containsExactly("ada a1");
    assertThat(rolling.progress().doing()).contains("3");
    // A new one beside the old one that still has tasks is not enough.
    engines.put("a1", List.of("e1", "e3"));
    seconds(5);
    assertThat(rolling.progress().done()).isEmpty();
    engines.put("a1", List.of("e3"));
    seconds(5);
    assertThat(asked).containsExactly("ada a1", "ada a2");
    engines.put("a2", List.of("e4"));
    seconds(3);
    assertThat(rolling.progress().done()).containsExactly("a1", "a2");
    assertThat(rolling.progress().endedMs()).isPositive();
    assertThat(rolling.progress().stopped()).isEmpty();
  }

  @Test
  void aNodeWithoutANewEngineStopsIt() throws Exception {
    engines.put("a1", List.of("e1"));
    engines.put("a2", List.of("e2"));
    rolling.start("ada", "", moment());
    seconds(2);
    engines.put("a1", List.of());
    seconds(100);
    assertThat(rolling.progress().endedMs()).isZero();
    seconds(60);
    assertThat(rolling.progress().stopped()).contains("a1 has no new engine");
    assertThat(rolling.progress().waiting()).containsExactly("a2");
    assertThat(asked).hasSize(1);
  }

  @Test
  void aNodeThatGoesAwayStopsItEvenLater() throws Exception {
    engines.put("a1", List.of("e1"));
    engines.put("a2", List.of("e2"));
    rolling.start("ada", "", moment());
    seconds(2);
    engines.put("a1", List.of("e3"));
    seconds(2);
    reach.put("a1", Reach.GONE);
    seconds(1);
    assertThat(rolling.progress().stopped()).contains("a1").contains("unreachable");
  }

  @Test
  void aNewEngineThatDiesWithItsTasksStopsIt() throws Exception {
    for (int i = 1; i <= 3; i++) {
      engines.put("a" + i, List.of("e" + i));
    }
    finished = 0;
    rolling.start("ada", "", moment());
    seconds(2);
    engines.put("a1", List.of("n1"));
    seconds(5);
    assertThat(rolling.progress().done()).as("it has done nothing yet").isEmpty();
    engines.put("a1", List.of("n2"));
    seconds(1);
    assertThat(rolling.progress().stopped()).contains("a new engine of a1 ended");
    assertThat(asked).containsExactly("ada a1");
  }

  @Test
  void aNewEngineThatDiesAfterItsNodesTurnStopsIt() throws Exception {
    for (int i = 1; i <= 3; i++) {
      engines.put("a" + i, List.of("e" + i));
    }
    rolling.start("ada", "", moment());
    seconds(2);
    engines.put("a1", List.of("n1"));
    seconds(3);
    assertThat(asked).containsExactly("ada a1", "ada a2");
    engines.put("a1", List.of());
    seconds(1);
    assertThat(rolling.progress().stopped()).contains("a new engine of a1 ended");
    assertThat(asked).hasSize(2);
  }

  @Test
  void aNewEngineWithNothingToDoIsWatchedForAWhile() throws Exception {
    engines.put("a1", List.of("e1"));
    engines.put("a2", List.of("e2"));
    finished = 0;
    rolling.start("ada", "", moment());
    seconds(2);
    engines.put("a1", List.of("n1"));
    seconds(29);
    assertThat(rolling.progress().done()).isEmpty();
    seconds(5);
    assertThat(rolling.progress().done()).containsExactly("a1");
    assertThat(rolling.progress().endedMs()).isZero();
  }

  @Test
  void aNodeThatDoesNotAnswerOrNotInAWayThatIsUnderstoodStopsIt() throws Exception {
    engines.put("a1", List.of("e1"));
    engines.put("a2", List.of("e2"));
    rolling.start("ada", "", moment());
    seconds(2);
    reach.put("a1", Reach.SLOW);
    seconds(100);
    assertThat(rolling.progress().endedMs()).isZero();
    seconds(40);
    assertThat(rolling.progress().stopped()).contains("a1 has not answered");
    reach.clear();
    rolling.start("ada", "", moment());
    seconds(2);
    engines.put("a1", List.of("n1"));
    seconds(3);
    reach.put("a1", Reach.FOREIGN);
    seconds(1);
    assertThat(rolling.progress().stopped()).contains("a1, whose").contains("does not understand");
  }

  @Test
  void aRefusalStopsIt() throws Exception {
    engines.put("a1", List.of("e1"));
    refusal = new OrderException(403, "ada may not");
    rolling.start("ada", "", moment());
    seconds(2);
    assertThat(rolling.progress().stopped()).contains("ada may not");
  }

  @Test
  void oneRackAndOneAtATime() throws Exception {
    engines.put("a1", List.of("e1"));
    engines.put("b1", List.of("e2"));
    rolling.start("ada", "/b", moment());
    assertThatThrownBy(() -> rolling.start("bob", "", moment()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ada");
    seconds(2);
    assertThat(asked).containsExactly("ada b1");
    rolling.stop("bob", moment());
    seconds(5);
    assertThat(rolling.progress().stopped()).contains("bob");
    assertThatThrownBy(() -> rolling.start("bob", "/c", moment())).hasMessageContaining("/c");
    rolling.start("bob", "", moment());
    assertThat(rolling.progress().user()).isEqualTo("bob");
  }

  @Test
  void anAnswerThatCannotBeTakenEndsIt() throws Exception {
    RollingRecycle broken =
        new RollingRecycle(
            (node, user) -> {
              throw new IllegalStateException("no answer of this release");
            },
            Runnable::run);
    engines.put("a1", List.of("e1"));
    broken.start("ada", "", moment());
    broken.see(moment());
    assertThat(broken.progress().endedMs()).isPositive();
    assertThat(broken.progress().stopped()).contains("no answer of this release");
  }

  @Test
  void aLateAnswerToARunThatWasStoppedIsNotTheNextOnes() throws Exception {
    List<Runnable> later = new ArrayList<>();
    RollingRecycle slow =
        new RollingRecycle(
            (node, user) -> new OrderAnswer(List.of("of " + user), null, null, null, null),
            later::add);
    engines.put("a1", List.of("of ada", "of bob"));
    slow.start("ada", "", moment());
    slow.see(moment());
    slow.stop("ada", moment());
    slow.start("bob", "", moment());
    slow.see(moment());
    later.get(0).run();
    slow.see(moment());
    assertThat(slow.progress().doing()).isEqualTo("its NodeManager is asked");
    later.get(1).run();
    slow.see(moment());
    assertThat(slow.progress().doing()).startsWith("its old engines end");
  }
}
